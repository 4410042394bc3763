// The partners' feeds of events: appends to them, lists a page of one, and deletes old events (contract 6.3; decision 015).
import type { Uuid } from '../../base/ids.ts';
import { textArray, uuidArray } from '../../platform/database/binary-array.ts';
import type { Tx } from '../../platform/database/database.ts';
import {
  appendEvents,
  type BuyerEventRow,
  type JoinedEventRow,
  selectEvents,
  selectHead,
  purgeEvents,
} from './buyer-event.sql.ts';
import { type Outcome, done, refuse } from '../../base/outcome.ts';
import type { SoldRow } from '../delivery.ts';

export type NewBuyerEvent = {
  readonly buyerKey: string;
  readonly type: 'lead.delivered' | 'return.reviewed' | 'dispute.reviewed';
  /** The delivery, or the claim. A claim's message has the same UUID, so that the event's id equals the `webhook-id`. */
  readonly subjectId: Uuid;
};

/**
 * Appends in the given order. Locks the heads of the partners' feeds, in the order of their keys, until the transaction ends: call it once
 * and last, so that no transaction waits for another lock while it holds these. Sent without waiting: it travels with the COMMIT.
 */
export function appendBuyerEvents(tx: Tx, events: readonly NewBuyerEvent[], now: Date): void {
  if (events.length === 0) return;
  void tx.query(appendEvents, {
    buyerKeys: textArray(events.map((event) => event.buyerKey)),
    types: textArray(events.map((event) => event.type)),
    subjectIds: uuidArray(events.map((event) => event.subjectId)),
    now,
  });
}

export type EventPage = {
  readonly events: readonly BuyerEventRow[];
  /** The number after which the next page starts; for an empty page the last number so far. */
  readonly next: number;
  readonly hasMore: boolean;
};

export type EventQuery = {
  /** Null starts with the oldest stored event. */
  readonly after: number | null;
  readonly limit: number;
};

/**
 * `tx` must be a snapshot: numbers have no gaps, so a missing number means deleted events (`cursor_expired`). `cursor_unknown`: the number
 * is higher than any so far.
 */
export async function listBuyerEvents(
  tx: Tx,
  buyerKey: string,
  { after, limit }: EventQuery,
): Promise<Outcome<EventPage, 'cursor_expired' | 'cursor_unknown'>> {
  const rows = await tx.query(selectEvents, { buyerKey, after: after ?? 0, limit: limit + 1 });
  const [first] = rows;
  if (first === undefined) {
    const [head] = await tx.query(selectHead, { buyerKey });
    const last = head?.lastNumber ?? 0;
    if (after !== null && after > last) return refuse('cursor_unknown');
    if (after !== null && after < last) return refuse('cursor_expired');
    return done({ events: [], next: last, hasMore: false });
  }
  if (after !== null && first.number !== after + 1) return refuse('cursor_expired');
  const events = rows.slice(0, limit).map(eventOfRow);
  return done({ events, next: events.at(-1)?.number ?? first.number, hasMore: rows.length > limit });
}

function eventOfRow({ number, type, subjectId, at, ...row }: JoinedEventRow): BuyerEventRow {
  return { number, type, subjectId, at, delivery: row.deliveryId === null ? null : (row as SoldRow) };
}

/** How long events are kept, in days. */
export const EVENTS_KEPT_DAYS = 30;

/** A transaction of some tens of milliseconds. */
const AT_ONCE = 10_000;

/** Deletes at most 10,000 events from before `before`, and returns how many: call it until it returns 0. */
export async function purgeBuyerEvents(tx: Tx, before: Date, atOnce = AT_ONCE): Promise<number> {
  const [row] = await tx.query(purgeEvents, { before, atOnce });
  return row?.purged ?? 0;
}
