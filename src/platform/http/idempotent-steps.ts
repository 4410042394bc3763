// A POST whose work leaves the house between two transactions, run once per Idempotency-Key: while it is away a kept mark says so, to
// this process and to all others (contract 1.11).
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
  /** An answer ends it here, and is kept like any other. */
  readonly begin: (tx: Tx) => Promise<Begun<Started>>;
  /** With no transaction open. Ends within 30 s: a repeat that comes a minute later takes it for dead and starts anew. */
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
