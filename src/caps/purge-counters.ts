// Forgets counters of windows that are long over, some at a time (decision 021).
import { textArray, timestamptzArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { purgeCountersSql } from './cap.sql.ts';
import type { CounterKey } from './counter.ts';

/** `keep` are those that something may still be given back to: a counter must not be made anew below 0. Answers how many it forgot. */
export async function purgeCounters(
  tx: Tx,
  { before, keep, atOnce }: { readonly before: Date; readonly keep: readonly CounterKey[]; readonly atOnce: number },
): Promise<number> {
  const [row] = await tx.query(purgeCountersSql, {
    before,
    offerKeys: textArray(keep.map(({ offerKey }) => offerKey)),
    capWindows: textArray(keep.map(({ window }) => window)),
    startTimes: timestamptzArray(keep.map(({ startsAt }) => startsAt)),
    atOnce,
  });
  return row?.purged ?? 0;
}
