// PUT and DELETE /portal/api/buyer/pause: a partner receives no leads for a while, and goes on (contract 6.16).
import type { FastifyReply, FastifyRequest } from 'fastify';

import { buyerAuthor } from '../../audit/request-author.ts';
import { DAY_MS, dayInZone } from '../../base/time.ts';
import type { Buyer, OwnPause } from '../../buyers/buyer.ts';
import { pauseReceiving, resumeReceiving } from '../../buyers/pause-receiving.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { ownerRate } from '../../platform/http/route-guard.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { OneAtATime } from '../../platform/one-at-a-time.ts';
import { NewPauseBody, type PauseState, PauseSchema } from './pause.schema.ts';

export type PortalPauseDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'timeZone'>;
  /** Applies the change in this process at once; the other processes apply it within a second. */
  readonly refresh: () => Promise<unknown>;
  readonly changeAccount: OneAtATime;
};

const PATH = '/api/buyer/pause';
/** A longer one is no pause: it ends when the partner says so. */
const LONGEST_DAYS = 366;

export function registerPortalPause(scope: App, dependencies: PortalPauseDependencies): void {
  const { clock, buyerOf } = dependencies;
  // As for other changes of the account: each stays in the history for ever.
  const onRequest = ownerRate({ name: 'pauses', rateOf: () => ({ perSecond: 1, burst: 10 }), clock });
  scope.put(
    PATH,
    { onRequest, schema: { body: NewPauseBody, response: { 200: PauseSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey: buyerKey } = principalOf(request);
      const { untilDay } = request.body;
      const until = untilDay === null ? null : new Date(dayInZone(untilDay, buyerOf(buyerKey).timeZone).from);
      const fault = until === null ? null : faultOf(until, now);
      if (fault !== null) {
        const errors = [{ field: 'untilDay', code: 'out_of_range', message: fault }];
        return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors });
      }
      const change = { buyerKey, until, author: authorOf(request) };
      return respond(request, reply, dependencies, (tx) => pauseReceiving(tx, change, now));
    },
  );
  scope.delete(PATH, { onRequest, schema: { response: { 200: PauseSchema } } }, async (request, reply) => {
    const change = { buyerKey: principalOf(request).ownerKey, author: authorOf(request) };
    return respond(request, reply, dependencies, (tx) => resumeReceiving(tx, change, clock.now()));
  });
}

function faultOf(until: Date, now: Date): string | null {
  if (until <= now) return 'must be after today';
  return until.getTime() > now.getTime() + LONGEST_DAYS * DAY_MS ? 'must be within a year' : null;
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, refresh, changeAccount }: PortalPauseDependencies,
  change: (tx: Tx) => Promise<Buyer>,
): Promise<FastifyReply> {
  const { ownPause } = await changeAccount(principalOf(request).ownerKey, () => database.tx(change));
  await refresh().catch((error: unknown) =>
    request.log.warn({ err: error }, 'refreshing the configuration failed; it is retried within a second'),
  );
  return reply.send({ pause: pauseView(ownPause) });
}

export function pauseView(pause: OwnPause | null): PauseState['pause'] {
  return pause === null ? null : { since: pause.since.toISOString(), until: pause.until?.toISOString() ?? null };
}

function authorOf(request: FastifyRequest) {
  return buyerAuthor(request);
}
