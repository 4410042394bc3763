// The SQL text that filters facts and adds them up by the dimensions of a report (contract 12.1).
import type { ColumnDimension, TimeDimension } from './report.schema.ts';
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

/** SQL of the key of each dimension of time. */
type TimeKeys = Readonly<Record<TimeDimension, string>>;

type Values = readonly string[] | null;
/** Values to which a dimension is restricted, or null; an empty text is no value. */
export type FilterParams = { readonly [Name in ColumnDimension | TimeDimension as `${Name}Values`]: Values };

export type GroupParams = FilterParams & {
  readonly from: Date;
  readonly until: Date;
  readonly timeZone: string;
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
  seconds: number[];
};

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const RANGES = FACT_SUMS.filter((name) => /^s\d+$/.test(name));
const NUMBERS = FACT_SUMS.filter((name) => !RANGES.includes(name));

/** Groups the rows of `facts` with the columns at, dimensions and sums. More than $groups combinations leave out the smallest. */
export function groupedText(facts: string, times: TimeKeys): string {
  const columns: ReadonlyArray<readonly [string, string]> = [
    ...Object.entries(DIMENSION_COLUMNS),
    ...Object.entries(times),
  ];
  const key = (place: string): string =>
    `CASE $${place}::text ${columns.map(([name, text]) => `WHEN '${name}' THEN ${text}`).join(' ')} END`;
  const filters = columns.map(
    ([name, text]) => `($${name}Values::text[] IS NULL OR ${text} = ANY($${name}Values::text[]))`,
  );
  return `SELECT GROUPING(key1, key2, key3) <> 0 AS "isTotal", key1, key2, key3,
      ${NUMBERS.map((name) => `coalesce(sum(${name}), 0)::bigint AS "${camel(name)}"`).join(', ')},
      ARRAY[${RANGES.map((name) => `coalesce(sum(${name}), 0)::float8`).join(', ')}] AS seconds
    FROM (
      SELECT ${key('first')} AS key1, ${key('second')} AS key2, ${key('third')} AS key3, ${FACT_SUMS.join(', ')}
      FROM (${facts}) AS facts
      WHERE at >= $from AND at < $until AND ${filters.join('\n        AND ')}
    ) AS keyed
    GROUP BY GROUPING SETS ((key1, key2, key3), ())
    ORDER BY 1 DESC, abs(sum(revenue_cents)) + sum(submitted) + sum(deliveries) + abs(sum(cost_cents)) DESC, 2, 3, 4
    LIMIT $groups`;
}
