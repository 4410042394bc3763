// Adds to the partners' feed of events what they are told, in the transaction that makes it true (contract 6.3; decision 015).
import type { Uuid } from '../../base/ids.ts';
import { textArray, uuidArray } from '../../platform/database/binary-array.ts';
import type { Tx } from '../../platform/database/database.ts';
import { appendEvents } from './buyer-event.sql.ts';

export type NewBuyerEvent = {
  readonly buyerKey: string;
  readonly type: 'lead.delivered' | 'return.reviewed' | 'dispute.reviewed';
  /** The delivery, or the claim; a claim's message has the same uuid, so that the event's id is the `webhook-id`. */
  readonly subjectId: Uuid;
};

/**
 * In the order given. Locks the partners' places in the feed, in the order of their keys, until the transaction ends: call it once, as
 * the last thing, so that nobody who holds such a place waits for anything else.
 */
export async function appendBuyerEvents(tx: Tx, events: readonly NewBuyerEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  await tx.query(appendEvents, {
    buyerKeys: textArray(events.map((event) => event.buyerKey)),
    types: textArray(events.map((event) => event.type)),
    subjectIds: uuidArray(events.map((event) => event.subjectId)),
    now,
  });
}
