// The SQL of counting a buyer's deliveries in a span of time.
import { statement } from '../platform/database/database.ts';

const sum = (column: string, status: string): string =>
  `coalesce(sum(${column}) FILTER (WHERE status = '${status}'), 0)::bigint`;

/** Whole days $2 ≤ day < $3 by their counts, with the parts of days added or taken away by their rows. */
export const countsInSpan = statement(
  'reports.counts_in_span',
  `SELECT ${sum('deliveries', 'Confirmed')} AS confirmed, ${sum('deliveries', 'Pending')} AS pending,
          ${sum('deliveries', 'Failed')} AS failed, ${sum('deliveries', 'Returned')} AS returned,
          ${sum('cents', 'Confirmed')} AS "confirmedCents", ${sum('cents', 'Pending')} AS "pendingCents"
   FROM (
     SELECT status, deliveries, payout_cents AS cents FROM delivery_count
     WHERE buyer_key = $1 AND day >= $2::date AND day < $3::date
     UNION ALL
     SELECT inside.status, part.sign * inside.deliveries, part.sign * inside.cents
     FROM unnest($4::timestamptz[], $5::timestamptz[], $6::int[]) AS part (starts_at, ends_at, sign),
          LATERAL (SELECT status, count(*) AS deliveries, sum(payout_cents)::bigint AS cents FROM delivery
                   WHERE buyer_key = $1 AND delivered_at >= part.starts_at AND delivered_at < part.ends_at GROUP BY 1) AS inside
   ) AS counted`,
);
