// A gate in front of single routes of a scope: it opens or refuses by who asks, before anything of the body is looked at (contract 1.8).
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import type { Clock } from '../clock.ts';
import type { Principal } from './app.ts';
import { sendProblem } from './problem.ts';
import type { Refusal } from './request-fault.ts';
import { principalOf } from './scope.ts';
import type { Rate } from './token-bucket.rules.ts';

/** For a route's `onRequest`, which runs after the scope's own: whoever gets here is known, admitted and within the rate. */
export function gate(refusalOf: (principal: Principal) => Refusal | null) {
  return function gateHook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const refusal = refusalOf(principalOf(request));
    if (refusal === null) done();
    else sendProblem(request, reply, refusal);
  };
}

type OwnerRate = { readonly name: string; readonly rateOf: (ownerKey: string) => Rate; readonly clock: Clock };

/**
 * A route's hook that limits the owner's calls of this route, whatever credential or session they come with, beside the limit of the
 * scope. Routes with the same `name` share their buckets.
 */
export function ownerRate({ name, rateOf, clock }: OwnerRate) {
  return function ownerRateHook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { ownerKey } = principalOf(request);
    const nowMs = clock.now().getTime();
    const wait = request.server.rateLimiter.take(`${name} of ${ownerKey}`, rateOf(ownerKey), { nowMs, reply });
    if (wait === 0) done();
    else sendProblem(request, reply, { status: 429, code: 'rate_limited', headers: { 'retry-after': String(wait) } });
  };
}
