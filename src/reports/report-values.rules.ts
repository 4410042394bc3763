// Calculates the measures of a report from sums (contract 12.1).
import { wireAmount } from '../base/money.ts';
import type { ReportMeasure, ReportValues } from './report.schema.ts';

/**
 * What a report adds up; all others are calculated from these. Money in cents. `kept`: confirmed deliveries, including
 * returned ones, by the time of delivery; `settled`: confirmed or failed, by the time at which that was known; `priced` and `price_cents`:
 * confirmed deliveries and their prices, by that time.
 */
export type ReportSums = {
  readonly submitted: number;
  readonly accepted: number;
  readonly sold: number;
  readonly unsold: number;
  readonly deliveries: number;
  readonly kept: number;
  readonly returned: number;
  readonly settled: number;
  readonly failed: number;
  readonly priceCents: number;
  readonly revenueCents: number;
  readonly costCents: number;
  /** Failed because the partner's system rejected them; duplicates are not among the rejected. */
  readonly rejected: number;
  readonly duplicates: number;
  /** Confirmed deliveries by the seconds since the lead was received, in the order of `SECONDS_UP_TO`; the last has no end. */
  readonly seconds: readonly number[];
};

/** Upper ends of the ranges of seconds, exclusive. The median is exact to the range, and linear within it. */
export const SECONDS_UP_TO = [1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 900, 3600, 14_400, 86_400] as const;
const RANGES = SECONDS_UP_TO.length + 1;

export const NO_SUMS: ReportSums = {
  ...{ submitted: 0, accepted: 0, sold: 0, unsold: 0, deliveries: 0, kept: 0, returned: 0, settled: 0, failed: 0 },
  ...{
    rejected: 0,
    duplicates: 0,
    priceCents: 0,
    revenueCents: 0,
    costCents: 0,
    seconds: Array.from({ length: RANGES }, () => 0),
  },
};

/** Measures that count leads. A lead has no partner, offer, event type or price: split by these they have no value. */
const leadMeasures: readonly ReportMeasure[] = ['submitted', 'accepted', 'refused', 'sold', 'unsold', 'sellThrough'];

/** `withLeads`: false if a dimension or filter is one that leads do not have. */
export function valuesOf(
  measures: readonly ReportMeasure[],
  sums: ReportSums,
  { withLeads }: { readonly withLeads: boolean },
): ReportValues {
  return Object.fromEntries(
    measures.map((name) => [name, !withLeads && leadMeasures.includes(name) ? null : FORMULAS[name](sums)]),
  );
}

const FORMULAS: Readonly<Record<ReportMeasure, (sums: ReportSums) => number | null>> = {
  submitted: ({ submitted }) => submitted,
  accepted: ({ accepted }) => accepted,
  refused: ({ submitted, accepted }) => submitted - accepted,
  sold: ({ sold }) => sold,
  unsold: ({ unsold }) => unsold,
  sellThrough: ({ sold, unsold }) => rate(sold, sold + unsold),
  deliveries: ({ deliveries }) => deliveries,
  confirmed: ({ kept }) => kept,
  kept: ({ kept, returned }) => kept - returned,
  failed: ({ failed }) => failed,
  rejectionRate: ({ failed, settled }) => rate(failed, settled),
  responses: (sums) => responsesOf(sums),
  rejected: ({ rejected }) => rejected,
  duplicates: ({ duplicates }) => duplicates,
  rejectedRate: (sums) => rate(sums.rejected, responsesOf(sums)),
  duplicateRate: (sums) => rate(sums.duplicates, responsesOf(sums)),
  returned: ({ returned }) => returned,
  returnRate: ({ returned, kept }) => rate(returned, kept),
  revenue: ({ revenueCents }) => wireAmount(revenueCents),
  cost: ({ costCents }) => wireAmount(costCents),
  margin: ({ revenueCents, costCents }) => wireAmount(revenueCents - costCents),
  averagePrice: ({ priceCents, settled, failed }) =>
    settled - failed === 0 ? null : wireAmount(Math.round(priceCents / (settled - failed))),
  medianSeconds: ({ seconds }) => medianOf(seconds),
};

/** Deliveries that the partner's system decided about. */
function responsesOf({ settled, failed, rejected, duplicates }: ReportSums): number {
  return settled - failed + rejected + duplicates;
}

/** Four decimals, as a percentage has two. */
function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((10_000 * part) / whole) / 10_000;
}

/** The middle of the counts by range, by linear interpolation within its range, to a tenth; null without counts. */
export function medianOf(counts: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= total / 2) {
      const start = SECONDS_UP_TO[index - 1] ?? 0;
      // The last range has no end: its start is the least that can be said.
      const end = SECONDS_UP_TO[index] ?? start;
      return Math.round(10 * (start + ((end - start) * (total / 2 - below)) / count)) / 10;
    }
    below += count;
  }
  return null;
}
