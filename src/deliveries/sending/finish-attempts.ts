// Writes down how attempts ended and what follows: confirmed and charged, due again, or failed for good (contract 4.9, 4.10). A batch of
// results shares one transaction; whatever is repeated changes nothing.
import type { Uuid } from '../../base/ids.ts';
import type { BreakerPolicy } from '../../endpoints/breaker.rules.ts';
import { noteResults } from '../../endpoints/note-results.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Judgement } from '../../platform/outbound/retry.rules.ts';
import type { AttemptFacts, SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { LONG_BROKEN_MS } from './attempt-fate.rules.ts';
import type { SendPurpose } from './begin-attempts.ts';
import { confirmDeliveries } from '../confirm-deliveries.ts';
import { failDeliveries } from '../fail-deliveries.ts';
import type { Lane } from './lane.rules.ts';
import {
  deferJobs,
  deleteJobs,
  finishAttempts as finish,
  heldLeases,
  insertCopies,
  rescheduleJobs,
} from './send.sql.ts';

export type AttemptResult = Lane & {
  readonly attemptId: Uuid;
  readonly deliveryId: Uuid;
  readonly purpose: SendPurpose;
  readonly outcome: SendOutcome;
  readonly judgement: Judgement;
  /** Whether the endpoint was asked, and what it answered says something of its health that no other result says. */
  readonly wasTried: boolean;
};

/** Leads only: what copies and replays come to stands in the log of attempts. */
export type FinishReport = {
  readonly confirmed: number;
  readonly failed: number;
  readonly retried: number;
  /** Leads that wait for routing again. */
  readonly rerouted: readonly Uuid[];
  /** Whether something that waited may be sent now. */
  readonly isMoreDue: boolean;
  /** Lanes that have not taken anything for longer than anybody should wait, and since when. */
  readonly longBroken: readonly (Lane & { readonly since: Date })[];
};

export async function finishAttempts(
  tx: Tx,
  results: readonly AttemptResult[],
  { breaker, now }: { breaker: BreakerPolicy; now: Date },
): Promise<FinishReport> {
  const rows = await tx.query<{ attemptId: Uuid }>(heldLeases, [
    results.map((result) => result.deliveryId),
    results.map((result) => result.channel),
    results.map((result) => result.attemptId),
  ]);
  const held = new Set(rows.map((row) => row.attemptId));
  // That the buyer took it is true whoever holds the lease by now; what follows from a failure is for the holder to say, unless
  // another attempt turns out to have succeeded.
  const delivered = results.filter((result) => result.judgement.kind === 'delivered');
  const taken = new Set(delivered.map(jobName));
  const open = results.filter((result) => held.has(result.attemptId) && !taken.has(jobName(result)));
  const failed = open.filter((result) => result.judgement.kind === 'failed');
  await writeAttempts(
    tx,
    results.filter((result) => result.judgement.kind !== 'deferred'),
  );
  const retried = await putOff(tx, open);
  const over = [...delivered, ...failed];
  await tx.query(deleteJobs, [over.map((result) => result.deliveryId), over.map((result) => result.channel)]);
  const sold = delivered.filter((result) => result.purpose === 'sale');
  const unsold = failed.filter((result) => result.purpose === 'sale');
  // Failures first: they lock people and counters, which everybody locks before accounts.
  const rerouted = await failDeliveries(
    tx,
    unsold.map(({ deliveryId, judgement }) => ({
      deliveryId,
      certain: judgement.kind === 'failed' && judgement.certain,
    })),
    now,
    sold.map((result) => result.buyerKey),
  );
  const confirmed = await confirmDeliveries(
    tx,
    sold.map((result) => result.deliveryId),
    now,
  );
  const copies = confirmed.length === 0 ? [] : await tx.query(insertCopies, [confirmed, dueAtOnce(now)]);
  const news = await noteResults(tx, results.flatMap(endpointResult), breaker, now);
  return {
    confirmed: confirmed.length,
    failed: unsold.length,
    retried,
    rerouted,
    isMoreDue: copies.length > 0 || news.closed.length > 0,
    longBroken: news.open.flatMap(({ ownerKey, channel, openedAt }) =>
      now.getTime() - openedAt.getTime() < LONG_BROKEN_MS
        ? []
        : [{ buyerKey: ownerKey, channel: channel as Lane['channel'], since: openedAt }],
    ),
  };
}

async function writeAttempts(tx: Tx, results: readonly AttemptResult[]): Promise<void> {
  if (results.length === 0) return;
  const facts = results.map(({ outcome }) => factsOf(outcome));
  await tx.query(finish, [
    results.map((result) => result.attemptId),
    results.map((result) => stateOf(result.judgement)),
    facts.map((fact) => fact.responseCode),
    facts.map((fact) => fact.responseSnippet),
    facts.map((fact) => Math.round(fact.latencyMs)),
    facts.map((fact) => fact.error),
    results.map(({ judgement }) => (judgement.kind === 'retry' ? judgement.dueAt : null)),
  ]);
}

/** Answers how many are tried again because they failed. */
async function putOff(tx: Tx, open: readonly AttemptResult[]): Promise<number> {
  const retried = open.flatMap(({ judgement, ...result }) =>
    judgement.kind === 'retry' ? [{ ...result, ...judgement }] : [],
  );
  if (retried.length > 0) {
    await tx.query(rescheduleJobs, [
      retried.map((retry) => retry.deliveryId),
      retried.map((retry) => retry.channel),
      retried.map((retry) => retry.attemptId),
      retried.map((retry) => retry.dueAt),
      retried.map((retry) => retry.steps),
      retried.map((retry) => retry.uncertain),
    ]);
  }
  const deferred = open.flatMap(({ judgement, ...result }) =>
    judgement.kind === 'deferred' ? [{ ...result, ...judgement }] : [],
  );
  if (deferred.length > 0) {
    await tx.query(deferJobs, [
      deferred.map((job) => job.deliveryId),
      deferred.map((job) => job.channel),
      deferred.map((job) => job.attemptId),
      deferred.map((job) => job.dueAt),
    ]);
  }
  return retried.filter((retry) => retry.purpose === 'sale').length;
}

function endpointResult({ buyerKey, channel, outcome, wasTried }: AttemptResult) {
  if (!wasTried || outcome.kind === 'deferred') return [];
  const error = factsOf(outcome).error ?? `HTTP ${factsOf(outcome).responseCode}`;
  return [{ ownerKind: 'buyer', ownerKey: buyerKey, channel, succeeded: outcome.kind === 'taken', error } as const];
}

const NO_FACTS: AttemptFacts = { responseCode: null, responseSnippet: null, latencyMs: 0, error: null };

function factsOf(outcome: SendOutcome): AttemptFacts {
  return outcome.kind === 'deferred' ? NO_FACTS : outcome;
}

function jobName({ deliveryId, channel }: AttemptResult): string {
  return `${deliveryId} ${channel}`;
}

function stateOf(judgement: Judgement): 'succeeded' | 'failed' | 'exhausted' {
  return judgement.kind === 'delivered' ? 'succeeded' : judgement.kind === 'retry' ? 'failed' : 'exhausted';
}
