// Writes down how attempts ended and what follows: confirmed and charged, due again, or failed for good (contract 4). A batch of
// results shares one transaction; whatever is repeated changes nothing.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { HttpOutcome } from '../platform/outbound/http-outcome.ts';
import { confirmDeliveries } from './confirm-deliveries.ts';
import { failDeliveries } from './fail-deliveries.ts';
import type { Judgement } from './retry.rules.ts';
import { deleteJobs, finishAttempts as finish, heldLeases, rescheduleJobs } from './send.sql.ts';

export type AttemptResult = {
  readonly attemptId: Uuid;
  readonly deliveryId: Uuid;
  readonly channel: string;
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
};

export async function finishAttempts(tx: Tx, results: readonly AttemptResult[], now: Date): Promise<FinishReport> {
  const rows = await tx.query<{ attemptId: Uuid }>(heldLeases, [
    results.map((result) => result.deliveryId),
    results.map((result) => result.channel),
    results.map((result) => result.attemptId),
  ]);
  const held = new Set(rows.map((row) => row.attemptId));
  // That the buyer took it is true whoever holds the lease by now; what follows from a failure is for the holder to say, unless
  // another attempt turns out to have succeeded.
  const delivered = results.filter((result) => result.judgement.kind === 'delivered');
  const taken = new Set(delivered.map((result) => result.deliveryId));
  const open = results.filter((result) => held.has(result.attemptId) && !taken.has(result.deliveryId));
  const failed = open.filter((result) => result.judgement.kind === 'failed');
  const retried = open.flatMap(({ judgement, ...result }) =>
    judgement.kind === 'retry' ? [{ ...result, ...judgement }] : [],
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
  return { confirmed, failed: failed.length, retried: retried.length, rerouted };
}

function stateOf(judgement: Judgement): 'succeeded' | 'failed' | 'exhausted' {
  return judgement.kind === 'delivered' ? 'succeeded' : judgement.kind === 'retry' ? 'failed' : 'exhausted';
}
