// The SQL of sending deliveries again on request.
import { statement } from '../../platform/database/database.ts';
import type { DeliveryId, LeadId, Uuid } from '../../base/ids.ts';
import type { EventType, DeliveryStatus, FailedSale, LeadDelivery } from '../delivery.ts';

export type Redeliverable = {
  readonly deliveryId: DeliveryId;
  readonly buyerKey: string;
  readonly refNumber: number;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
};

export type RedeliverableRow = Redeliverable & {
  readonly channel: string | null;
  readonly hasWebhook: boolean;
  readonly isDisabled: boolean;
  readonly isErased: boolean;
  /** It has a job that waits or runs. */
  readonly isQueued: boolean;
  /** Another partner has bought its lead exclusively. */
  readonly isSoldOn: boolean;
};

/** $buyerKey: only this buyer's deliveries; null for all. */
export const selectRedeliverable = statement<
  { readonly deliveryIds: readonly DeliveryId[]; readonly buyerKey: string | null },
  RedeliverableRow
>(
  'redelivery.select',
  `SELECT d.delivery_id AS "deliveryId", d.buyer_key AS "buyerKey", d.ref_number AS "refNumber", d.event_type AS "eventType",
          d.status, d.channel, b.webhook_url IS NOT NULL AS "hasWebhook", b.endpoint_disabled_at IS NOT NULL AS "isDisabled",
          l.erased_at IS NOT NULL AS "isErased",
          EXISTS (SELECT FROM send_job s WHERE s.delivery_id = d.delivery_id AND s.channel = d.channel) AS "isQueued",
          EXISTS (SELECT FROM delivery o WHERE o.lead_id = d.lead_id AND o.is_exclusive AND o.delivery_id <> d.delivery_id) AS "isSoldOn"
   FROM delivery d JOIN lead l ON l.lead_id = d.lead_id JOIN buyer b ON b.buyer_key = d.buyer_key
   WHERE d.delivery_id = ANY($deliveryIds::uuid[]) AND ($buyerKey::text IS NULL OR d.buyer_key = $buyerKey)`,
);

/** A replay that waits for its next attempt is made due; one that is being sent stays unchanged. */
export const insertReplays = statement<{
  readonly deliveryIds: readonly DeliveryId[];
  readonly buyerKeys: readonly string[];
  readonly dueAt: Date;
}>(
  'redelivery.insert',
  `INSERT INTO send_job AS s (delivery_id, channel, buyer_key, due_at, purpose)
   SELECT delivery_id, 'webhook', buyer_key, $dueAt, 'replay'
   FROM unnest($deliveryIds::uuid[], $buyerKeys::text[]) AS u (delivery_id, buyer_key) ORDER BY delivery_id
   ON CONFLICT (delivery_id, channel) DO UPDATE SET due_at = least(s.due_at, EXCLUDED.due_at)
   WHERE s.purpose = 'replay' AND s.attempt_id IS NULL`,
);

/** $limit deliveries of a buyer from $since to $until, oldest first, starting after the one at $afterTime with the id $afterId. */
const sliceOf = (name: string, condition: string) =>
  statement<
    {
      readonly buyerKey: string;
      readonly since: Date;
      readonly until: Date;
      readonly afterTime: Date;
      readonly afterId: Uuid;
      readonly limit: number;
    },
    { deliveryId: DeliveryId; deliveredAt: Date }
  >(
    `redelivery.slice_${name}`,
    `SELECT delivery_id AS "deliveryId", delivered_at AS "deliveredAt" FROM delivery
     WHERE buyer_key = $buyerKey AND delivered_at >= $since AND delivered_at <= $until AND (delivered_at, delivery_id) > ($afterTime, $afterId) AND ${condition}
     ORDER BY delivered_at, delivery_id LIMIT $limit`,
  );

/** Queued in one transaction. */
export const SLICE = 500;

/** One statement per status, so that the planner can choose a partial index. */
export const selectSlice = {
  Failed: sliceOf('failed', 'failed_at IS NOT NULL'),
  Confirmed: sliceOf('confirmed', `status = 'Confirmed'`),
};

/** The Failed deliveries among the ids, with the terms of their sale. */
export const selectFailed = statement<{ readonly deliveryIds: readonly DeliveryId[] }, FailedSale>(
  'redelivery.failed',
  `SELECT d.delivery_id AS "deliveryId", d.buyer_key AS "buyerKey", d.lead_id AS "leadId", d.offer_key AS "offerKey",
          d.supplier_key AS "supplierKey", d.event_type AS "eventType", d.payout_cents AS "payoutCents",
          d.appointment_at AS "appointmentAt", l.fields
   FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
   WHERE d.delivery_id = ANY($deliveryIds::uuid[]) AND d.status = 'Failed' ORDER BY d.delivery_id`,
);

/** Locks all deliveries of leads, in the order of their ids. */
export const lockDeliveriesOfLeadsSql = statement<{ readonly leadIds: readonly LeadId[] }, LeadDelivery>(
  'redelivery.lock_of_leads',
  `SELECT delivery_id AS "deliveryId", lead_id AS "leadId", offer_key AS "offerKey", status, may_have_arrived AS "mayHaveArrived"
   FROM delivery WHERE lead_id = ANY($leadIds::uuid[]) ORDER BY delivery_id FOR UPDATE`,
);

/**
 * Failed → Pending, together with the counts and a new job. If the partner may have received it before, the job starts as uncertain, so that
 * no later failure counts as certain.
 */
export const reopenDeliveriesSql = statement<{
  readonly deliveryIds: readonly DeliveryId[];
  readonly isExclusives: readonly boolean[];
  readonly capWindows: readonly string[];
  readonly dueAt: Date;
}>(
  'redelivery.reopen',
  `WITH wanted AS (
     SELECT * FROM unnest($deliveryIds::uuid[], $isExclusives::bool[], $capWindows::text[]) AS u (delivery_id, is_exclusive, cap_windows)
   ), old AS (
     SELECT d.delivery_id, d.may_have_arrived FROM delivery d JOIN wanted USING (delivery_id) WHERE d.status = 'Failed'
   ), changed AS (
     UPDATE delivery d SET status = 'Pending', failed_at = NULL, failure = NULL, may_have_arrived = false, is_exclusive = w.is_exclusive,
            cap_windows = w.cap_windows::jsonb
     FROM wanted w WHERE d.delivery_id = w.delivery_id AND d.status = 'Failed'
     RETURNING d.delivery_id, d.channel, d.buyer_key, d.offer_key, d.event_type, d.payout_cents, (d.delivered_at AT TIME ZONE 'UTC')::date AS day
   ), queued AS (
     INSERT INTO send_job (delivery_id, channel, buyer_key, due_at, uncertain)
     SELECT c.delivery_id, c.channel, c.buyer_key, $dueAt, old.may_have_arrived::int FROM changed c JOIN old USING (delivery_id)
   ), counted AS (
     INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
     SELECT buyer_key, day, s.status, event_type, offer_key, s.step * count(*), s.step * sum(payout_cents)
     FROM changed, (VALUES ('Failed', -1), ('Pending', 1)) AS s (status, step) GROUP BY buyer_key, day, s.status, event_type, offer_key, s.step
   )
   SELECT delivery_id AS "deliveryId" FROM changed`,
);

export type PriceableRow = Pick<
  FailedSale,
  'deliveryId' | 'leadId' | 'buyerKey' | 'offerKey' | 'eventType' | 'payoutCents' | 'fields'
> & {
  readonly refNumber: number;
  readonly status: DeliveryStatus;
  /** The bounds of the price that the partner may name; null where it is fixed. */
  readonly priceMinCents: number | null;
  readonly priceMaxCents: number | null;
  readonly mayHaveArrived: boolean;
  /** It has a job that waits or runs. */
  readonly isQueued: boolean;
  /** No attempt was accepted, so that an operator has confirmed it. */
  readonly isPricedByHand: boolean;
};

export const selectPriceable = statement<{ readonly deliveryId: DeliveryId }, PriceableRow>(
  'redelivery.priceable',
  `SELECT d.delivery_id AS "deliveryId", d.lead_id AS "leadId", d.buyer_key AS "buyerKey", d.offer_key AS "offerKey",
          d.event_type AS "eventType", d.payout_cents AS "payoutCents", d.ref_number AS "refNumber", d.status, l.fields,
          d.price_min_cents AS "priceMinCents", d.price_max_cents AS "priceMaxCents", d.may_have_arrived AS "mayHaveArrived",
          EXISTS (SELECT FROM send_job s WHERE s.delivery_id = d.delivery_id AND s.channel = d.channel) AS "isQueued",
          NOT EXISTS (SELECT FROM attempt a WHERE a.delivery_id = d.delivery_id AND a.channel = d.channel AND a.state = 'succeeded') AS "isPricedByHand"
   FROM delivery d JOIN lead l ON l.lead_id = d.lead_id WHERE d.delivery_id = $deliveryId`,
);

/** The job of a sale that is not sent after all. */
export const dropSale = statement<{ readonly deliveryId: DeliveryId }>(
  'redelivery.drop_sale',
  `DELETE FROM send_job s USING delivery d
   WHERE d.delivery_id = $deliveryId AND s.delivery_id = d.delivery_id AND s.channel = d.channel AND s.purpose = 'sale'`,
);

export type FailedGroup = {
  readonly buyerKey: string;
  readonly buyerName: string;
  readonly channel: string | null;
  readonly reason: string | null;
  readonly deliveries: number;
  readonly latestAt: Date;
};

const REASON = `coalesce(last.error, CASE WHEN last.response_code IS NOT NULL THEN 'HTTP ' || last.response_code END)`;

const LAST_ATTEMPT = `LEFT JOIN LATERAL (
    SELECT at, state, response_code, error FROM attempt a WHERE a.delivery_id = d.delivery_id AND a.channel = d.channel AND state <> 'scheduled'
    ORDER BY attempt_id DESC LIMIT 1) AS last ON true`;

const FAILED = `d.delivery_id AS "deliveryId", d.lead_id AS "leadId", d.buyer_key AS "buyerKey", b.name AS "buyerName",
  d.offer_key AS "offerKey", d.ref_number AS "refNumber", d.event_type AS "eventType", d.payout_cents AS "payoutCents", d.channel,
  d.delivered_at AS "deliveredAt", d.failed_at AS "failedAt", d.may_have_arrived AS "mayHaveArrived",
  d.price_min_cents AS "priceMinCents", d.price_max_cents AS "priceMaxCents",
  last.at AS "lastAttemptAt", last.state AS "lastState", ${REASON} AS reason, l.fields,
  EXISTS (SELECT FROM send_job s WHERE s.delivery_id = d.delivery_id AND s.channel = 'webhook' AND s.purpose = 'replay') AS "isQueued"`;

export type FailedRow = {
  deliveryId: DeliveryId;
  leadId: LeadId;
  buyerKey: string;
  buyerName: string;
  offerKey: string;
  refNumber: number;
  eventType: EventType;
  payoutCents: number;
  channel: string | null;
  deliveredAt: Date;
  failedAt: Date;
  mayHaveArrived: boolean;
  priceMinCents: number | null;
  priceMaxCents: number | null;
  lastAttemptAt: Date | null;
  lastState: string | null;
  reason: string | null;
  fields: string | null;
  isQueued: boolean;
};

type Direction = 'ASC' | 'DESC';

/** $limit failed deliveries in the order of `time`, starting after the delivery $after, or at the first if there is none. */
const partOf = (time: string, condition: string, direction: Direction = 'DESC'): string => {
  const [isAfter, start] = direction === 'ASC' ? ['>', '-infinity'] : ['<', 'infinity'];
  return `SELECT * FROM delivery
   WHERE failed_at IS NOT NULL AND ${condition}
     AND (${time}, delivery_id) ${isAfter} (coalesce((SELECT ${time} FROM delivery WHERE delivery_id = $after), '${start}'), $after)
   ORDER BY ${time} ${direction}, delivery_id ${direction} LIMIT $limit`;
};

type Part = { readonly after: Uuid; readonly limit: number };

const OF_VERTICAL = `($verticalMark::text IS NULL OR EXISTS (
  SELECT FROM lead l WHERE l.lead_id = delivery.lead_id AND strpos(split_part(l.fields, ',"extra":{', 1), $verticalMark) > 0))`;

const failedOf = (name: string, condition: string) => {
  const ordered = (full: string, direction: Direction) =>
    statement<Part & { readonly verticalMark: string | null; readonly buyerKey?: string }, FailedRow>(
      `deliveries.console_failed_${full}`,
      `SELECT ${FAILED} FROM (${partOf('failed_at', `${condition} AND ${OF_VERTICAL}`, direction)}) AS d
       JOIN buyer b ON b.buyer_key = d.buyer_key LEFT JOIN lead l ON l.lead_id = d.lead_id ${LAST_ATTEMPT}
       ORDER BY d.failed_at ${direction}, d.delivery_id ${direction}`,
    );
  return { newest: ordered(name, 'DESC'), oldest: ordered(`oldest_${name}`, 'ASC') };
};

/** By the time of failure. */
export const failedDeliveries = {
  any: failedOf('any', 'true'),
  ofBuyer: failedOf('of_buyer', 'buyer_key = $buyerKey'),
};

export type FailedSums = { readonly scanned: number; readonly rows: number; readonly cents: number };

/** Of the latest $limit failures, those of the vertical and what they would have cost. */
const sumOf = (name: string, condition: string) =>
  statement<Part & { readonly verticalMark: string | null; readonly buyerKey?: string }, FailedSums>(
    `deliveries.console_failed_sum_${name}`,
    `WITH latest AS (${partOf('failed_at', condition)})
     SELECT (SELECT count(*) FROM latest) AS scanned, count(*) AS rows, coalesce(sum(payout_cents), 0)::bigint AS cents
     FROM latest AS delivery WHERE ${OF_VERTICAL}`,
  );
export const failedSums = {
  any: sumOf('any', 'true'),
  ofBuyer: sumOf('of_buyer', 'buyer_key = $buyerKey'),
};

/** Groups the last $limit failures by partner and reason. */
export const failedGroups = statement<Part, FailedGroup>(
  'deliveries.console_failed_groups',
  `SELECT d.buyer_key AS "buyerKey", b.name AS "buyerName", d.channel, ${REASON} AS reason, count(*) AS deliveries,
          max(d.failed_at) AS "latestAt"
   FROM (${partOf('failed_at', 'true')}) AS d JOIN buyer b ON b.buyer_key = d.buyer_key ${LAST_ATTEMPT}
   GROUP BY 1, 2, 3, 4 ORDER BY count(*) DESC, 1, 3, 4 LIMIT 50`,
);

/**
 * Among a partner's last $limit failures: those that failed for $reason (null for any), have no queued redelivery and were not accepted by
 * an earlier one; at most $atOnce, oldest first.
 */
export const failedToRetry = statement<
  Part & { readonly buyerKey: string; readonly reason: string | null; readonly atOnce: number },
  { deliveryId: DeliveryId }
>(
  'deliveries.console_failed_to_retry',
  `SELECT d.delivery_id AS "deliveryId" FROM (${partOf('delivered_at', 'buyer_key = $buyerKey')}) AS d ${LAST_ATTEMPT}
   WHERE d.channel = 'webhook' AND ($reason::text IS NULL OR ${REASON} = $reason)
     AND NOT EXISTS (SELECT FROM send_job s WHERE s.delivery_id = d.delivery_id AND s.channel = 'webhook' AND s.purpose = 'replay')
     AND NOT EXISTS (SELECT FROM attempt a WHERE a.delivery_id = d.delivery_id AND a.channel = 'webhook' AND a.state = 'succeeded')
   ORDER BY d.delivered_at, d.delivery_id LIMIT $atOnce`,
);
