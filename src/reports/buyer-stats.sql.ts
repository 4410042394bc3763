// The SQL of a buyer's statistics, on the counts that deliveries keep.
import { statement } from '../platform/database/database.ts';

/** One row for each day that has any: a year of rows by status and event type would cost more to carry than to add up. */
export const countsByDay = statement(
  'reports.buyer_counts_by_day',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day,
          coalesce(sum(deliveries) FILTER (WHERE status = 'Confirmed'), 0)::bigint AS confirmed,
          coalesce(sum(deliveries) FILTER (WHERE status = 'Pending'), 0)::bigint AS pending,
          coalesce(sum(deliveries) FILTER (WHERE status = 'Failed'), 0)::bigint AS failed,
          coalesce(sum(deliveries) FILTER (WHERE status = 'Returned'), 0)::bigint AS returned,
          coalesce(sum(payout_cents) FILTER (WHERE status = 'Confirmed'), 0)::bigint AS "confirmedCents",
          coalesce(sum(payout_cents) FILTER (WHERE status = 'Pending'), 0)::bigint AS "pendingCents",
          coalesce(sum(payout_cents) FILTER (WHERE status = 'Returned'), 0)::bigint AS "returnedCents",
          coalesce(sum(deliveries) FILTER (WHERE event_type = 'Lead Sale'), 0)::bigint AS "leadSales",
          coalesce(sum(deliveries) FILTER (WHERE event_type = 'Calendar Assigned'), 0)::bigint AS "bookings"
   FROM delivery_count WHERE buyer_key = $1 AND day BETWEEN $2::date AND $3::date GROUP BY delivery_count.day`,
);
