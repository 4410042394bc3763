// The queue of messages to suppliers and partners besides leads: adds messages, and requeues, expedites, expires or rewrites queued ones
// (contract 5.1, 5.8).
import { type DeliveryId, newUuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import {
  insertMessages,
  requeueMessageSql,
  expediteOldest,
  takeOverdue,
  lockMessagesAbout,
  rewriteMessagesSql,
} from './message.sql.ts';
import type { Jobs } from '../jobs.ts';
import { logMoves } from './callback-log.ts';
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import { moveToDeadLetters, rewriteDeadJobs } from '../platform/queue/dead-jobs.ts';
import { textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { NewMessage } from './message.ts';

export async function queueMessages(tx: Tx, messages: readonly NewMessage[], now: Date): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(insertMessages, {
    messageIds: messages.map((message) => message.messageId ?? newUuid()),
    ownerKinds: messages.map((message) => message.ownerKind),
    ownerKeys: messages.map((message) => message.ownerKey),
    channels: messages.map((message) => message.channel),
    types: messages.map((message) => message.type),
    data: messages.map((message) => JSON.stringify(message.data)),
    deliveryIds: messages.map((message) => message.deliveryId),
    leadIds: messages.map((message) => message.leadId ?? null),
    now,
    dueAt: dueAtOnce(now),
  });
}

export async function requeueMessage(tx: Tx, message: Jobs['send-message'], now: Date): Promise<void> {
  const { messageId, ownerKind, ownerKey, channel, type, data, deliveryId, occurredAt } = message;
  await tx.query(requeueMessageSql, {
    ...{ messageId, ownerKind, ownerKey, channel, type, data, deliveryId },
    occurredAt: new Date(occurredAt),
    dueAt: dueAtOnce(now),
  });
  await logMoves(tx, [message], { state: 'waiting', error: null });
}

/** False where none waits, or it is under way. */
export async function expediteOldestMessage(
  tx: Tx,
  { ownerKind, ownerKey, channel }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(expediteOldest, { ownerKind, ownerKey, channel, dueAt: dueAtOnce(now) });
  return rows.length > 0;
}

/** How long a message may have been due, in days. The schedule of retries takes 18 h; behind a breaker nothing uses it up. */
export const OVERDUE_DAYS = 3;

const AT_ONCE = 500;

const OVERDUE = 'Its endpoint has been away for days.';

/** Returns how many it was, at most 500: call it until it returns 0. */
export async function expireOverdueMessages(tx: Tx, dueBefore: Date, now: Date): Promise<number> {
  const rows = await tx.query(takeOverdue, { dueBefore, limit: AT_ONCE });
  for (const { occurredAt, attempts, ...message } of rows) {
    const payload = { ...message, occurredAt: occurredAt.toISOString() };
    const job = { jobId: message.messageId, name: 'send-message', payload, attempts, error: OVERDUE } as const;
    await moveToDeadLetters(tx, job, now);
  }
  await logMoves(tx, rows, { state: 'failed', error: OVERDUE });
  return rows.length;
}

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
