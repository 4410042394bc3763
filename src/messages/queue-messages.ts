// Queues messages to suppliers and partners besides leads, in the transaction that makes them true (contract 5.1, 5.8).
import { newUuid, type Uuid, type DeliveryId, type LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import { insertMessages } from './message.sql.ts';

export type MessageType =
  | 'lead.processing_error'
  | 'lead.routed'
  | 'lead.rejected'
  | 'lead.returned'
  | 'return.reviewed'
  | 'dispute.reviewed'
  | 'endpoint.disabled';

export type NewMessage = {
  /** `webhook-id` is its TypeID. Left out, a new one; given where it is also named elsewhere. */
  readonly messageId?: Uuid;
  readonly ownerKind: 'supplier' | 'buyer';
  readonly ownerKey: string;
  /** To a supplier's callback or a partner's webhook, or by e-mail to the partner's address. */
  readonly channel: 'webhook' | 'email';
  readonly type: MessageType;
  /** The `data` of the message, as it is sent. */
  readonly data: object;
  /** What it is about, if anything: its attempts then stand in that delivery's log. */
  readonly deliveryId: DeliveryId | null;
  /** The lead that a message to a supplier is about: the result of the message can then be read with it. */
  readonly leadId?: LeadId;
};

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
