// The SQL of sending deliveries again on request.
import { statement } from '../platform/database/database.ts';

/** $2: only of this buyer; null for all. */
export const selectRedeliverable = statement(
  'redelivery.select',
  `SELECT d.delivery_id AS "deliveryId", d.buyer_key AS "buyerKey", d.ref_number AS "refNumber", d.event_type AS "eventType",
          d.status, d.channel, b.webhook_url IS NOT NULL AS "hasWebhook", b.endpoint_disabled_at IS NOT NULL AS "isDisabled",
          l.erased_at IS NOT NULL AS "isErased"
   FROM delivery d JOIN lead l ON l.lead_id = d.lead_id JOIN buyer b ON b.buyer_key = d.buyer_key
   WHERE d.delivery_id = ANY($1::uuid[]) AND ($2::text IS NULL OR d.buyer_key = $2)`,
);

/** One that waits for its next attempt is made due, one that is under way is left alone. */
export const insertReplays = statement(
  'redelivery.insert',
  `INSERT INTO send_job AS s (delivery_id, channel, buyer_key, due_at, purpose)
   SELECT delivery_id, 'webhook', buyer_key, $3, 'replay'
   FROM unnest($1::uuid[], $2::text[]) AS u (delivery_id, buyer_key) ORDER BY delivery_id
   ON CONFLICT (delivery_id, channel) DO UPDATE SET due_at = least(s.due_at, EXCLUDED.due_at)
   WHERE s.purpose = 'replay' AND s.attempt_id IS NULL`,
);

/** Deliveries of a buyer from $2 to $5, oldest first, after the one at $3 with the id $4. */
const sliceOf = (name: string, condition: string) =>
  statement(
    `redelivery.slice_${name}`,
    `SELECT delivery_id AS "deliveryId", delivered_at AS "deliveredAt" FROM delivery
     WHERE buyer_key = $1 AND delivered_at >= $2 AND delivered_at <= $5 AND (delivered_at, delivery_id) > ($3, $4) AND ${condition}
     ORDER BY delivered_at, delivery_id LIMIT 500`,
  );

/** A statement for each status, so that the planner may know an index for it. */
export const selectSlice = {
  Failed: sliceOf('failed', 'failed_at IS NOT NULL'),
  Confirmed: sliceOf('confirmed', `status = 'Confirmed'`),
};
