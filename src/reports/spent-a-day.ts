// What buyers have spent a day lately, from the counts of the last whole UTC days: how soon funds are gone.
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { soldByBuyer } from './console-figures.sql.ts';

/** A week has every weekday once. */
const DAYS = 7;

/** In cents; 0 of a buyer that has bought nothing. */
export async function readSpentADay(
  tx: Tx,
  buyerKeys: readonly string[],
  now: Date,
): Promise<(buyerKey: string) => number> {
  if (buyerKeys.length === 0) return () => 0;
  const day = (back: number): string => utcDay(new Date(now.getTime() - back * DAY_MS));
  const rows = await tx.query(soldByBuyer, { buyerKeys, firstDay: day(DAYS), lastDay: day(1) });
  const spent = new Map(rows.map(({ key, soldCents }) => [key, soldCents / DAYS]));
  return (buyerKey) => spent.get(buyerKey) ?? 0;
}
