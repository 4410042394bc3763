// The SQL text that filters facts and adds them up by the dimensions of a report (contract 12.1).
import type { ColumnDimension, ReportDimension, TimeDimension } from './report.schema.ts';
import { FACT_SUMS } from './report-facts.sql.ts';

/** The column of facts for each dimension that is not one of time. */
export const DIMENSION_COLUMNS = {
  supplier: 'supplier',
  source: 'source',
  campaign: 'campaign',
  partner: 'partner',
  offer: 'offer',
  eventType: 'event_type',
  state: 'state',
  scoreBand: 'score_band',
  priceBand: 'price_band',
} as const satisfies Record<ColumnDimension, string>;

/** The key of each dimension of time, of a time without a zone. */
const TIME_KEYS = {
  day: `to_char(local, 'YYYY-MM-DD')`,
  week: `to_char(date_trunc('week', local), 'YYYY-MM-DD')`,
  month: `to_char(local, 'YYYY-MM')`,
  hour: `to_char(local, 'HH24')`,
  weekday: `to_char(local, 'ID')`,
} as const satisfies Record<TimeDimension, string>;

const KEYS: Readonly<Record<ReportDimension, string>> = { ...TIME_KEYS, ...DIMENSION_COLUMNS };

/** Values to which a dimension is restricted, or null; an empty text is no value. */
export type FilterParams = { readonly [Name in ReportDimension as `${Name}Values`]: readonly string[] | null };

export type GroupParams = FilterParams & {
  /** Names of dimensions; null for none. */
  readonly first: string | null;
  readonly second: string | null;
  readonly third: string | null;
  /** False leaves out leads, which have no partner, offer, event type and price. */
  readonly withLeads: boolean;
  readonly groups: number;
};

/** A row per combination of the dimensions' values, and one with the totals, which comes first. An empty text is no value. */
export type GroupRow = {
  isTotal: boolean;
  key1: string | null;
  key2: string | null;
  key3: string | null;
  submitted: number;
  accepted: number;
  sold: number;
  unsold: number;
  deliveries: number;
  kept: number;
  returned: number;
  settled: number;
  failed: number;
  priceCents: number;
  revenueCents: number;
  costCents: number;
  rejected: number;
  duplicates: number;
  seconds: number[];
};

const LEAD_SUMS: readonly string[] = ['submitted', 'accepted', 'sold', 'unsold'];
/** Sums that only the median is calculated from: more than all others. */
export const RANGES: readonly string[] = FACT_SUMS.filter((name) => /^s\d+$/.test(name));
const NUMBERS = FACT_SUMS.filter((name) => !RANGES.includes(name));

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Groups the rows of `facts`, which have the time in the zone of the question as `local`, the columns of `dimensions`, and sums. `without`
 * names sums that are not read and count as 0. Of more than $groups combinations the smallest are left out; those of nothing are always.
 */
export function groupedText(
  facts: string,
  {
    dimensions,
    without = [],
  }: { readonly dimensions: readonly ReportDimension[]; readonly without?: readonly string[] },
): string {
  const key = (place: string): string =>
    `CASE $${place}::text ${dimensions.map((name) => `WHEN '${name}' THEN ${KEYS[name]}`).join(' ')} END`;
  const filters = dimensions.map(
    (name) => `($${name}Values::text[] IS NULL OR ${KEYS[name]} = ANY($${name}Values::text[]))`,
  );
  const sums = FACT_SUMS.filter((name) => !without.includes(name));
  const total = (name: string): string => (without.includes(name) ? '0::bigint' : `coalesce(sum(${name}), 0)::bigint`);
  return `SELECT GROUPING(key1, key2, key3) <> 0 AS "isTotal", key1, key2, key3,
      ${NUMBERS.map((name) => `${total(name)} AS "${camel(name)}"`).join(', ')},
      ARRAY[${RANGES.map((name) => `${total(name)}::float8`).join(', ')}] AS seconds
    FROM (
      SELECT ${key('first')} AS key1, ${key('second')} AS key2, ${key('third')} AS key3,
             ${sums.map((name) => (LEAD_SUMS.includes(name) ? `CASE WHEN $withLeads::boolean THEN ${name} END AS ${name}` : name)).join(', ')}
      FROM (${facts}) AS facts
      WHERE ${filters.join('\n        AND ')}
    ) AS keyed
    GROUP BY GROUPING SETS ((key1, key2, key3), ())
    HAVING GROUPING(key1, key2, key3) <> 0 OR ${NUMBERS.filter((name) => !without.includes(name))
      .map((name) => `sum(${name}) <> 0`)
      .join(' OR ')}
    ORDER BY 1 DESC, ${['revenue_cents', 'deliveries', 'submitted'].map((name) => `abs(${total(name)})`).join(' + ')} DESC, 2, 3, 4
    LIMIT $groups`;
}
