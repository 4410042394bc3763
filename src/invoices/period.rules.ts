// Months as invoices count them: by the calendar of the partner's own zone (contract 6.19).
import { Temporal } from '../base/temporal.ts';
import type { Span } from '../base/time.ts';

/** `2026-10` of a real month from 2000 to 2999; null for anything else. */
export function parseMonth(text: string): string | null {
  return /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(text) ? text : null;
}

/** From the first instant of the month to the first of the next, in the IANA zone. */
export function monthSpan(month: string, timeZone: string): Span {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return { from: startOf(first, timeZone), until: startOf(first.add({ months: 1 }), timeZone) };
}

/** The first instants of the month's days, in order. */
export function dayStarts(month: string, timeZone: string): Date[] {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return Array.from({ length: first.daysInMonth }, (_item, index) => {
    return new Date(startOf(first.add({ days: index }), timeZone));
  });
}

/**
 * When the charges happened that an invoice of `month` takes up: in that month, and in earlier months that have an invoice already,
 * which missed them. In order, none empty, none touching the next.
 */
export function billableSpans(month: string, invoicedMonths: readonly string[], timeZone: string): Span[] {
  const months = [...new Set([...invoicedMonths.filter((earlier) => earlier < month), month])].toSorted();
  const spans: Span[] = [];
  for (const one of months) {
    const { from, until } = monthSpan(one, timeZone);
    const last = spans.at(-1);
    if (last?.until === from) spans[spans.length - 1] = { from: last.from, until };
    else spans.push({ from, until });
  }
  return spans;
}

/** For whom a month is not over yet, in a sentence; null where it is over for all of them. */
export function notOver(
  month: string,
  partners: ReadonlyArray<{ readonly buyerKey: string; readonly timeZone: string }>,
  now: Date,
): string | null {
  const early = partners
    .map(({ buyerKey, timeZone }) => ({ buyerKey, timeZone, until: monthSpan(month, timeZone).until }))
    .filter(({ until }) => until > now.getTime());
  const [last] = early.toSorted((one, other) => other.until - one.until);
  if (last === undefined) return null;
  const others = early.length === 1 ? '' : ` (and for ${early.length - 1} more)`;
  const { buyerKey, timeZone, until } = last;
  return `${month} is not over for ${buyerKey} in ${timeZone}${others}: it ends at ${new Date(until).toISOString()}.`;
}

// Not midnight where clocks skip it.
function startOf(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime({ timeZone }).epochMilliseconds;
}
