// Hooks for single routes of a scope that reject a request by its principal, before its body is read (contract 1.8).
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import type { Clock } from '../clock.ts';
import type { Principal } from './app.ts';
import { sendProblem } from './problem.ts';
import type { Refusal } from './request-fault.ts';
import { principalOf } from './scope.ts';
import type { Rate } from './token-bucket.rules.ts';

/** For a route's `onRequest`, which runs after the scope's own hooks: the principal is authenticated, admitted and within the rate limit. */
export function routeGuard(refusalOf: (principal: Principal) => Refusal | null) {
  return function routeGuardHook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const refusal = refusalOf(principalOf(request));
    if (refusal === null) done();
    else sendProblem(request, reply, refusal);
  };
}

type OwnerRate = { readonly name: string; readonly rateOf: (ownerKey: string) => Rate; readonly clock: Clock };

/**
 * Limits the owner's calls of this route over all credentials and sessions, in addition to the limit of the scope. Routes with the same
 * `name` share their buckets.
 */
export function ownerRate({ name, rateOf, clock }: OwnerRate) {
  return function ownerRateHook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { ownerKey } = principalOf(request);
    const nowMs = clock.now().getTime();
    request.server.rateLimiter.take(`${name} of ${ownerKey}`, rateOf(ownerKey), { nowMs, reply }, (wait) => {
      if (wait === 0) done();
      else sendProblem(request, reply, { status: 429, code: 'rate_limited', headers: { 'retry-after': String(wait) } });
    });
  };
}
