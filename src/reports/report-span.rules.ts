// The days of a report and of the span before it, in its time zone (contract 12.1).
import { Temporal } from '../base/temporal.ts';
import { localDate, type Span, startOfUtcDay } from '../base/time.ts';
import { canonicalTimeZone, timeZoneFault } from '../base/time-zone.rules.ts';
import { REPORT_DAYS_MAX, type ReportSpanName } from './report.schema.ts';

/** First and last day, `YYYY-MM-DD`, and the time between the start of the first and the end of the last. */
export type ReportSpan = Span & { readonly firstDay: string; readonly lastDay: string };

export type ReportSpans = {
  readonly timeZone: string;
  readonly span: ReportSpan;
  /** As many days directly before; null if nothing is to be compared. */
  readonly before: ReportSpan | null;
};

/** Four weeks and some days, as in the other statistics. */
const DAYS_DEFAULT = 30;

type Asked = {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly span?: ReportSpanName | undefined;
  readonly timeZone: string;
  readonly compare?: 'previous' | undefined;
};

/** What is wrong with a question: the parameter, and a text for the one who asked. */
export type ReportFault = { readonly field: string; readonly fault: string };

export function spansOf({ span: named, compare, ...given }: Asked, now: Date): ReportSpans | ReportFault {
  const timeZone = canonicalTimeZone(given.timeZone);
  if (timeZone === null) return { field: 'timeZone', fault: `The time zone ${timeZoneFault(given.timeZone)}.` };
  if (named !== undefined && (given.from ?? given.until) !== undefined) {
    return { field: 'span', fault: 'Give either a span or days.' };
  }
  const { from, until } =
    named === undefined ? given : daysOfSpan(named, Temporal.PlainDate.from(localDate(now, timeZone)));
  for (const [field, text] of Object.entries({ from, until })) {
    if (text !== undefined && startOfUtcDay(text) === null) {
      return { field, fault: `${text} is not a day, such as 2026-11-20.` };
    }
  }
  const last = Temporal.PlainDate.from(until ?? localDate(now, timeZone));
  const first = from === undefined ? last.subtract({ days: DAYS_DEFAULT - 1 }) : Temporal.PlainDate.from(from);
  const days = first.until(last).days + 1;
  if (days < 1) return { field: 'from', fault: 'The first day must not be after the last.' };
  if (days > REPORT_DAYS_MAX) return { field: 'from', fault: `A report covers at most ${REPORT_DAYS_MAX} days.` };
  const span = spanOfDays(first, last, timeZone);
  const dayBefore = first.subtract({ days: 1 });
  return {
    timeZone,
    span,
    before: compare === undefined ? null : spanOfDays(first.subtract({ days }), dayBefore, timeZone),
  };
}

function spanOfDays(first: Temporal.PlainDate, last: Temporal.PlainDate, timeZone: string): ReportSpan {
  const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime({ timeZone }).epochMilliseconds;
  return {
    firstDay: first.toString(),
    lastDay: last.toString(),
    from: startOf(first),
    until: startOf(last.add({ days: 1 })),
  };
}

type Days = { readonly from: Temporal.PlainDate; readonly until: Temporal.PlainDate };

const lastDays =
  (days: number) =>
  (today: Temporal.PlainDate): Days => ({ from: today.subtract({ days: days - 1 }), until: today });

const NAMED_SPANS: Readonly<Record<ReportSpanName, (today: Temporal.PlainDate) => Days>> = {
  today: lastDays(1),
  yesterday: (today) => ({ from: today.subtract({ days: 1 }), until: today.subtract({ days: 1 }) }),
  'last-7-days': lastDays(7),
  'last-30-days': lastDays(30),
  'last-90-days': lastDays(90),
  'last-365-days': lastDays(365),
  'this-month': (today) => ({ from: today.with({ day: 1 }), until: today }),
  'last-month': (today) => {
    const monthStart = today.with({ day: 1 });
    return { from: monthStart.subtract({ months: 1 }), until: monthStart.subtract({ days: 1 }) };
  },
  'this-year': (today) => ({ from: today.with({ month: 1, day: 1 }), until: today }),
};

function daysOfSpan(
  name: ReportSpanName,
  today: Temporal.PlainDate,
): { readonly from: string; readonly until: string } {
  const { from, until } = NAMED_SPANS[name](today);
  return { from: from.toString(), until: until.toString() };
}

/** The keys of the days, weeks or months that a span touches, in order. */
export function periodKeys(unit: 'day' | 'week' | 'month', { firstDay, lastDay }: ReportSpan): string[] {
  const last = Temporal.PlainDate.from(lastDay);
  const keys: string[] = [];
  let at = startOfPeriod(unit, Temporal.PlainDate.from(firstDay));
  while (Temporal.PlainDate.compare(at, last) <= 0) {
    keys.push(unit === 'month' ? at.toString().slice(0, 'YYYY-MM'.length) : at.toString());
    at = at.add(unit === 'day' ? { days: 1 } : unit === 'week' ? { weeks: 1 } : { months: 1 });
  }
  return keys;
}

function startOfPeriod(unit: 'day' | 'week' | 'month', date: Temporal.PlainDate): Temporal.PlainDate {
  if (unit === 'day') return date;
  return unit === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
}
