// Forgets what became of old messages to suppliers, some at a time (decision 021).
import { firstIdOf } from '../base/id-time.ts';
import type { Tx } from '../platform/database/database.ts';
import { forgetCallbacks as forget } from './callback-log.sql.ts';

/** Of the oldest leads that came before then; how many they were. */
export async function forgetCallbacks(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query<{ forgotten: number }>(forget, [firstIdOf(before), atOnce]);
  return row?.forgotten ?? 0;
}
