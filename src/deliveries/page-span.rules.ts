// Finds the days that a page of deliveries spans from the counts per day, so that no row before its first day is read.
import { strict as assert } from 'node:assert';

import { DAY_MS, startOfUtcDay } from '../base/time.ts';

/** `day` is a UTC day, `YYYY-MM-DD`; `deliveries` is more than 0 and counts only deliveries that match the filter. */
export type DayCount = { readonly day: string; readonly deliveries: number };

/** Whole UTC days that contain the page's rows: from ≤ deliveredAt < until. The page begins after the newest `skip` rows. */
export type PageSpan = { readonly from: Date; readonly until: Date; readonly skip: number };

export function totalOf(days: readonly DayCount[]): number {
  return days.reduce((total, { deliveries }) => total + deliveries, 0);
}

/** `days` newest first; `offset` and `size` in rows. Null for a page past the end. */
export function pageSpan(days: readonly DayCount[], offset: number, size: number): PageSpan | null {
  let before = 0;
  let first: { readonly day: string; readonly skip: number } | null = null;
  let last: string | null = null;
  for (const { day, deliveries } of days) {
    const upTo = before + deliveries;
    if (first === null && upTo > offset) first = { day, skip: offset - before };
    if (first !== null) last = day;
    if (upTo >= offset + size) break;
    before = upTo;
  }
  if (first === null || last === null) return null;
  return { from: startOf(last), until: new Date(startOf(first.day).getTime() + DAY_MS), skip: first.skip };
}

/** Cuts a page's span to the time span of the filter. */
export function within(
  span: PageSpan | null,
  { from, until }: { readonly from: Date | null; readonly until: Date | null },
): PageSpan | null {
  if (span === null) return null;
  return {
    from: from !== null && from > span.from ? from : span.from,
    until: until !== null && until < span.until ? until : span.until,
    skip: span.skip,
  };
}

function startOf(day: string): Date {
  const start = startOfUtcDay(day);
  assert(start !== null, 'a count has an invalid day');
  return start;
}
