// Runs a POST that makes a network call between two transactions once per Idempotency-Key: during the call a stored mark keeps all
// processes from running it again (contract 1.11).
import type { FastifyReply } from 'fastify';

import type { Tx } from '../database/database.ts';
import {
  type HttpResponse,
  hasIdempotencyKey,
  type IdempotentRun,
  IN_PROGRESS,
  keepResponseOf,
  RUNNING,
  runIdempotent,
  sendResponse,
} from './idempotency.ts';
import { sendProblem } from './problem.ts';

export type Begun<Started> = { readonly response: HttpResponse } | { readonly started: Started };

export type IdempotentSteps<Started, Result> = Pick<IdempotentRun, 'database' | 'request' | 'reply' | 'now'> & {
  /** Returning a response ends the request here; it is kept like any other. */
  readonly begin: (tx: Tx) => Promise<Begun<Started>>;
  /** Runs without a transaction, for at most 30 s: a repetition a minute later assumes that it died and starts again. */
  readonly outside: (started: Started) => Promise<Result>;
  readonly finish: (tx: Tx, started: Started, result: Result) => Promise<HttpResponse>;
};

/** For POST routes with `attachValidation: true`, as `runIdempotent`. */
export async function respondInSteps<Started, Result>(steps: IdempotentSteps<Started, Result>): Promise<FastifyReply> {
  const { database, request, reply, begin, outside, finish } = steps;
  let started: { readonly value: Started } | null = null;
  const outcome = await runIdempotent({
    ...steps,
    async work(tx) {
      const begun = await begin(tx);
      if ('response' in begun) return begun.response;
      started = { value: begun.started };
      return RUNNING;
    },
  });
  if (!outcome.ok) return sendProblem(request, reply, outcome.refusal);
  if (outcome.response.status !== RUNNING.status) return sendResponse(reply, outcome);
  const own = started as { readonly value: Started } | null;
  if (own === null) return sendProblem(request, reply, IN_PROGRESS);
  const result = await outside(own.value);
  const response = await database.tx(async (tx) => {
    const last = await finish(tx, own.value, result);
    if (hasIdempotencyKey(request)) await keepResponseOf(tx, steps, last);
    return last;
  });
  return sendResponse(reply, { response, replayed: false });
}
