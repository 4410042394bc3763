// Dates of a claim: when its decision is due, until when a delivery can be returned or disputed, and the month whose cap a return counts
// to (contract 6.7 to 6.9).
import { endOfBusinessWindow } from '../base/business-days.rules.ts';
import { Temporal } from '../base/temporal.ts';
import { capSpan, type Span } from '../base/time.ts';
import type { ReturnPolicy } from '../buyers/buyer.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import { type DeliveryTimes, returnableUntil, windowStart } from '../buyers/return-window.rules.ts';

/** The same for every return window. */
const DECISION_BUSINESS_DAYS = 5;
const SECOND_MS = 1000;

/** The last second of the fifth business day after filing; the day of filing is day 0 in the partner's zone. */
export function decisionDue(filedAt: Date, { holidays }: Pick<ReturnPolicy, 'holidays'>, timeZone: string): Date {
  return endOfBusinessWindow({ start: filedAt, days: DECISION_BUSINESS_DAYS, timeZone, holidays });
}

/** The last second in which a dispute may be filed: calendar days, from the same day 0 as those of a return. */
export function disputableUntil(
  delivery: DeliveryTimes,
  { disputeWindowDays }: Pick<ReturnPolicy, 'disputeWindowDays'>,
  timeZone: string,
): Date {
  const dayAfter = dayOf(windowStart(delivery).getTime(), timeZone).add({ days: disputeWindowDays + 1 });
  // The day's first instant is not midnight where the clocks skip midnight.
  return new Date(dayAfter.toZonedDateTime({ timeZone }).epochMilliseconds - SECOND_MS);
}

/** The last second in which a claim of this kind may be filed on a delivery. */
export function fileableUntil(
  kind: ClaimKind,
  delivery: DeliveryTimes,
  { returnPolicy, timeZone }: { readonly returnPolicy: ReturnPolicy; readonly timeZone: string },
): Date {
  const untilOf = kind === 'return' ? returnableUntil : disputableUntil;
  return untilOf(delivery, returnPolicy, timeZone);
}

/** A calendar month in the partner's zone; `month` is its first day, `YYYY-MM-DD`. */
export type ClaimMonth = { readonly month: string; readonly span: Span };

export function claimMonth(at: Date, timeZone: string): ClaimMonth {
  const span = capSpan('monthly', at, timeZone);
  return { month: dayOf(span.from, timeZone).toString(), span };
}

/** The calendar year of an instant in the partner's zone. */
export function yearOf(at: Date, timeZone: string): number {
  return dayOf(at.getTime(), timeZone).year;
}

function dayOf(epochMs: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone).toPlainDate();
}
