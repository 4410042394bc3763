// A partner's return policy with what is left of its monthly caps now (contract 6.7).
import { federalHolidays } from '../base/business-days.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { EventType } from '../deliveries/delivery-ref.ts';
import type { Tx } from '../platform/database/database.ts';
import { claimMonth, yearOf } from './claim-window.rules.ts';
import { capOf, readCapLimit, readCapMonths } from './month-cap.ts';
import type { CapView, ReturnPolicyView } from './return-policy-schema.ts';
import { notReturnable, reasonsOf } from './reason.rules.ts';

/** Statements write nothing; three at most for each of the two caps. */
export async function readReturnPolicy(
  tx: Tx,
  buyer: Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>,
  now: Date,
): Promise<ReturnPolicyView> {
  const { returnPolicy, timeZone } = buyer;
  return {
    windowBusinessDays: returnPolicy.windowBusinessDays,
    timeZone,
    holidays: holidaysFrom(yearOf(now, timeZone), returnPolicy.holidays),
    monthlyCaps: {
      leads: await readCap(tx, buyer, 'Lead Sale', now),
      bookings: await readCap(tx, buyer, 'Calendar Assigned', now),
    },
    reasons: { lead: [...reasonsOf['Lead Sale']], booking: [...reasonsOf['Calendar Assigned']] },
    notReturnable: [...notReturnable],
    disputes: { windowDays: returnPolicy.disputeWindowDays },
  };
}

/** Of the deliveries of the present month. */
async function readCap(
  tx: Tx,
  { buyerKey, returnPolicy, timeZone }: Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>,
  eventType: EventType,
  now: Date,
): Promise<CapView> {
  const month = { ...claimMonth(now, timeZone), eventType };
  const [used = 0] = await readCapMonths(tx, buyerKey, [month]);
  const limit = await readCapLimit(tx, buyerKey, { cap: capOf(returnPolicy, eventType), month });
  const resetsAt = new Date(month.span.until).toISOString();
  // A cap may have been lowered since.
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt };
}

/** Of this year and the next: the federal ones and the operator's own, in order. */
function holidaysFrom(year: number, own: readonly string[]): string[] {
  const years = [year, year + 1];
  const days = [
    ...years.flatMap((one) => federalHolidays(one)),
    ...own.filter((day) => years.some((one) => day.startsWith(`${one}-`))),
  ];
  return [...new Set(days)].toSorted();
}
