// Finds attempts at messages to all partners for the operator, newest or oldest first. Each page scans a bounded range of one index and says where to
// continue, because an index for each filter would slow down every delivery.
import { strict as assert } from 'node:assert';

import { FIRST_ID, firstIdOf, LAST_ID } from '../base/id-time.ts';
import { type AttemptId, type DeliveryId, type Uuid, uuidOf } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  deliveriesAbout,
  type MessageConditions,
  messageScans,
  type MessageSpan,
  type MessageSums,
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

export type MessageQuery = {
  readonly filter: MessageFilter;
  /** The last attempt seen; null for the first page. */
  readonly seen: Uuid | null;
  readonly isOldestFirst: boolean;
  readonly limit: number;
};

/** It may have fewer than `limit` rows although `next` is set. */
export async function pageMessages(
  tx: Tx,
  { filter, seen, isOldestFirst, limit }: MessageQuery,
  scanLimit = SCAN_LIMIT,
): Promise<MessagePage> {
  const { span, conditions } = spanOf(filter, { seen, isOldestFirst, scanLimit });
  const scan = await scanFor(tx, filter, isOldestFirst);
  const rows = await scan.page({ ...span, ...conditions, limit });
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit) return { rows, next: last.attemptId };
  const [end] = await scan.end(span);
  return { rows, next: end?.attemptId ?? null };
}

/** Attempts scanned for sums: some 80 ms. */
const SUMS_SCAN_LIMIT = 20_000;

/** Of the attempts that `pageMessages` lists on all pages, counted up to `limit`. `isAll`: false if there may be more. */
export async function sumMessages(
  tx: Tx,
  { filter, limit }: { readonly filter: MessageFilter; readonly limit: number },
  scanLimit = SUMS_SCAN_LIMIT,
): Promise<MessageSums & { readonly isAll: boolean }> {
  const { span, conditions } = spanOf(filter, { seen: null, isOldestFirst: false, scanLimit });
  const scan = await scanFor(tx, filter, false);
  const [sums] = await scan.sum({ ...span, ...conditions, limit });
  assert(sums !== undefined, 'a sum has always a row');
  if (sums.rows >= limit) return { ...sums, isAll: false };
  return { ...sums, isAll: (await scan.end(span)).length === 0 };
}

type Span = MessageSpan & { readonly scanLimit: number };
type Page = Span & MessageConditions & { readonly limit: number };

function spanOf(
  { buyerKey, about: _about, from, to, ...conditions }: MessageFilter,
  { seen, isOldestFirst, scanLimit }: Pick<MessageQuery, 'seen' | 'isOldestFirst'> & { readonly scanLimit: number },
): { readonly span: Span; readonly conditions: MessageConditions } {
  const toId = to === null ? LAST_ID : firstIdOf(to);
  const fromId = from === null ? FIRST_ID : firstIdOf(from);
  const span = {
    beforeId: !isOldestFirst && seen !== null && seen < toId ? seen : toId,
    afterId: isOldestFirst && seen !== null && seen > fromId ? seen : fromId,
    scanLimit,
  };
  return { span, conditions: { ...conditions, buyer: buyerKey } };
}

/** Through the index that leaves the fewest attempts to scan. */
async function scanFor(tx: Tx, { about, buyerKey, outcome }: MessageFilter, isOldestFirst: boolean) {
  const order = isOldestFirst ? 'oldest' : 'newest';
  const { any, ofBuyer, notTaken, ofDeliveries } = messageScans;
  if (about !== null) {
    const deliveryIds = await deliveriesNamed(tx, about);
    return {
      page: (page: Page) => tx.query(ofDeliveries[order].page, { ...page, deliveryIds }),
      sum: (page: Page) => tx.query(ofDeliveries.sum, { ...page, deliveryIds }),
      end: (span: Span) => tx.query(ofDeliveries[order].end, { ...span, deliveryIds }),
    };
  }
  if (buyerKey !== null && !isNotTaken(outcome)) {
    return {
      page: (page: Page) => tx.query(ofBuyer[order].page, { ...page, buyerKey }),
      sum: (page: Page) => tx.query(ofBuyer.sum, { ...page, buyerKey }),
      end: (span: Span) => tx.query(ofBuyer[order].end, { ...span, buyerKey }),
    };
  }
  const scan = isNotTaken(outcome) ? notTaken : any;
  return {
    page: (page: Page) => tx.query(scan[order].page, page),
    sum: (page: Page) => tx.query(scan.sum, page),
    end: (span: Span) => tx.query(scan[order].end, span),
  };
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
