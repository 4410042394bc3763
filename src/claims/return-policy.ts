// Reads a partner's return policy with the remaining returns of its monthly caps (contract 6.7).
import { federalHolidays, isWindowOver } from '../base/business-days.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { returnableUntil } from '../buyers/return-window.rules.ts';
import { lastConfirmation } from '../deliveries/count-deliveries.ts';
import type { Tx } from '../platform/database/database.ts';
import { type ClaimMonth, claimMonth, yearOf } from './claim-window.rules.ts';
import { type CapMonth, capOf, readCapLimit, readCapMonths } from './month-cap.ts';
import type { ReturnPolicyView } from './return-policy.schema.ts';
import { notReturnable, reasonsOf } from './reason.rules.ts';

type PolicyBuyer = Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>;

/** Writes nothing. Runs at most three statements for each of the four caps, and one more. */
export async function readReturnPolicy(tx: Tx, buyer: PolicyBuyer, now: Date): Promise<ReturnPolicyView> {
  const { returnPolicy, timeZone } = buyer;
  const month = claimMonth(now, timeZone);
  const resetsAt = new Date(month.span.until).toISOString();
  const { leads, bookings } = await readCaps(tx, buyer, month);
  return {
    windowBusinessDays: returnPolicy.windowBusinessDays,
    timeZone,
    holidays: holidaysFrom(yearOf(now, timeZone), returnPolicy.holidays),
    monthlyCaps: { leads: { ...leads, resetsAt }, bookings: { ...bookings, resetsAt } },
    previousMonth: await readPreviousMonth(tx, buyer, { month, now }),
    reasons: { lead: [...reasonsOf['Lead Sale']], booking: [...reasonsOf['Calendar Assigned']] },
    notReturnable: [...notReturnable],
    disputes: { windowDays: returnPolicy.disputeWindowDays },
  };
}

/** The previous month; null if no delivery of it can be returned any more. */
async function readPreviousMonth(
  tx: Tx,
  buyer: PolicyBuyer,
  { month: { span }, now }: { readonly month: ClaimMonth; readonly now: Date },
): Promise<ReturnPolicyView['previousMonth']> {
  const { buyerKey, returnPolicy, timeZone } = buyer;
  const lastOfMonth = new Date(span.from - 1);
  const previous = claimMonth(lastOfMonth, timeZone);
  const isOver = (confirmedAt: Date | null): boolean =>
    isWindowOver(returnableUntil({ deliveredAt: lastOfMonth, confirmedAt }, returnPolicy, timeZone), now);
  // Deliveries that were confirmed late have a later window; they are searched only when no other could still be open.
  if (isOver(null) && isOver(await lastConfirmation(tx, buyerKey, previous.span))) return null;
  return { month: previous.month.slice(0, 'YYYY-MM'.length), ...(await readCaps(tx, buyer, previous)) };
}

type Usage = { readonly limit: number; readonly used: number; readonly remaining: number };

/** The caps on returns of deliveries of a month. */
async function readCaps(
  tx: Tx,
  buyer: PolicyBuyer,
  month: ClaimMonth,
): Promise<{ readonly leads: Usage; readonly bookings: Usage }> {
  return {
    leads: await readCap(tx, buyer, { ...month, eventType: 'Lead Sale' }),
    bookings: await readCap(tx, buyer, { ...month, eventType: 'Calendar Assigned' }),
  };
}

async function readCap(tx: Tx, { buyerKey, returnPolicy }: PolicyBuyer, month: CapMonth): Promise<Usage> {
  const [used = 0] = await readCapMonths(tx, buyerKey, [month]);
  const limit = await readCapLimit(tx, buyerKey, { cap: capOf(returnPolicy, month.eventType), month });
  // The cap may have been lowered since.
  return { limit, used, remaining: Math.max(0, limit - used) };
}

/** Federal holidays and the operator's own of this year and the next, in order. */
function holidaysFrom(year: number, own: readonly string[]): string[] {
  const years = [year, year + 1];
  const days = [
    ...years.flatMap((one) => federalHolidays(one)),
    ...own.filter((day) => years.some((one) => day.startsWith(`${one}-`))),
  ];
  return [...new Set(days)].toSorted();
}
