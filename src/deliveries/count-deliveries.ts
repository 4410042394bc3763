// Counts a partner's deliveries by day and by span of time, from stored counts of whole UTC days and the rows of the parts of days at both
// ends; also the suppliers' return rates (contract 3.5, 6.2, 6.7).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import type { EventType } from './delivery.ts';
import {
  countByDaySql,
  countKeptSql,
  keptBoundsSql,
  lastConfirmationSql,
  returnRatesSql,
  foldDeliveryCountsSql,
  foldQualityCounts,
} from './delivery-count.sql.ts';
import { nearestDays, daysAround } from './split-days.rules.ts';
import type { DayCount } from './page-span.rules.ts';
import { type Span, DAY_MS, utcDay } from '../base/time.ts';

// No delivery is older or newer, and the database has no days beyond these.
const EARLIEST = 0;

const LATEST = Date.UTC(9999, 11, 31);

/**
 * Matching deliveries per UTC day, newest first. Stored counts give whole days; where the filter cuts a day, as days of other time zones
 * do, the rows of that part are counted: at most half a day at each end.
 */
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

export type KeptQuery = { readonly eventType: EventType; readonly span: Span };

/** Lower and upper bounds of `countKept`, from stored counts alone. */
export async function keptBounds(
  tx: Tx,
  buyerKey: string,
  { eventType, span }: KeptQuery,
): Promise<{ readonly atLeast: number; readonly atMost: number }> {
  const { inner, outer } = daysAround(span);
  const [row] = await tx.query(keptBoundsSql, {
    buyerKey,
    eventType,
    fromDay: outer.from,
    untilDay: outer.until,
    innerFrom: inner.from,
    innerUntil: inner.until,
  });
  assert(row !== undefined, 'a sum has always a row');
  return row;
}

/**
 * The exact number of a buyer's deliveries of one kind in a time span that were confirmed, including returned ones: the base of caps on
 * returns (contract 6.7).
 */
export async function countKept(tx: Tx, buyerKey: string, { eventType, span }: KeptQuery): Promise<number> {
  const { days, parts } = nearestDays(span);
  const [row] = await tx.query(countKeptSql, {
    buyerKey,
    eventType,
    fromDay: days.from,
    untilDay: days.until,
    starts: parts.map((part) => new Date(part.from)),
    ends: parts.map((part) => new Date(part.until)),
    signs: parts.map((part) => part.sign),
  });
  assert(row !== undefined, 'a sum has always a row');
  return row.kept;
}

/**
 * When the last Confirmed delivery of the span was confirmed, which may be long after the span, by a retry or a redelivery (contract 6.7).
 * Null if there is none. Reads all of the buyer's deliveries of the span.
 */
export async function lastConfirmation(tx: Tx, buyerKey: string, { from, until }: Span): Promise<Date | null> {
  const [row] = await tx.query(lastConfirmationSql, {
    buyerKey,
    deliveredFrom: new Date(from),
    deliveredBefore: new Date(until),
  });
  return row?.at ?? null;
}

const DAYS = 30;

/**
 * Each supplier's share of confirmed deliveries that were returned, 0 to 1, over the last 30 days (contract 3.5). By supplier key; suppliers
 * without deliveries are missing.
 */
export async function returnRates(tx: Tx, now: Date): Promise<ReadonlyMap<string, number>> {
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const rows = await tx.query(returnRatesSql, { since });
  return new Map(
    rows.filter((row) => row.confirmed > 0).map((row) => [row.supplierKey, Math.min(1, row.returned / row.confirmed)]),
  );
}

/** Pairs of buyer (or supplier) and day per call: a short transaction each. */
const DAYS_PER_CALL = 200;

/** Merges appended counts, so that sums stay quick to read. Starts at the UTC day of `since`: most changes concern the last two days. */
export async function foldDeliveryCounts(tx: Tx, since: Date): Promise<void> {
  await tx.query(foldDeliveryCountsSql, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
  await tx.query(foldQualityCounts, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
}
