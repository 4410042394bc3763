// The SQL of the counts of deliveries per day: by partner and status, and by supplier.
import { statement } from '../platform/database/database.ts';
import type { DayCount } from './page-span.rules.ts';

export const lastConfirmationSql = statement<
  { readonly buyerKey: string; readonly deliveredFrom: Date; readonly deliveredBefore: Date },
  { at: Date | null }
>(
  'deliveries.last_confirmation',
  `SELECT max(confirmed_at) AS at FROM delivery
   WHERE buyer_key = $buyerKey AND delivered_at >= $deliveredFrom AND delivered_at < $deliveredBefore AND status = 'Confirmed'`,
);

/** Days are `YYYY-MM-DD`. */
type KeptDays = {
  readonly buyerKey: string;
  readonly eventType: string;
  readonly fromDay: string;
  readonly untilDay: string;
};

const KEPT = `event_type = $eventType AND status IN ('Confirmed', 'Returned')`;

/** Counts of the days $innerFrom ≤ day < $innerUntil, and of all days $fromDay ≤ day < $untilDay. */
export const keptBoundsSql = statement<
  KeptDays & { readonly innerFrom: string; readonly innerUntil: string },
  { atLeast: number; atMost: number }
>(
  'deliveries.kept_bounds',
  `SELECT coalesce(sum(deliveries) FILTER (WHERE day >= $innerFrom::date AND day < $innerUntil::date), 0)::bigint AS "atLeast",
          coalesce(sum(deliveries), 0)::bigint AS "atMost"
   FROM delivery_count WHERE buyer_key = $buyerKey AND day >= $fromDay::date AND day < $untilDay::date AND ${KEPT}`,
);

/** Stored counts of the days $fromDay ≤ day < $untilDay, plus or minus the counted rows of the parts of days at both ends. */
export const countKeptSql = statement<
  KeptDays & { readonly starts: readonly Date[]; readonly ends: readonly Date[]; readonly signs: readonly number[] },
  { kept: number }
>(
  'deliveries.count_kept',
  `SELECT ((SELECT coalesce(sum(deliveries), 0) FROM delivery_count
            WHERE buyer_key = $buyerKey AND day >= $fromDay::date AND day < $untilDay::date AND ${KEPT})
         + (SELECT coalesce(sum(part.sign * inside.kept), 0)
            FROM unnest($starts::timestamptz[], $ends::timestamptz[], $signs::int[]) AS part (starts_at, ends_at, sign),
            LATERAL (SELECT count(*) AS kept FROM delivery
                     WHERE buyer_key = $buyerKey AND delivered_at >= part.starts_at AND delivered_at < part.ends_at AND ${KEPT}) AS inside
           ))::bigint AS kept`,
);

/** Only days from $day on, an index range for each buyer: older counts are many and hardly change. */
export const foldDeliveryCountsSql = statement<{ readonly daysPerCall: number; readonly day: string }>(
  'deliveries.fold_counts',
  `WITH RECURSIVE buyers AS (
     (SELECT buyer_key FROM delivery_count ORDER BY buyer_key LIMIT 1)
     UNION ALL
     SELECT (SELECT c.buyer_key FROM delivery_count c WHERE c.buyer_key > b.buyer_key ORDER BY c.buyer_key LIMIT 1)
     FROM buyers b WHERE b.buyer_key IS NOT NULL
   ), many AS (
     SELECT b.buyer_key, c.day FROM buyers b,
     LATERAL (SELECT d.day FROM delivery_count d WHERE d.buyer_key = b.buyer_key AND d.day >= $day::date GROUP BY d.day
              HAVING count(*) > 40) AS c
     LIMIT $daysPerCall
   ), old AS (
     DELETE FROM delivery_count d USING many WHERE d.buyer_key = many.buyer_key AND d.day = many.day
     RETURNING d.buyer_key, d.day, d.status, d.event_type, d.offer_key, d.deliveries, d.payout_cents
   )
   INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
   SELECT buyer_key, day, status, event_type, offer_key, sum(deliveries), sum(payout_cents) FROM old
   GROUP BY 1, 2, 3, 4, 5 HAVING sum(deliveries) <> 0 OR sum(payout_cents) <> 0`,
);

export const foldQualityCounts = statement<{ readonly daysPerCall: number; readonly day: string }>(
  'deliveries.fold_quality',
  `WITH old AS (
     DELETE FROM supplier_quality_count WHERE (supplier_key, day) IN (
       SELECT supplier_key, day FROM supplier_quality_count WHERE day >= $day::date GROUP BY 1, 2 HAVING count(*) > 12 LIMIT $daysPerCall)
     RETURNING supplier_key, day, confirmed, returned
   )
   INSERT INTO supplier_quality_count SELECT supplier_key, day, sum(confirmed), sum(returned) FROM old GROUP BY 1, 2`,
);

export const returnRatesSql = statement<
  { readonly since: Date },
  { supplierKey: string; confirmed: number; returned: number }
>(
  'deliveries.return_rates',
  `SELECT supplier_key AS "supplierKey", sum(confirmed)::bigint AS confirmed, sum(returned)::bigint AS returned
   FROM supplier_quality_count WHERE day >= $since GROUP BY 1`,
);

/** Stored counts of the days $from ≤ day < $until, plus or minus the counted rows of parts of days; newest first. */
export const countByDaySql = statement<
  {
    readonly buyerKey: string;
    readonly from: string;
    readonly until: string;
    readonly status: string | null;
    readonly eventType: string | null;
    readonly startsTimes: readonly Date[];
    readonly endsTimes: readonly Date[];
    readonly signs: readonly number[];
  },
  DayCount
>(
  'deliveries.count_by_day',
  `SELECT to_char(counted.day, 'YYYY-MM-DD') AS day, sum(deliveries)::bigint AS deliveries FROM (
     SELECT day, deliveries FROM delivery_count
     WHERE buyer_key = $buyerKey AND day >= $from::date AND day < $until::date
       AND ($status::text IS NULL OR status = $status) AND ($eventType::text IS NULL OR event_type = $eventType)
     UNION ALL
     SELECT (part.starts_at AT TIME ZONE 'UTC')::date, part.sign * inside.deliveries
     FROM unnest($startsTimes::timestamptz[], $endsTimes::timestamptz[], $signs::int[]) AS part (starts_at, ends_at, sign),
          LATERAL (SELECT count(*) AS deliveries FROM delivery
                   WHERE buyer_key = $buyerKey AND delivered_at >= part.starts_at AND delivered_at < part.ends_at
                     AND ($status::text IS NULL OR status = $status) AND ($eventType::text IS NULL OR event_type = $eventType)) AS inside
   ) AS counted GROUP BY counted.day HAVING sum(deliveries) <> 0 ORDER BY counted.day DESC`,
);
