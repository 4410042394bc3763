// Leases due send jobs and writes down that an attempt begins, before anything leaves the house (contract 4, retries).
import { newUuid, type Uuid } from '../base/ids.ts';
import type { ReturnPolicy } from '../buyers/buyer.ts';
import type { Tx } from '../platform/database/database.ts';
import { maskTarget } from '../platform/outbound/target.rules.ts';
import type { DeliveryRow } from './delivery-row.ts';
import type { JobState } from './retry.rules.ts';
import { claimJobs, dueBuyers, insertAttempts } from './send.sql.ts';

export type StartedAttempt = {
  readonly attemptId: Uuid;
  readonly buyerKey: string;
  readonly channel: string;
  readonly job: JobState;
  readonly row: DeliveryRow;
  /** Of the buyer, read with the job: what is in force elsewhere in memory may not know a new buyer yet. */
  readonly returnPolicy: ReturnPolicy;
  readonly timeZone: string;
  readonly webhookUrl: string | null;
  /** The endpoint answered 410 and was not put right since. */
  readonly isDisabled: boolean;
  readonly secrets: readonly string[];
};

type ClaimedRow = DeliveryRow &
  JobState & {
    attemptId: Uuid;
    buyerKey: string;
    channel: string;
    returnPolicy: ReturnPolicy;
    timeZone: string;
    webhookUrl: string | null;
    isDisabled: boolean;
    secret: string | null;
    previousSecret: string | null;
  };

/** Buyers with something due now. */
export async function buyersWithDueJobs(tx: Tx, now: Date): Promise<string[]> {
  return (await tx.query<{ buyerKey: string }>(dueBuyers, [now])).map((row) => row.buyerKey);
}

/**
 * At most `places` jobs of each buyer (and 16, whatever they say). They are this caller's until `leaseMs` have passed; if it has not finished them by then
 * (it died), they are due again.
 */
export async function beginAttempts(
  tx: Tx,
  { places, leaseMs }: { places: ReadonlyMap<string, number>; leaseMs: number },
  now: Date,
): Promise<StartedAttempt[]> {
  const total = [...places.values()].reduce((sum, count) => sum + count, 0);
  const rows = await tx.query<ClaimedRow>(claimJobs, [
    [...places.keys()],
    [...places.values()],
    now,
    new Date(now.getTime() + leaseMs),
    Array.from({ length: total }, newUuid),
  ]);
  if (rows.length === 0) return [];
  await tx.query(insertAttempts, [
    rows.map((row) => row.attemptId),
    rows.map((row) => row.deliveryId),
    rows.map((row) => row.buyerKey),
    rows.map((row) => row.channel),
    rows.map((row) => (row.webhookUrl === null ? '' : maskTarget(row.webhookUrl))),
    rows.map((row) => row.attempts),
    now,
  ]);
  return rows.map((row) => ({
    attemptId: row.attemptId,
    buyerKey: row.buyerKey,
    channel: row.channel,
    job: { attempts: row.attempts, steps: row.steps, uncertain: row.uncertain },
    row,
    returnPolicy: row.returnPolicy,
    timeZone: row.timeZone,
    webhookUrl: row.webhookUrl,
    isDisabled: row.isDisabled,
    secrets: [row.secret, row.previousSecret].filter((secret) => secret !== null),
  }));
}
