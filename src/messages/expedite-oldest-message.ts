// Makes the oldest message that waits for an endpoint due at once, so that a probe has something to send.
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { expediteOldest } from './message.sql.ts';

/** False where none waits, or it is under way. */
export async function expediteOldestMessage(
  tx: Tx,
  { ownerKind, ownerKey, channel }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(expediteOldest, { ownerKind, ownerKey, channel, dueAt: dueAtOnce(now) });
  return rows.length > 0;
}
