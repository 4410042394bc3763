// Requeues a message that had failed for good, under its own id and with the whole schedule of retries (contract 7.2).
import type { Jobs } from '../jobs.ts';
import type { Tx } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { logMoves } from './callback-log.ts';
import { requeueMessageSql } from './message.sql.ts';

export async function requeueMessage(tx: Tx, message: Jobs['send-message'], now: Date): Promise<void> {
  const { messageId, ownerKind, ownerKey, channel, type, data, deliveryId, occurredAt } = message;
  await tx.query(requeueMessageSql, {
    ...{ messageId, ownerKind, ownerKey, channel, type, data, deliveryId },
    occurredAt: new Date(occurredAt),
    dueAt: dueAtOnce(now),
  });
  await logMoves(tx, [message], { state: 'waiting', error: null });
}
