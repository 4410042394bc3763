// Queues a message again that had failed for good, with its own id and the whole schedule before it (contract 7.2).
import type { Jobs } from '../jobs.ts';
import type { Tx } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { logMoves } from './callback-log.ts';
import { insertAgain } from './message.sql.ts';

export async function queueMessageAgain(tx: Tx, message: Jobs['send-message'], now: Date): Promise<void> {
  const { messageId, ownerKind, ownerKey, channel, type, data, deliveryId, occurredAt } = message;
  await tx.query(insertAgain, [
    ...[messageId, ownerKind, ownerKey, channel, type, data, deliveryId],
    new Date(occurredAt),
    dueAtOnce(now),
  ]);
  await logMoves(tx, [message], { state: 'waiting', error: null });
}
