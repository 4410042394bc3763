// The SQL of counting a buyer's deliveries in a span of time.
import { statement } from '../platform/database/database.ts';
import type { CountsOfSpan } from './count-rows.ts';

const sum = (column: string, status: string): string =>
  `coalesce(sum(${column}) FILTER (WHERE status = '${status}'), 0)::bigint`;

/** Whole days $from ≤ day < $until by their counts, with the parts of days added or taken away by their rows. */
export const countsInSpan = statement<
  {
    readonly buyerKey: string;
    readonly from: string;
    readonly until: string;
    readonly startsTimes: readonly Date[];
    readonly endsTimes: readonly Date[];
    readonly signs: readonly number[];
  },
  CountsOfSpan
>(
  'reports.counts_in_span',
  `SELECT ${sum('deliveries', 'Confirmed')} AS confirmed, ${sum('deliveries', 'Pending')} AS pending,
          ${sum('deliveries', 'Failed')} AS failed, ${sum('deliveries', 'Returned')} AS returned,
          ${sum('cents', 'Confirmed')} AS "confirmedCents", ${sum('cents', 'Pending')} AS "pendingCents"
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
