// Monthly caps on returns: reads, locks and changes the count of used returns, and computes the limit (contract 6.7).
import { strict as assert } from 'node:assert';

import type { Buyer, ClaimCap, ReturnPolicy } from '../buyers/buyer.ts';
import { countKept, keptBounds } from '../deliveries/count-deliveries.ts';
import type { EventType } from '../deliveries/delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import { limitOf, PERCENT_LIMIT_MIN } from './filing.rules.ts';
import { changeMonth, lockMonth, readMonths } from './claim.sql.ts';
import type { ClaimMonth } from './claim-window.rules.ts';

/** One kind of delivery in one month of deliveries. */
export type CapMonth = ClaimMonth & { readonly eventType: EventType };

export function capOf({ monthlyCaps }: Pick<ReturnPolicy, 'monthlyCaps'>, eventType: EventType): ClaimCap {
  return eventType === 'Lead Sale' ? monthlyCaps.leads : monthlyCaps.bookings;
}

/** Returns used in this month; the count is locked until the transaction ends. */
export async function lockCapMonth(tx: Tx, buyerKey: string, { eventType, month }: CapMonth): Promise<number> {
  const [row] = await tx.query(lockMonth, { buyerKey, eventType, month });
  assert(row !== undefined, 'a locked month has no row');
  return row.used;
}

/** Adds or removes one used return. The month must be locked or contain a claim that counts. */
export async function changeCapMonth(
  tx: Tx,
  buyerKey: string,
  { eventType, month, step }: { readonly eventType: EventType; readonly month: string; readonly step: 1 | -1 },
): Promise<void> {
  const rows = await tx.query(changeMonth, { buyerKey, eventType, month, step });
  assert(rows.length === 1, 'the month of a counted claim has no row');
}

/** Returns used in each month, in the order of `months`. */
export async function readCapMonths(tx: Tx, buyerKey: string, months: readonly CapMonth[]): Promise<number[]> {
  if (months.length === 0) return [];
  const rows = await tx.query(readMonths, {
    buyerKey,
    eventTypes: months.map(({ eventType }) => eventType),
    months: months.map(({ month }) => month),
  });
  return months.map(
    ({ eventType, month }) => rows.find((row) => row.eventType === eventType && row.month === month)?.used ?? 0,
  );
}

export type CapQuestion = { readonly cap: ClaimCap; readonly month: CapMonth; readonly used: number };

/** Whether `used` returns exhaust the cap. Deliveries are counted exactly only if bounds on their number do not decide. */
export async function isCapReached(tx: Tx, buyerKey: string, { cap, month, used }: CapQuestion): Promise<boolean> {
  if ('count' in cap) return used >= cap.count;
  if (used < PERCENT_LIMIT_MIN) return false;
  const { atLeast, atMost } = await keptBounds(tx, buyerKey, month);
  if (used < limitOf(cap, atLeast)) return false;
  if (used >= limitOf(cap, atMost)) return true;
  return used >= limitOf(cap, await countKept(tx, buyerKey, month));
}

/** The exact limit at this moment. */
export async function readCapLimit(
  tx: Tx,
  buyerKey: string,
  { cap, month }: Omit<CapQuestion, 'used'>,
): Promise<number> {
  if ('count' in cap) return cap.count;
  const { atLeast, atMost } = await keptBounds(tx, buyerKey, month);
  const limit = limitOf(cap, atLeast);
  return limit === limitOf(cap, atMost) ? limit : limitOf(cap, await countKept(tx, buyerKey, month));
}

/** The cap on returns of one kind of delivery in a month, given by its first day. `used` may exceed `limit`. */
export type CapUse = { readonly month: string; readonly limit: number; readonly used: number };

export async function readCap(
  tx: Tx,
  { buyerKey, returnPolicy }: Pick<Buyer, 'buyerKey' | 'returnPolicy'>,
  month: CapMonth,
): Promise<CapUse> {
  const limit = await readCapLimit(tx, buyerKey, { cap: capOf(returnPolicy, month.eventType), month });
  const [used = 0] = await readCapMonths(tx, buyerKey, [month]);
  return { month: month.month, limit, used };
}
