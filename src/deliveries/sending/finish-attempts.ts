// Records the results of attempts and their consequences: confirmed and charged, due again, or failed for good (contract 4.9, 4.10). A
// batch of results shares one transaction; repeating it changes nothing.
import { timeOfId } from '../../base/id-time.ts';
import type { AttemptId, DeliveryId, LeadId } from '../../base/ids.ts';
import type { BreakerPolicy } from '../../endpoints/breaker.rules.ts';
import { type EndedAttempt, lockErased, logEndedAttempts, logLostAttempts } from '../../endpoints/log-attempts.ts';
import { recordResults } from '../../endpoints/record-results.ts';
import { raiseEndpointNotices } from '../../notices/endpoint-notices.ts';
import type { Tx } from '../../platform/database/database.ts';
import { partnerWords } from '../../platform/outbound/partner-words.rules.ts';
import { errorOf, isHealthy, rejectionOf } from '../../platform/outbound/send-outcome.ts';
import { dueAtOnce } from '../../platform/queue/due-at-once.ts';
import { LONG_BROKEN_MS } from './judge-attempt.rules.ts';
import { draftCharges, enterCharges } from '../charge-deliveries.ts';
import { type AcceptedDelivery, confirmDeliveries, failDeliveries } from '../settle-deliveries.ts';
import type { EndpointQueue, SendPurpose } from './endpoint-queue.rules.ts';
import { deferJobs, deleteJobs, heldLeases, insertCopies, rescheduleJobs } from './send.sql.ts';

export type AttemptResult = EndedAttempt &
  EndpointQueue & {
    readonly purpose: SendPurpose;
    /** Whether the result counts for the endpoint's health: a request was made, and no other result of the same call counts already. */
    readonly wasTried: boolean;
  };

/** Counts sales only: the results of copies and replays are in the log of attempts. */
export type FinishReport = {
  readonly confirmed: number;
  readonly confirmedIds: readonly DeliveryId[];
  readonly failed: number;
  readonly retried: number;
  /** Leads that wait for routing again. */
  readonly rerouted: readonly LeadId[];
  /** Whether waiting jobs may be sent now. */
  readonly isMoreDue: boolean;
  /** Endpoint queues whose breaker has been open for too long, and since when. */
  readonly longBroken: readonly (EndpointQueue & { readonly since: Date })[];
};

export async function finishAttempts(
  tx: Tx,
  results: readonly AttemptResult[],
  { breaker, now }: { breaker: BreakerPolicy; now: Date },
): Promise<FinishReport> {
  const rows = await tx.query(heldLeases, {
    deliveryIds: results.map((result) => result.deliveryId),
    channels: results.map((result) => result.channel),
    attemptIds: results.map((result) => result.attemptId),
  });
  const held = new Set(rows.map((row) => row.attemptId));
  // A success counts even if the lease was lost. Only the lease holder may record a failure, and only where no other attempt of this
  // batch succeeded.
  const delivered = results.filter((result) => result.judgement.kind === 'delivered');
  const taken = new Set(delivered.map(jobName));
  const open = results.filter((result) => held.has(result.attemptId) && !taken.has(jobName(result)));
  const failed = open.filter((result) => result.judgement.kind === 'failed');
  const over = [...delivered, ...failed];
  // Everything that does not need the accounts comes first, because other workers wait for these.
  const [retried, , , health] = await Promise.all([
    reschedule(tx, open),
    endJobs(tx, over),
    logResults(tx, results, held),
    recordResults(tx, results.flatMap(endpointResult), breaker, now),
  ]);
  const sold = delivered.filter((result) => result.purpose === 'sale');
  const unsold = failed.filter((result) => result.purpose === 'sale');
  const { confirmed, givenBack } = await confirmDeliveries(tx, sold.map(acceptedOf), now);
  const deliveryIds = confirmed.map(({ deliveryId }) => deliveryId);
  // Drafts may wait for another sale of the same lead: they come before the locks on identities, counters and accounts, which failures take.
  const [copies, charges] = await Promise.all([
    confirmed.length === 0 ? [] : tx.query(insertCopies, { deliveryIds, dueAt: dueAtOnce(now) }),
    draftCharges(tx, confirmed, now),
  ]);
  const rerouted = await failDeliveries(
    tx,
    unsold.map(({ deliveryId, judgement, outcome }) => ({
      deliveryId,
      certain: judgement.kind === 'failed' && judgement.certain,
      rejection: rejectionOf(outcome)?.kind ?? null,
    })),
    now,
    { lockFundsOf: sold.map((result) => result.buyerKey), counters: givenBack },
  );
  await raiseEndpointNotices(tx, health, now);
  await enterCharges(tx, charges, now);
  return {
    confirmed: confirmed.length,
    confirmedIds: deliveryIds,
    failed: unsold.length,
    retried,
    rerouted,
    isMoreDue: copies.length > 0 || health.closed.length > 0,
    longBroken: health.open.flatMap(({ ownerKey, channel, openedAt }) =>
      now.getTime() - openedAt.getTime() < LONG_BROKEN_MS
        ? []
        : [{ buyerKey: ownerKey, channel: channel as EndpointQueue['channel'], since: openedAt }],
    ),
  };
}

function acceptedOf({ deliveryId, outcome }: AttemptResult): AcceptedDelivery {
  const { reference = null, priceCents = null } = outcome.kind === 'taken' ? outcome : {};
  return { deliveryId, reference: reference === null ? null : partnerWords(reference), priceCents };
}

/** Returns the number of failed sales that will be tried again. */
async function reschedule(tx: Tx, open: readonly AttemptResult[]): Promise<number> {
  const retried = open.flatMap(({ judgement, ...result }) =>
    judgement.kind === 'retry' ? [{ ...result, ...judgement }] : [],
  );
  if (retried.length > 0) {
    await tx.query(rescheduleJobs, {
      deliveryIds: retried.map((retry) => retry.deliveryId),
      channels: retried.map((retry) => retry.channel),
      attemptIds: retried.map((retry) => retry.attemptId),
      dueTimes: retried.map((retry) => retry.dueAt),
      steps: retried.map((retry) => retry.steps),
      uncertainCounts: retried.map((retry) => retry.uncertain),
    });
  }
  const deferred = open.flatMap(({ judgement, ...result }) =>
    judgement.kind === 'deferred' ? [{ ...result, ...judgement }] : [],
  );
  if (deferred.length > 0) {
    await tx.query(deferJobs, {
      deliveryIds: deferred.map((job) => job.deliveryId),
      channels: deferred.map((job) => job.channel),
      attemptIds: deferred.map((job) => job.attemptId),
      dueTimes: deferred.map((job) => job.dueAt),
    });
  }
  return retried.filter((retry) => retry.purpose === 'sale').length;
}

/** Attempts of other workers at the same jobs are lost, unless their results are logged as well. */
async function endJobs(tx: Tx, over: readonly AttemptResult[]): Promise<void> {
  if (over.length === 0) return;
  const unfinished = await tx.query(deleteJobs, {
    deliveryIds: over.map((result) => result.deliveryId),
    channels: over.map((result) => result.channel),
    attemptIds: over.map((result) => result.attemptId),
  });
  if (unfinished.length === 0) return;
  const ended = new Map(over.map((result) => [jobName(result), result]));
  const lost = unfinished.flatMap(({ attemptId, number, ...job }) => {
    const result = ended.get(jobName(job));
    return result === undefined ? [] : [{ ...result, attemptId, number, startedAt: timeOfId(attemptId) }];
  });
  logLostAttempts(tx, lost, 'interrupted');
}

/** An attempt that lost its lease may have lost it to the erasure of its lead. */
async function logResults(tx: Tx, results: readonly AttemptResult[], held: ReadonlySet<AttemptId>): Promise<void> {
  const unheld = results.filter(({ attemptId }) => !held.has(attemptId));
  const erased = await lockErased(
    tx,
    unheld.map(({ deliveryId }) => deliveryId),
  );
  logEndedAttempts(tx, results, erased);
}

function endpointResult({ buyerKey, channel, outcome, wasTried }: AttemptResult) {
  if (!wasTried || outcome.kind === 'deferred') return [];
  const succeeded = isHealthy(outcome);
  return [{ ownerKind: 'buyer', ownerKey: buyerKey, channel, succeeded, error: errorOf(outcome) } as const];
}

function jobName({ deliveryId, channel }: Pick<AttemptResult, 'deliveryId' | 'channel'>): string {
  return `${deliveryId} ${channel}`;
}
