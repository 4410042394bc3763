// Invoice months in the time zone of the partner (contract 6.19).
import { Temporal } from '../base/temporal.ts';
import type { Span } from '../base/time.ts';

/** A month such as `2026-10`, from 2000 to 2999; null for other text. */
export function parseMonth(text: string): string | null {
  return /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(text) ? text : null;
}

/** From the start of the month to the start of the next, in the IANA time zone. */
export function monthSpan(month: string, timeZone: string): Span {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return { from: startOf(first, timeZone), until: startOf(first.add({ months: 1 }), timeZone) };
}

/** The starts of the days of the month, in order. */
export function dayStarts(month: string, timeZone: string): Date[] {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return Array.from({ length: first.daysInMonth }, (_item, index) => {
    return new Date(startOf(first.add({ days: index }), timeZone));
  });
}

/**
 * The times of the charges for the invoice of `month`: that month, and earlier months that already have an invoice, for late charges. In
 * order, without empty or adjacent spans.
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

/** A message if the month is not over for all partners, else null. */
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

// Not always midnight, because some clock changes skip it.
function startOf(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime({ timeZone }).epochMilliseconds;
}
