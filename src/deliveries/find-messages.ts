// Finds attempts at messages to all partners for the operator, newest first. Each page scans a bounded range of one index and says where to
// continue, because an index for each filter would slow down every delivery.
import { FIRST_ID, firstIdOf, LAST_ID } from '../base/id-time.ts';
import { type AttemptId, type DeliveryId, type Uuid, uuidOf } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  deliveriesAbout,
  type MessageConditions,
  messageScans,
  type MessageSpan,
  readMessage,
} from './message-log.sql.ts';
import { isNotTaken, type MessageDetail, type MessageRow } from './message-outcome.rules.ts';

export type MessageFilter = Omit<MessageConditions, 'buyer'> & {
  readonly buyerKey: string | null;
  /** A delivery's id or reference, or a lead's id; null for all. */
  readonly about: string | null;
  /** from ≤ begun < to. */
  readonly from: Date | null;
  readonly to: Date | null;
};

export type MessagePage = {
  readonly rows: readonly MessageRow[];
  /** The attempt after which to continue; null at the end. */
  readonly next: AttemptId | null;
};

/** Attempts scanned per page: some 20 ms. */
const SCAN_LIMIT = 5_000;

/** It may have fewer than `limit` rows although `next` is set. `before`: the last attempt seen, or null for the newest. */
export async function pageMessages(
  tx: Tx,
  { filter, before, limit }: { readonly filter: MessageFilter; readonly before: Uuid | null; readonly limit: number },
  scanLimit = SCAN_LIMIT,
): Promise<MessagePage> {
  const { buyerKey, about: _about, from, to, ...conditions } = filter;
  const toId = to === null ? LAST_ID : firstIdOf(to);
  const span = {
    beforeId: before !== null && before < toId ? before : toId,
    fromId: from === null ? FIRST_ID : firstIdOf(from),
    scanLimit,
  };
  const page = { ...span, ...conditions, buyer: buyerKey, limit };
  const { rows, findEnd } = await scan(tx, { filter, page, span });
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit) return { rows, next: last.attemptId };
  const [end] = await findEnd();
  return { rows, next: end?.attemptId ?? null };
}

type Span = MessageSpan & { readonly scanLimit: number };
type Scan = {
  readonly filter: Pick<MessageFilter, 'about' | 'buyerKey' | 'outcome'>;
  readonly span: Span;
  readonly page: Span & MessageConditions & { readonly limit: number };
};

/** Through the index that leaves the fewest attempts to scan. */
async function scan(tx: Tx, { filter: { about, buyerKey, outcome }, page, span }: Scan) {
  const { any, ofBuyer, notTaken, ofDeliveries } = messageScans;
  if (about !== null) {
    const deliveryIds = await deliveriesNamed(tx, about);
    return {
      rows: await tx.query(ofDeliveries.page, { ...page, deliveryIds }),
      findEnd: () => tx.query(ofDeliveries.end, { ...span, deliveryIds }),
    };
  }
  if (isNotTaken(outcome)) {
    return { rows: await tx.query(notTaken.page, page), findEnd: () => tx.query(notTaken.end, span) };
  }
  if (buyerKey !== null) {
    return {
      rows: await tx.query(ofBuyer.page, { ...page, buyerKey }),
      findEnd: () => tx.query(ofBuyer.end, { ...span, buyerKey }),
    };
  }
  return { rows: await tx.query(any.page, page), findEnd: () => tx.query(any.end, span) };
}

/** The letters of a reference say only the kind of delivery: its number is unique. At most 15 digits, which are exact. */
const REFERENCE = /^(?:LS|CA)-(\d{1,15})$/i;

/** Of a text that names nothing: none. */
async function deliveriesNamed(tx: Tx, about: string): Promise<DeliveryId[]> {
  const number = REFERENCE.exec(about)?.[1];
  const named = {
    deliveryId: uuidOf('delivery', about),
    leadId: uuidOf('lead', about),
    refNumber: number === undefined ? null : Number(number),
  };
  return (await tx.query(deliveriesAbout, named)).map(({ deliveryId }) => deliveryId);
}

/** Null if there is no such attempt, or if it is too old to be kept. */
export async function findMessage(tx: Tx, attemptId: AttemptId): Promise<MessageDetail | null> {
  return (await tx.query(readMessage, { attemptId }))[0] ?? null;
}
