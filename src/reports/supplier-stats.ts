// Reads a supplier's statistics and overview of the last UTC days, from exact daily counts (contract 3.9).
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { windowDays } from './buyer-days.rules.ts';
import { supplierOverview, type OverviewFigures } from './supplier-overview.rules.ts';
import { countsByDay, countsByStatus, lackingByField, refusalsByReason, scoresByTen } from './supplier-stats.sql.ts';
import { supplierTotals, type SupplierTotals } from './supplier-totals.rules.ts';

export type SupplierOverview = OverviewFigures & {
  readonly days: number;
  /** First and last UTC day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly supplierKey: string;
  /** From the latest submissions only, independent of the window. */
  readonly lacking: {
    /** The maximum number of submissions examined. */
    readonly latest: number;
    readonly unsold: number;
    readonly sold: number;
    readonly fields: Array<{
      readonly field: string;
      readonly lackingUnsold: number;
      readonly lackingSold: number;
    }>;
  };
};

/** Missing fields have no counts, so they are read from leads; this many show what is usual. */
const LATEST = 1000;

/** Consistent if `tx` is a snapshot. `days` is 1 or more, today included. */
export async function readSupplierOverview(
  tx: Tx,
  supplierKey: string,
  { days }: { readonly days: number },
  now: Date,
): Promise<SupplierOverview> {
  const window = windowDays(days, now);
  const [from = '', to = ''] = [window[0], window.at(-1)];
  const span = { supplierKey, firstDay: from, lastDay: to };
  const byDay = await tx.query(countsByDay, span);
  const scores = await tx.query(scoresByTen, span);
  const refusals = await tx.query(refusalsByReason, span);
  const lacking = await tx.query(lackingByField, { supplierKey, limit: LATEST });
  return {
    ...{ days, from, to, supplierKey },
    ...supplierOverview({ window, byDay, scores: scores.map(({ leads }) => leads), refusals }),
    lacking: {
      latest: LATEST,
      unsold: lacking[0]?.unsold ?? 0,
      sold: lacking[0]?.sold ?? 0,
      fields: lacking.map(({ field, lackingUnsold, lackingSold }) => ({ field, lackingUnsold, lackingSold })),
    },
  };
}

export type SupplierStats = SupplierTotals & { readonly days: number; readonly supplierKey: string };

/** The last `days` UTC days, today included, by the day of submission. */
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
