// A supplier's overview over the last UTC days, from counts that are exact at any instant (contract 3.9).
import type { Tx } from '../platform/database/database.ts';
import { windowDays } from './buyer-days.rules.ts';
import { supplierOverview, type OverviewFigures } from './supplier-overview.rules.ts';
import { countsByDay, lackingByField, refusalsByReason, scoresByTen } from './supplier-overview.sql.ts';

export type SupplierOverview = OverviewFigures & {
  readonly days: number;
  /** First and last UTC day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly supplierKey: string;
  /** Of the latest submissions alone, whatever the window. */
  readonly lacking: {
    /** How many submissions were looked at, at most. */
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

/** What leads lacked is read from themselves, as nothing counts it; enough of them to see what is usual. */
const LATEST = 1000;

/** The parts agree with each other if `tx` is a snapshot. `days` is 1 or more, today included. */
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
