// A gate in front of single routes of a scope: it opens or refuses by who asks, before anything of the body is looked at (contract 1,
// order of refusals).
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import type { Principal } from './app.ts';
import { sendProblem } from './problem.ts';
import type { Refusal } from './request-fault.ts';
import { principalOf } from './scope.ts';

/** For a route's `onRequest`, which runs after the scope's own: whoever gets here is known, admitted and within the rate. */
export function gate(refusalOf: (principal: Principal) => Refusal | null) {
  return function gateHook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const refusal = refusalOf(principalOf(request));
    if (refusal === null) done();
    else sendProblem(request, reply, refusal);
  };
}
