// SQL of a buyer's statistics, on the daily counts of deliveries and on single deliveries for parts of days.
import { statement } from '../platform/database/database.ts';
import type { DayCounts, SpanCounts } from './buyer-days.rules.ts';

/** Sums for the members of `DayCounts`, over rows with `deliveries` and `cents`. */
const sum = (column: string, condition: string): string =>
  `coalesce(sum(${column}) FILTER (WHERE ${condition}), 0)::bigint`;
const AMOUNTS = `${sum('deliveries', `status = 'Confirmed'`)} AS confirmed, ${sum('deliveries', `status = 'Pending'`)} AS pending,
          ${sum('deliveries', `status = 'Failed'`)} AS failed, ${sum('deliveries', `status = 'Returned'`)} AS returned,
          ${sum('cents', `status = 'Confirmed'`)} AS "confirmedCents", ${sum('cents', `status = 'Pending'`)} AS "pendingCents",
          ${sum('cents', `status = 'Returned'`)} AS "returnedCents",
          ${sum('deliveries', `event_type = 'Lead Sale'`)} AS "leadSales",
          ${sum('deliveries', `event_type = 'Calendar Assigned'`)} AS bookings`;

/** One row per day with deliveries: a year of rows by status and event type would cost more to transfer than to add up. */
export const countsByDay = statement<
  { readonly buyerKey: string; readonly firstDay: string; readonly lastDay: string },
  DayCounts
>(
  'reports.buyer_counts_by_day',
  `SELECT to_char(counted.day, 'YYYY-MM-DD') AS day, ${AMOUNTS}
   FROM (SELECT day, status, event_type, deliveries, payout_cents AS cents FROM delivery_count
         WHERE buyer_key = $buyerKey AND day BETWEEN $firstDay::date AND $lastDay::date) AS counted GROUP BY counted.day`,
);

export type PartRow = Amounts & { readonly place: number; readonly rows: number };

export type Amounts = Omit<DayCounts, 'day'>;

/** Counts of the spans $startsTimes ≤ delivered_at < $endsTimes, from single deliveries: one row per span with any, with its position from 1. */
export const countsOfParts = statement<
  { readonly buyerKey: string; readonly startsTimes: readonly Date[]; readonly endsTimes: readonly Date[] },
  PartRow
>(
  'reports.buyer_counts_of_parts',
  `SELECT part.place, inside.* FROM unnest($startsTimes::timestamptz[], $endsTimes::timestamptz[]) WITH ORDINALITY AS part (starts_at, ends_at, place),
          LATERAL (SELECT count(*) AS rows, ${AMOUNTS} FROM (
                     SELECT status, event_type, 1 AS deliveries, payout_cents AS cents FROM delivery
                     WHERE buyer_key = $buyerKey AND delivered_at >= part.starts_at AND delivered_at < part.ends_at) AS row) AS inside
   WHERE inside.rows > 0`,
);

/** Whole days $from ≤ day < $until from daily counts, plus or minus parts of days from single deliveries. */
export const countsInSpan = statement<
  {
    readonly buyerKey: string;
    readonly from: string;
    readonly until: string;
    readonly startsTimes: readonly Date[];
    readonly endsTimes: readonly Date[];
    readonly signs: readonly number[];
  },
  SpanCounts
>(
  'reports.counts_in_span',
  `SELECT ${sum('deliveries', `status = 'Confirmed'`)} AS confirmed, ${sum('deliveries', `status = 'Pending'`)} AS pending,
          ${sum('deliveries', `status = 'Failed'`)} AS failed, ${sum('deliveries', `status = 'Returned'`)} AS returned,
          ${sum('cents', `status = 'Confirmed'`)} AS "confirmedCents", ${sum('cents', `status = 'Pending'`)} AS "pendingCents"
   FROM (
     SELECT status, deliveries, payout_cents AS cents FROM delivery_count
     WHERE buyer_key = $buyerKey AND day >= $from::date AND day < $until::date
     UNION ALL
     SELECT inside.status, part.sign * inside.deliveries, part.sign * inside.cents
     FROM unnest($startsTimes::timestamptz[], $endsTimes::timestamptz[], $signs::int[]) AS part (starts_at, ends_at, sign),
          LATERAL (SELECT status, count(*) AS deliveries, sum(payout_cents)::bigint AS cents FROM delivery
                   WHERE buyer_key = $buyerKey AND delivered_at >= part.starts_at AND delivered_at < part.ends_at GROUP BY 1) AS inside
   ) AS counted`,
);
