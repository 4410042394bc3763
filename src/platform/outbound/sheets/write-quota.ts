// Limits the writes per minute of one account, counted in the database over all workers (contract 5.5: Google's 60).
import type { Database, Tx } from '../../database/database.ts';
import { purgeMinutes, takeSlot } from './write-quota.sql.ts';

export type WriteQuota = { readonly account: string; readonly perMinute: number };

const MINUTE_MS = 60_000;

/** Whether one more write is allowed in the minute of `now`; it then counts, made or not. Commits at once, before any network call. */
export async function takeWriteSlot(
  database: Pick<Database, 'query'>,
  { account, perMinute }: WriteQuota,
  now: Date,
): Promise<boolean> {
  const rows = await database.query(takeSlot, { account, minute: minuteOf(now), perMinute });
  return rows.length > 0;
}

export function nextMinute(now: Date): Date {
  return new Date(minuteOf(now).getTime() + MINUTE_MS);
}

/** Deletes the counts of minutes before the minute of `before`. */
export async function purgeWriteQuota(tx: Tx, before: Date): Promise<void> {
  await tx.query(purgeMinutes, { minute: minuteOf(before) });
}

function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
}
