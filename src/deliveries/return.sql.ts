// The SQL of returning deliveries and of what caps on returns are measured by.
import { statement } from '../platform/database/database.ts';
import type { Uuid } from '../base/ids.ts';

const ONE = `SELECT delivery_id AS "deliveryId", lead_id AS "leadId", offer_key AS "offerKey", supplier_key AS "supplierKey",
          ref_number AS "refNumber", event_type AS "eventType", status, payout_cents AS "payoutCents",
          delivered_at AS "deliveredAt", confirmed_at AS "confirmedAt"
   FROM delivery WHERE delivery_id = $2 AND buyer_key = $1`;

export const readDeliverySql = statement('deliveries.read', ONE);

export const lockDeliverySql = statement('deliveries.lock', `${ONE} FOR UPDATE`);

/** Confirmed → Returned, with the counts moved along. Nothing else that the sale took is given back: no slot, and no person. */
export const returnDeliverySql = statement<
  { readonly buyerKey: string; readonly deliveryId: Uuid; readonly now: Date },
  { deliveryId: Uuid }
>(
  'deliveries.return',
  `WITH changed AS (
     UPDATE delivery SET status = 'Returned', returned_at = $now
     WHERE delivery_id = $deliveryId AND buyer_key = $buyerKey AND status = 'Confirmed'
     RETURNING delivery_id, buyer_key, offer_key, supplier_key, event_type, payout_cents,
               (delivered_at AT TIME ZONE 'UTC')::date AS day
   ), counted AS (
     INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
     SELECT buyer_key, day, s.status, event_type, offer_key, s.step, s.step * payout_cents
     FROM changed, (VALUES ('Confirmed', -1), ('Returned', 1)) AS s (status, step)
   ), quality AS (
     INSERT INTO supplier_quality_count (supplier_key, day, confirmed, returned)
     SELECT supplier_key, day, 0, 1 FROM changed
   )
   SELECT delivery_id AS "deliveryId" FROM changed`,
);

export const lastConfirmationSql = statement<
  { readonly buyerKey: string; readonly deliveredFrom: Date; readonly deliveredBefore: Date },
  { at: Date | null }
>(
  'deliveries.last_confirmation',
  `SELECT max(confirmed_at) AS at FROM delivery
   WHERE buyer_key = $buyerKey AND delivered_at >= $deliveredFrom AND delivered_at < $deliveredBefore AND status = 'Confirmed'`,
);

const KEPT = `event_type = $2 AND status IN ('Confirmed', 'Returned')`;

/** Of days $3 ≤ day < $4 those that lie in $5 ≤ day < $6, and all of them. */
export const keptBoundsSql = statement(
  'deliveries.kept_bounds',
  `SELECT coalesce(sum(deliveries) FILTER (WHERE day >= $5::date AND day < $6::date), 0)::bigint AS "atLeast",
          coalesce(sum(deliveries), 0)::bigint AS "atMost"
   FROM delivery_count WHERE buyer_key = $1 AND day >= $3::date AND day < $4::date AND ${KEPT}`,
);

/** Whole days $3 ≤ day < $4 by their counts, with the parts of days at both ends added or taken away. */
export const countKeptSql = statement(
  'deliveries.count_kept',
  `SELECT ((SELECT coalesce(sum(deliveries), 0) FROM delivery_count
            WHERE buyer_key = $1 AND day >= $3::date AND day < $4::date AND ${KEPT})
         + (SELECT coalesce(sum(part.sign * inside.kept), 0)
            FROM unnest($5::timestamptz[], $6::timestamptz[], $7::int[]) AS part (starts_at, ends_at, sign),
            LATERAL (SELECT count(*) AS kept FROM delivery
                     WHERE buyer_key = $1 AND delivered_at >= part.starts_at AND delivered_at < part.ends_at AND ${KEPT}) AS inside
           ))::bigint AS kept`,
);
