// Plans the demo's history: leads per day, and when the last full month is invoiced and paid, so that every demo has an invoice.
import { Temporal } from '../base/temporal.ts';
import { DAY_MS, type Span } from '../base/time.ts';
import { monthSpan } from '../invoices/period.rules.ts';

export type HistoryStep =
  /** `count` leads of a day, from 17:00 UTC on: business hours all over the country. */
  | { readonly kind: 'leads'; readonly at: Date; readonly count: number }
  /** `month` is over for every partner at `at`. */
  | { readonly kind: 'invoices'; readonly at: Date; readonly month: string }
  | { readonly kind: 'payments'; readonly at: Date };

/** Two full weeks, so that every weekday occurs twice. */
const FULL_DAYS = 14;
const LEADS_PER_DAY = 12;
/** Few leads on the days before, back into the invoiced month, because the first start waits for all of them. */
const EARLIER_LEADS_PER_DAY = 3;
/** A week, so that every partner's schedule is covered. */
const DAYS_INVOICED = 7;
const FIRST_LEAD_MS = 17 * 3_600_000;
const INVOICED_AFTER_MS = 4 * 3_600_000;
const PAID_AFTER_MS = 9 * DAY_MS;

/** Ordered by time, all before `now`. `timeZones` are those of the partners. */
export function planHistory(now: Date, timeZones: readonly string[]): HistoryStep[] {
  const { month, until } = lastMonthOver(now, timeZones);
  const today = startOfDay(now.getTime());
  const full = today - FULL_DAYS * DAY_MS;
  const steps: HistoryStep[] = [];
  for (let day = Math.min(full, startOfDay(until) - DAYS_INVOICED * DAY_MS); day < today; day += DAY_MS) {
    const count = day < full ? EARLIER_LEADS_PER_DAY : LEADS_PER_DAY;
    steps.push({ kind: 'leads', at: new Date(day + FIRST_LEAD_MS), count });
  }
  const invoiced = Math.min(until + INVOICED_AFTER_MS, now.getTime());
  steps.push({ kind: 'invoices', at: new Date(invoiced), month });
  const paid = invoiced + PAID_AFTER_MS;
  if (paid < now.getTime()) steps.push({ kind: 'payments', at: new Date(paid) });
  return steps.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** The last month that is over in all time zones, and the latest of its ends. */
function lastMonthOver(now: Date, timeZones: readonly string[]): { readonly month: string } & Pick<Span, 'until'> {
  const present = Temporal.PlainYearMonth.from(now.toISOString().slice(0, 7));
  for (let months = 1; ; months += 1) {
    const month = present.subtract({ months }).toString();
    const until = Math.max(...timeZones.map((timeZone) => monthSpan(month, timeZone).until));
    if (until <= now.getTime()) return { month, until };
  }
}

function startOfDay(at: number): number {
  return at - (at % DAY_MS);
}
