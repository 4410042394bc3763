// At most so many writes a minute for one account, counted over all workers in the database (contract 5.5: Google's 60).
import type { Database, Tx } from '../../database/database.ts';
import { purgeMinutes, takeSlot } from './write-quota.sql.ts';

export type WriteQuota = { readonly account: string; readonly perMinute: number };

const MINUTE_MS = 60_000;

/** True if one more write may be made in the minute of `now`, which then counts, made or not. A transaction of its own: it must not wait for a call. */
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

/** Minutes before that of `before` are counted no more. */
export async function purgeWriteQuota(tx: Tx, before: Date): Promise<void> {
  await tx.query(purgeMinutes, { minute: minuteOf(before) });
}

function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
}
