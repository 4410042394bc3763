// Writes down how attempts ended and what follows: confirmed and charged, due again, or failed for good (contract 4). A batch of
// results shares one transaction; whatever is repeated changes nothing.
import type { Uuid } from '../base/ids.ts';
import { disableEndpoints } from '../buyers/set-endpoint.ts';
import type { Tx } from '../platform/database/database.ts';
import type { HttpOutcome } from '../platform/outbound/http-outcome.ts';
import { confirmDeliveries } from './confirm-deliveries.ts';
import { failDeliveries } from './fail-deliveries.ts';
import type { Judgement } from './retry.rules.ts';
import { deleteJobs, finishAttempts as finish, heldLeases, rescheduleJobs } from './send.sql.ts';

export type AttemptResult = {
  readonly attemptId: Uuid;
  readonly deliveryId: Uuid;
  readonly buyerKey: string;
  readonly outcome: HttpOutcome;
  readonly judgement: Judgement;
};

export type FinishReport = {
  readonly confirmed: number;
  readonly failed: number;
  readonly retried: number;
  /** Leads that wait for routing again. */
  readonly rerouted: readonly Uuid[];
  /** Buyers whose endpoint said that it is gone and that get no leads until it is put right. */
  readonly disabledEndpoints: readonly string[];
};

export async function finishAttempts(tx: Tx, results: readonly AttemptResult[], now: Date): Promise<FinishReport> {
  const held = new Set(
    (await tx.query<{ attemptId: Uuid }>(heldLeases, [results.map((result) => result.attemptId)])).map(
      (row) => row.attemptId,
    ),
  );
  // That the buyer took it is true whoever holds the lease by now; what follows from a failure is for the holder to say.
  const delivered = results.filter((result) => result.judgement.kind === 'delivered');
  const failed = results.filter((result) => result.judgement.kind === 'failed' && held.has(result.attemptId));
  const retried = results.flatMap((result) =>
    result.judgement.kind === 'retry' && held.has(result.attemptId)
      ? [{ attemptId: result.attemptId, ...result.judgement }]
      : [],
  );
  await tx.query(finish, [
    results.map((result) => result.attemptId),
    results.map((result) => stateOf(result.judgement)),
    results.map(({ outcome }) => (outcome.kind === 'response' ? outcome.status : null)),
    results.map(({ outcome }) => (outcome.kind === 'response' ? outcome.snippet : null)),
    results.map(({ outcome }) => Math.round(outcome.latencyMs)),
    results.map(({ outcome }) => (outcome.kind === 'error' ? outcome.message : null)),
    results.map(({ judgement }) => (judgement.kind === 'retry' ? judgement.dueAt : null)),
  ]);
  await tx.query(rescheduleJobs, [
    retried.map((retry) => retry.attemptId),
    retried.map((retry) => retry.dueAt),
    retried.map((retry) => retry.steps),
    retried.map((retry) => retry.uncertain),
  ]);
  await tx.query(deleteJobs, [[...delivered, ...failed].map((result) => result.deliveryId)]);
  // Failures first: they lock people and counters, which everybody locks before accounts.
  const rerouted = await failDeliveries(
    tx,
    failed.map(({ deliveryId, judgement }) => ({
      deliveryId,
      certain: judgement.kind === 'failed' && judgement.certain,
    })),
    now,
    delivered.map((result) => result.buyerKey),
  );
  const confirmed = await confirmDeliveries(
    tx,
    delivered.map((result) => result.deliveryId),
    now,
  );
  const gone = results.filter(({ judgement }) => judgement.kind === 'failed' && judgement.endpointGone);
  const disabledEndpoints = await disableEndpoints(tx, [...new Set(gone.map((result) => result.buyerKey))], now);
  return { confirmed, failed: failed.length, retried: retried.length, rerouted, disabledEndpoints };
}

function stateOf(judgement: Judgement): 'succeeded' | 'failed' | 'exhausted' {
  return judgement.kind === 'delivered' ? 'succeeded' : judgement.kind === 'retry' ? 'failed' : 'exhausted';
}
