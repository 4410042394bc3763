// Reads a buyer's deliveries by days or months of its own time zone, for the portal: from the counts of UTC days, and from single
// deliveries only for the parts of days by which the zone differs.
import { DAY_MS, utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyerDays, type BuyerDays } from './buyer-days.rules.ts';
import { countsByDay, countsOfParts } from './buyer-stats.sql.ts';
import { countsOfPeriods, edgesOf, type LocalPeriod, partOf } from './local-days.rules.ts';
import type { Amounts } from './buyer-stats.sql.ts';

export type LocalStats = BuyerDays & {
  /** First and last day of the zone, or first days of the first and last month. */
  readonly from: string;
  readonly to: string;
};

const NOTHING: Amounts = {
  ...{ confirmed: 0, pending: 0, failed: 0, returned: 0 },
  ...{ confirmedCents: 0, pendingCents: 0, returnedCents: 0, leadSales: 0, bookings: 0 },
};

/** Exact if `tx` is a snapshot. Reads the deliveries of at most half a day for each start of a day or month. */
export async function readLocalStats(
  tx: Tx,
  { buyerKey, periods }: { readonly buyerKey: string; readonly periods: readonly LocalPeriod[] },
): Promise<LocalStats> {
  const edges = edgesOf(periods);
  const [first = 0, last = 0] = [edges[0]?.midnight, edges.at(-1)?.midnight];
  const counts = await tx.query(countsByDay, {
    buyerKey,
    firstDay: utcDay(new Date(first)),
    lastDay: utcDay(new Date(last - DAY_MS)),
  });
  const parts = await readParts(tx, buyerKey, edges.map(partOf));
  const utcDays = counts.map(({ day, ...sums }) => ({ day, sums }));
  const counted = countsOfPeriods(periods, utcDays, { parts, nothing: NOTHING });
  const window = periods.map(({ date }) => date);
  const [from = '', to = ''] = [window[0], window.at(-1)];
  return {
    from,
    to,
    ...buyerDays(
      window,
      counted.map((sums, index) => ({ day: window[index] ?? '', ...sums })),
    ),
  };
}

/** In the order of the spans; null for spans without deliveries. */
async function readParts(
  tx: Tx,
  buyerKey: string,
  spans: ReadonlyArray<{ readonly from: number; readonly until: number }>,
): Promise<Array<Amounts | null>> {
  // A zone on UTC needs no correction.
  if (spans.every(({ from, until }) => from === until)) return spans.map(() => null);
  const rows = await tx.query(countsOfParts, {
    buyerKey,
    startsTimes: spans.map(({ from }) => new Date(from)),
    endsTimes: spans.map(({ until }) => new Date(until)),
  });
  const found = new Map(rows.map(({ place, rows: _rows, ...amounts }) => [place, amounts]));
  return spans.map((_, index) => found.get(index + 1) ?? null);
}
