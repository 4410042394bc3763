// The SQL of returning deliveries and of what caps on returns are measured by.
import { statement } from '../platform/database/database.ts';
import type { DeliveryId } from '../base/ids.ts';
import type { LockedDelivery } from './delivery-row.ts';

const ONE = `SELECT delivery_id AS "deliveryId", lead_id AS "leadId", offer_key AS "offerKey", supplier_key AS "supplierKey",
          ref_number AS "refNumber", event_type AS "eventType", status, payout_cents AS "payoutCents",
          delivered_at AS "deliveredAt", confirmed_at AS "confirmedAt"
   FROM delivery WHERE delivery_id = $deliveryId AND buyer_key = $buyerKey`;
type OneDelivery = { readonly buyerKey: string; readonly deliveryId: DeliveryId };

export const readDeliverySql = statement<OneDelivery, LockedDelivery>('deliveries.read', ONE);

export const lockDeliverySql = statement<OneDelivery, LockedDelivery>('deliveries.lock', `${ONE} FOR UPDATE`);

/** Confirmed → Returned, with the counts moved along. Nothing else that the sale took is given back: no slot, and no person. */
export const returnDeliverySql = statement<
  { readonly buyerKey: string; readonly deliveryId: DeliveryId; readonly now: Date },
  { deliveryId: DeliveryId }
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

/** Days are `YYYY-MM-DD`. */
type KeptDays = {
  readonly buyerKey: string;
  readonly eventType: string;
  readonly fromDay: string;
  readonly untilDay: string;
};

const KEPT = `event_type = $eventType AND status IN ('Confirmed', 'Returned')`;

/** Of days $fromDay ≤ day < $untilDay those that lie in $innerFrom ≤ day < $innerUntil, and all of them. */
export const keptBoundsSql = statement<
  KeptDays & { readonly innerFrom: string; readonly innerUntil: string },
  { atLeast: number; atMost: number }
>(
  'deliveries.kept_bounds',
  `SELECT coalesce(sum(deliveries) FILTER (WHERE day >= $innerFrom::date AND day < $innerUntil::date), 0)::bigint AS "atLeast",
          coalesce(sum(deliveries), 0)::bigint AS "atMost"
   FROM delivery_count WHERE buyer_key = $buyerKey AND day >= $fromDay::date AND day < $untilDay::date AND ${KEPT}`,
);

/** Whole days $fromDay ≤ day < $untilDay by their counts, with the parts of days at both ends added or taken away. */
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
