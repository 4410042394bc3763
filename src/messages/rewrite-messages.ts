// Changes queued messages and dead letters about leads that are being erased (decision 021).
import type { DeliveryId } from '../base/ids.ts';
import { textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { rewriteDeadJobs } from '../platform/queue/dead-jobs.ts';
import { lockMessagesAbout, rewriteMessagesSql } from './message.sql.ts';

export type MessagesAbout = {
  readonly deliveryIds: readonly DeliveryId[];
  /** TypeIDs of leads, for messages to suppliers. */
  readonly leads: readonly string[];
  /** The `data` of a message, and what it becomes. */
  readonly change: (data: Readonly<Record<string, unknown>>) => object;
};

/** To be called before attempts are locked: finishing a message locks it first and its attempt then. */
export async function rewriteMessages(tx: Tx, { deliveryIds, leads, change }: MessagesAbout): Promise<void> {
  const changed = (data: string): string => JSON.stringify(change(JSON.parse(data) as Record<string, unknown>));
  const messages = await tx.query(lockMessagesAbout, { deliveryIds, leadTypeIds: leads });
  if (messages.length > 0) {
    await tx.query(rewriteMessagesSql, {
      messageIds: uuidArray(messages.map(({ messageId }) => messageId)),
      data: textArray(messages.map(({ data }) => changed(data))),
    });
  }
  await rewriteDeadJobs(tx, 'send-message', (payload) => {
    const isAbout =
      (payload.deliveryId !== null && deliveryIds.includes(payload.deliveryId)) ||
      (payload.ownerKind === 'supplier' && leads.some((lead) => payload.data.includes(lead)));
    return isAbout ? { ...payload, data: changed(payload.data) } : null;
  });
}
