// How many deliveries a filter lets through on each UTC day, newest first. The counts of whole days answer; where the filter cuts a day,
// as the days of other zones do, rows are read for that part of it, of half a day at most at each end.
import type { Tx } from '../platform/database/database.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import type { EventType } from './delivery-ref.ts';
import { countByDaySql } from './delivery.sql.ts';
import { nearestDays } from './kept-span.rules.ts';
import type { DayCount } from './page-span.rules.ts';

// No delivery is older or newer, and what lies beyond is no day of the database.
const EARLIEST = 0;
const LATEST = Date.UTC(9999, 11, 31);

export async function countByDay(
  tx: Tx,
  buyerKey: string,
  { status, eventType = null, from, until }: DeliveryFilter & { readonly eventType?: EventType | null },
): Promise<DayCount[]> {
  const bound = (at: Date): number => Math.min(LATEST, Math.max(EARLIEST, at.getTime()));
  const { days, parts } = nearestDays({
    from: from === null ? EARLIEST : bound(from),
    until: until === null ? LATEST : bound(until),
  });
  return tx.query(countByDaySql, {
    buyerKey,
    from: days.from,
    until: days.until,
    status,
    eventType,
    startsTimes: parts.map((part) => new Date(part.from)),
    endsTimes: parts.map((part) => new Date(part.until)),
    signs: parts.map((part) => part.sign),
  });
}
