// Limits sign-in requests per network address, before the request body is read (decision 022).
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import type { Clock } from '../platform/clock.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { addressNet } from './sign-in-guard.rules.ts';

/**
 * Twenty a minute: enough for an office's morning behind one address. Tokens and keys cannot be guessed, so this only bounds the work of
 * each process; `sign-in-guard.ts` slows down password guessing.
 */
const RATE = { perSecond: 20 / 60, burst: 20 } as const;

/** A Fastify `onRequest` hook for the sign-in routes. */
export function limitSignIns(clock: Clock) {
  return function signInLimit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const nowMs = clock.now().getTime();
    // Addresses are not stored: the limit is about the work of this process.
    const at = { nowMs, reply, perProcess: true };
    request.server.rateLimiter.take(`sign-in ${addressNet(request.ip)}`, RATE, at, (wait) => {
      if (wait === 0) return done();
      sendProblem(request, reply, { status: 429, code: 'sign_in_delayed', headers: { 'retry-after': String(wait) } });
    });
  };
}
