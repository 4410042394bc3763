// SQL that reads the leads that a partner got last.
import type { DeliveryId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';

/** By the index of a partner's deliveries. Fields of erased leads are null. */
export const selectRecentlyBought = statement<
  {
    readonly buyerKey: string;
    readonly since: Date;
    readonly beforeTime: Date;
    readonly beforeId: string;
    readonly limit: number;
  },
  { deliveryId: DeliveryId; deliveredAt: Date; fields: string | null }
>(
  'deliveries.recently_bought',
  `SELECT d.delivery_id AS "deliveryId", d.delivered_at AS "deliveredAt", l.fields
   FROM (
     SELECT delivery_id, delivered_at, lead_id FROM delivery
     WHERE buyer_key = $buyerKey AND delivered_at >= $since AND (delivered_at, delivery_id) < ($beforeTime::timestamptz, $beforeId::uuid)
     ORDER BY delivered_at DESC, delivery_id DESC LIMIT $limit) AS d
   JOIN lead l USING (lead_id) ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
);
