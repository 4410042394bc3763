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
import { logStateChanges } from './callback-log.ts';
import type { EndpointKey } from '../endpoints/breaker.rules.ts';
import { moveToDeadLetters, rewriteDeadJobs } from '../platform/queue/dead-jobs.ts';
import { textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { NewMessage } from './message.ts';

/** Call it in the transaction that makes the messages true. */
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

/** Requeues a message that had failed for good, under its own id and with the whole schedule of retries (contract 7.2). */
export async function requeueMessage(tx: Tx, message: Jobs['send-message'], now: Date): Promise<void> {
  const { messageId, ownerKind, ownerKey, channel, type, data, deliveryId, occurredAt } = message;
  await tx.query(requeueMessageSql, {
    ...{ messageId, ownerKind, ownerKey, channel, type, data, deliveryId },
    occurredAt: new Date(occurredAt),
    dueAt: dueAtOnce(now),
  });
  await logStateChanges(tx, [message], { state: 'waiting', error: null });
}

/** Makes the oldest waiting message due at once, so that a probe has something to send. False if none waits, or it is being sent. */
export async function expediteOldestMessage(
  tx: Tx,
  { ownerKind, ownerKey, channel }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(expediteOldest, { ownerKind, ownerKey, channel, dueAt: dueAtOnce(now) });
  return rows.length > 0;
}

/** How long a message may be overdue, in days. The schedule of retries takes 18 h, but messages behind an open breaker use up no steps. */
export const OVERDUE_DAYS = 3;

const AT_ONCE = 500;

const OVERDUE = 'The endpoint has been unavailable for days.';

/**
 * Moves messages whose endpoint has been unavailable for days to the dead letters, from which the operator can requeue them. Returns how
 * many, at most 500: call it until it returns 0.
 */
export async function expireOverdueMessages(tx: Tx, dueBefore: Date, now: Date): Promise<number> {
  const rows = await tx.query(takeOverdue, { dueBefore, limit: AT_ONCE });
  for (const { occurredAt, attempts, ...message } of rows) {
    const payload = { ...message, occurredAt: occurredAt.toISOString() };
    const job = { jobId: message.messageId, name: 'send-message', payload, attempts, error: OVERDUE } as const;
    await moveToDeadLetters(tx, job, now);
  }
  await logStateChanges(tx, rows, { state: 'failed', error: OVERDUE });
  return rows.length;
}

export type MessagesAbout = {
  readonly deliveryIds: readonly DeliveryId[];
  /** TypeIDs of leads, for messages to suppliers. */
  readonly leads: readonly string[];
  /** Returns the new `data` of a message. */
  readonly change: (data: Readonly<Record<string, unknown>>) => object;
};

/**
 * Changes queued messages and dead letters about leads that are being erased (decision 021). Call it before attempts are locked, because
 * finishing a message locks the message first and then its attempt.
 */
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
