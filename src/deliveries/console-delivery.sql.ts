// The SQL by which the operator's console finds deliveries, of all partners.
import { statement } from '../platform/database/database.ts';
import { deliveriesInRange, forEachKind } from './search/search.sql.ts';
import type { Uuid, DeliveryId, LeadId } from '../base/ids.ts';
import type { EventType } from './delivery-ref.ts';
import type { DeliveryStatus } from './delivery-status.ts';

export type FailedGroup = {
  readonly buyerKey: string;
  readonly buyerName: string;
  readonly channel: string | null;
  readonly reason: string | null;
  readonly deliveries: number;
  readonly latestAt: Date;
};

const IN_RANGE = { buyerKey: 'b.buyer_key', low: '$low', high: '$high', patterns: '$patterns::text[]' };

/** Partner by partner, because terms are a partner's own: one index probe for each, and at most $perPartner terms of each. */
export const leadsOfTerm = forEachKind((kind) =>
  statement<
    {
      readonly low: string;
      readonly high: string;
      readonly patterns: readonly string[];
      readonly perPartner: number;
      readonly atMost: number;
    },
    { readonly leadId: LeadId }
  >(
    `deliveries.console_leads_of_${kind}`,
    `SELECT DISTINCT d.lead_id AS "leadId" FROM (
       SELECT hit.delivery_id FROM buyer b
       CROSS JOIN LATERAL (SELECT * FROM (${deliveriesInRange(kind, IN_RANGE)}) AS inside LIMIT $perPartner) AS hit LIMIT $atMost) AS cut
     JOIN delivery d ON d.delivery_id = cut.delivery_id`,
  ),
);

export const leadsOfReference = statement<
  { readonly deliveryId: DeliveryId | null; readonly refNumber: number | null; readonly eventType: string | null },
  { readonly leadId: LeadId }
>(
  'deliveries.console_leads_of_reference',
  `SELECT lead_id AS "leadId" FROM delivery WHERE delivery_id = $deliveryId
   UNION SELECT lead_id FROM delivery WHERE ref_number = $refNumber AND ($eventType::text IS NULL OR event_type = $eventType)`,
);

export type SaleRow = {
  leadId: LeadId;
  deliveryId: DeliveryId;
  buyerKey: string;
  offerKey: string;
  status: DeliveryStatus;
  payoutCents: number;
};

/** Lead by lead through the index, whatever the planner thinks. */
export const salesOfLeadsSql = statement<{ readonly leadIds: readonly LeadId[] }, SaleRow>(
  'deliveries.console_sales_of_leads',
  `SELECT u.lead_id AS "leadId", d.delivery_id AS "deliveryId", d.buyer_key AS "buyerKey", d.offer_key AS "offerKey", d.status,
          d.payout_cents AS "payoutCents"
   FROM unnest($leadIds::uuid[]) AS u (lead_id) CROSS JOIN LATERAL (
     SELECT * FROM delivery WHERE lead_id = u.lead_id OFFSET 0) AS d ORDER BY d.delivery_id`,
);

const REASON = `coalesce(last.error, CASE WHEN last.response_code IS NOT NULL THEN 'HTTP ' || last.response_code END)`;
const LAST_ATTEMPT = `LEFT JOIN LATERAL (
    SELECT at, state, response_code, error FROM attempt a WHERE a.delivery_id = d.delivery_id AND a.channel = d.channel AND state <> 'scheduled'
    ORDER BY attempt_id DESC LIMIT 1) AS last ON true`;
const FAILED = `d.delivery_id AS "deliveryId", d.lead_id AS "leadId", d.buyer_key AS "buyerKey", b.name AS "buyerName",
  d.offer_key AS "offerKey", d.ref_number AS "refNumber", d.event_type AS "eventType", d.payout_cents AS "payoutCents", d.channel,
  d.delivered_at AS "deliveredAt", d.failed_at AS "failedAt", d.may_have_arrived AS "mayHaveArrived",
  last.at AS "lastAttemptAt", last.state AS "lastState", ${REASON} AS reason,
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
  lastAttemptAt: Date | null;
  lastState: string | null;
  reason: string | null;
  isQueued: boolean;
};

/** In the order of `time`, latest first, from behind the delivery $after, or from the first where there is none; $limit of them. */
const partOf = (time: string, condition: string): string =>
  `SELECT * FROM delivery
   WHERE failed_at IS NOT NULL AND ${condition}
     AND (${time}, delivery_id) < (coalesce((SELECT ${time} FROM delivery WHERE delivery_id = $after), 'infinity'), $after)
   ORDER BY ${time} DESC, delivery_id DESC LIMIT $limit`;
type Part = { readonly after: Uuid; readonly limit: number };

const failedOf = (name: string, time: string, condition: string) =>
  statement<Part & { readonly buyerKey?: string }, FailedRow>(
    `deliveries.console_failed_${name}`,
    `SELECT ${FAILED} FROM (${partOf(time, condition)}) AS d JOIN buyer b ON b.buyer_key = d.buyer_key ${LAST_ATTEMPT}
     ORDER BY d.${time} DESC, d.delivery_id DESC`,
  );

/** Those of a partner, whose index is in the order of delivery; all of them by when they failed. */
export const failedDeliveries = {
  any: failedOf('any', 'failed_at', 'true'),
  ofBuyer: failedOf('of_buyer', 'delivered_at', 'buyer_key = $buyerKey'),
};

/** Of the last $limit failures, told apart by partner and reason. */
export const failedGroups = statement<Part, FailedGroup>(
  'deliveries.console_failed_groups',
  `SELECT d.buyer_key AS "buyerKey", b.name AS "buyerName", d.channel, ${REASON} AS reason, count(*) AS deliveries,
          max(d.failed_at) AS "latestAt"
   FROM (${partOf('failed_at', 'true')}) AS d JOIN buyer b ON b.buyer_key = d.buyer_key ${LAST_ATTEMPT}
   GROUP BY 1, 2, 3, 4 ORDER BY count(*) DESC, 1, 3, 4 LIMIT 50`,
);

/**
 * Of a partner's last $limit failures those that failed for $reason, null for all, that neither wait already nor were taken when they were
 * sent again; at most $atOnce, the oldest first.
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
