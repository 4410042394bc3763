// A page of a partner's feed of events, from a place in it on (contract 6.3).
import { type Outcome, done, refuse } from '../../base/outcome.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { SoldRow } from '../delivery-row.ts';
import { type BuyerEventRow, type JoinedEventRow, selectEvents, selectHead } from './buyer-event.sql.ts';

export type EventPage = {
  readonly events: readonly BuyerEventRow[];
  /** The number to go on after; where there was nothing, the one that was asked for, or the last one so far. */
  readonly next: number;
  readonly hasMore: boolean;
};

export type EventQuery = {
  /** Null begins with the oldest event that is kept. */
  readonly after: number | null;
  readonly limit: number;
};

/**
 * `tx` must be a snapshot: numbers have no gaps, so that by one look it is known whether something is missing. `cursor_unknown` is a
 * place that the feed has not come to.
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
