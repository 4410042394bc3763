// A supplier's own statistics over the last UTC days, from counts that are exact at any instant (contract 3.9).
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { countsByStatus } from './supplier-stats.sql.ts';
import { supplierTotals, type SupplierTotals } from './supplier-totals.rules.ts';

export type SupplierStats = SupplierTotals & { readonly days: number; readonly supplierKey: string };

/** The last `days` UTC days with today in it, by the day of submission. */
export async function supplierStats(
  tx: Tx,
  supplierKey: string,
  { days }: { readonly days: number },
  now: Date,
): Promise<SupplierStats> {
  const first = new Date(now.getTime() - (days - 1) * DAY_MS);
  const counts = await tx.query(countsByStatus, { supplierKey, firstDay: utcDay(first), lastDay: utcDay(now) });
  return { days, supplierKey, ...supplierTotals(counts) };
}
