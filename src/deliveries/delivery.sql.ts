// The SQL of deliveries: makes, settles, locks, returns and lists them.
import { statement } from '../platform/database/database.ts';
import type { Rejection } from '../platform/outbound/send-outcome.ts';
import { CLOCKS_DIFFER_MS } from '../platform/queue/due-at-once.ts';
import { forEachFilter, listed } from './row-filter.sql.ts';
import type {
  ConfirmedDelivery,
  SoldRow,
  SettledDelivery,
  DeliveryStatus,
  EventType,
  LockedDelivery,
} from './delivery.ts';
import type { DeliveryId, LeadId } from '../base/ids.ts';

/**
 * Inserts deliveries, their costs, their counts, their search terms and a send job for each one with a channel, in one statement. A
 * delivery without a channel is inserted as confirmed, and returned.
 */
export const insertDeliveries = statement<
  {
    readonly deliveryIds: Buffer;
    readonly buyerKeys: Buffer;
    readonly leadIds: Buffer;
    readonly offerKeys: Buffer;
    readonly supplierKeys: Buffer;
    readonly eventTypes: Buffer;
    readonly isExclusives: Buffer;
    readonly payoutsCents: Buffer;
    readonly priceMinsCents: Buffer;
    readonly channels: Buffer;
    readonly capWindows: Buffer;
    readonly appointmentTimes: Buffer;
    readonly now: Date;
    readonly searchNames: Buffer;
    readonly namesFrom2: Buffer;
    readonly namesFrom3: Buffer;
    readonly namesFromLast: Buffer;
    readonly emails: Buffer;
    readonly phones: Buffer;
    readonly returnTimes: Buffer;
    readonly costDeliveryIds: Buffer;
    readonly costModels: Buffer;
    readonly costsCents: Buffer;
    readonly shares: Buffer;
    readonly clawbackDays: Buffer;
    readonly holdDays: Buffer;
  },
  { deliveryId: DeliveryId; refNumber: number }
>(
  'deliveries.insert',
  `WITH made AS (
     INSERT INTO delivery (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, status,
                           payout_cents, price_min_cents, price_max_cents, channel, cap_windows, delivered_at, confirmed_at, appointment_at,
                           return_until)
     SELECT delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive,
            CASE WHEN channel IS NULL THEN 'Confirmed' ELSE 'Pending' END, payout_cents, price_min_cents,
            CASE WHEN price_min_cents IS NOT NULL THEN payout_cents END, channel, cap_windows::jsonb, $now,
            CASE WHEN channel IS NULL THEN $now::timestamptz END, appointment_at, return_until
     FROM unnest($deliveryIds::uuid[], $buyerKeys::text[], $leadIds::uuid[], $offerKeys::text[], $supplierKeys::text[], $eventTypes::text[], $isExclusives::bool[], $payoutsCents::bigint[], $priceMinsCents::bigint[], $channels::text[],
                 $capWindows::text[], $appointmentTimes::timestamptz[], $returnTimes::timestamptz[])
       AS u (delivery_id, buyer_key, lead_id, offer_key, supplier_key, event_type, is_exclusive, payout_cents, price_min_cents, channel,
             cap_windows, appointment_at, return_until)
     RETURNING delivery_id, buyer_key, offer_key, supplier_key, ref_number, event_type, status, payout_cents, channel
   ), queued AS (
     INSERT INTO send_job (delivery_id, channel, buyer_key, due_at)
     SELECT delivery_id, channel, buyer_key, $now::timestamptz - interval '${CLOCKS_DIFFER_MS} milliseconds'
     FROM made WHERE channel IS NOT NULL
   ), searchable AS (
     INSERT INTO delivery_search (delivery_id, buyer_key, name, name_from_2, name_from_3, name_from_last, email, phone)
     SELECT * FROM unnest($deliveryIds::uuid[], $buyerKeys::text[], $searchNames::text[], $namesFrom2::text[], $namesFrom3::text[], $namesFromLast::text[], $emails::text[], $phones::text[])
   ), costed AS (
     INSERT INTO delivery_cost (delivery_id, model, cost_cents, share, clawback_days, hold_days)
     SELECT * FROM unnest($costDeliveryIds::uuid[], $costModels::text[], $costsCents::bigint[], $shares::int2[], $clawbackDays::int2[], $holdDays::int2[])
   ), counted AS (
     INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
     SELECT buyer_key, ($now::timestamptz AT TIME ZONE 'UTC')::date, status, event_type, offer_key, count(*), sum(payout_cents)
     FROM made GROUP BY 1, 2, 3, 4, 5
   ), quality AS (
     INSERT INTO supplier_quality_count (supplier_key, day, confirmed, returned)
     SELECT supplier_key, ($now::timestamptz AT TIME ZONE 'UTC')::date, count(*), 0 FROM made WHERE channel IS NULL GROUP BY 1
   )
   SELECT delivery_id AS "deliveryId", ref_number AS "refNumber" FROM made WHERE channel IS NULL`,
);

/** OFFSET 0 makes the planner use the index for each lead: before the first statistics it would read the whole table. */
export const selectBuyersOfLeads = statement<{ readonly leadIds: Buffer }, { leadId: LeadId; buyerKey: string }>(
  'deliveries.buyers_of_leads',
  `SELECT u.lead_id AS "leadId", d.buyer_key AS "buyerKey" FROM unnest($leadIds::uuid[]) AS u (lead_id)
   CROSS JOIN LATERAL (SELECT buyer_key FROM delivery WHERE lead_id = u.lead_id OFFSET 0) AS d`,
);

/**
 * Pending → Confirmed, together with the counts; deliveries of another status are neither changed nor returned. A price in the partner's
 * response counts where the sale allowed one, within the bounds of the sale; without one the price is what was reserved.
 */
export const confirmDeliveriesSql = statement<
  {
    /** Each one once. */
    readonly deliveryIds: Buffer;
    readonly references: Buffer;
    readonly pricesCents: Buffer;
    readonly now: Date;
  },
  SettledDelivery & ConfirmedDelivery & { readonly costShare: number | null }
>(
  'deliveries.confirm',
  `WITH given AS (
     SELECT * FROM unnest($deliveryIds::uuid[], $references::text[], $pricesCents::bigint[]) AS u (delivery_id, buyer_reference, price_cents)
   ), old AS (
     SELECT d.delivery_id, d.payout_cents AS reserved_cents, g.buyer_reference,
            CASE WHEN d.price_min_cents IS NULL OR g.price_cents IS NULL THEN d.payout_cents
                 ELSE least(greatest(g.price_cents, d.price_min_cents), d.payout_cents) END AS payout_cents
     FROM delivery d JOIN given g USING (delivery_id) WHERE d.status = 'Pending' ORDER BY d.delivery_id FOR UPDATE OF d
   ), changed AS (
     UPDATE delivery d SET status = 'Confirmed', confirmed_at = $now, payout_cents = old.payout_cents, buyer_reference = old.buyer_reference
     FROM old WHERE d.delivery_id = old.delivery_id
     RETURNING d.delivery_id, d.buyer_key, d.lead_id, d.offer_key, d.supplier_key, d.ref_number, d.event_type, d.payout_cents,
               old.reserved_cents, d.cap_windows, d.buyer_reference, (d.delivered_at AT TIME ZONE 'UTC')::date AS day
   ), counted AS (
     INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
     SELECT buyer_key, day, s.status, event_type, offer_key, s.step * count(*),
            s.step * sum(CASE s.status WHEN 'Pending' THEN reserved_cents ELSE payout_cents END)
     FROM changed, (VALUES ('Pending', -1), ('Confirmed', 1)) AS s (status, step) GROUP BY buyer_key, day, s.status, event_type, offer_key, s.step
   ), quality AS (
     INSERT INTO supplier_quality_count (supplier_key, day, confirmed, returned)
     SELECT supplier_key, day, count(*), 0 FROM changed GROUP BY 1, 2
   ), referred AS (
     INSERT INTO delivery_reference (buyer_reference, delivery_id)
     SELECT buyer_reference, delivery_id FROM changed WHERE buyer_reference IS NOT NULL
   )
   SELECT delivery_id AS "deliveryId", buyer_key AS "buyerKey", lead_id AS "leadId", offer_key AS "offerKey",
          supplier_key AS "supplierKey", ref_number AS "refNumber", event_type AS "eventType", payout_cents AS "payoutCents",
          reserved_cents AS "reservedCents", cap_windows AS "capWindows", cost.model AS "costModel", cost.cost_cents AS "costCents",
          cost.share AS "costShare"
   FROM changed LEFT JOIN LATERAL (
     SELECT model, cost_cents, share FROM delivery_cost WHERE delivery_id = changed.delivery_id OFFSET 0) AS cost ON true`,
);

/** The cost of deliveries whose price became another one. */
export const updateCosts = statement<{
  readonly deliveryIds: readonly DeliveryId[];
  readonly costsCents: readonly number[];
}>(
  'deliveries.update_costs',
  `UPDATE delivery_cost c SET cost_cents = u.cost_cents FROM unnest($deliveryIds::uuid[], $costsCents::bigint[]) AS u (delivery_id, cost_cents)
   WHERE c.delivery_id = u.delivery_id`,
);

/**
 * Pending → Failed, together with the counts; deliveries of another status are neither changed nor returned. $failures: `rejected` or
 * `duplicate` where the partner's system said so, else null.
 */
export const failDeliveriesSql = statement<
  {
    /** Each one once. */
    readonly deliveryIds: readonly DeliveryId[];
    readonly maybeArrived: readonly boolean[];
    readonly failures: ReadonlyArray<string | null>;
    readonly now: Date;
  },
  SettledDelivery
>(
  'deliveries.fail',
  `WITH given AS (
     SELECT * FROM unnest($deliveryIds::uuid[], $maybeArrived::bool[], $failures::text[]) AS u (delivery_id, may_have_arrived, failure)
   ), old AS (
     SELECT d.delivery_id, g.may_have_arrived, g.failure FROM delivery d JOIN given g USING (delivery_id)
     WHERE d.status = 'Pending' ORDER BY d.delivery_id FOR UPDATE OF d
   ), changed AS (
     UPDATE delivery d SET status = 'Failed', failed_at = $now, is_exclusive = false, may_have_arrived = old.may_have_arrived,
            failure = old.failure
     FROM old WHERE d.delivery_id = old.delivery_id
     RETURNING d.delivery_id, d.buyer_key, d.lead_id, d.offer_key, d.event_type, d.payout_cents, d.cap_windows,
               (d.delivered_at AT TIME ZONE 'UTC')::date AS day
   ), counted AS (
     INSERT INTO delivery_count (buyer_key, day, status, event_type, offer_key, deliveries, payout_cents)
     SELECT buyer_key, day, s.status, event_type, offer_key, s.step * count(*), s.step * sum(payout_cents)
     FROM changed, (VALUES ('Pending', -1), ('Failed', 1)) AS s (status, step) GROUP BY buyer_key, day, s.status, event_type, offer_key, s.step
   )
   SELECT delivery_id AS "deliveryId", buyer_key AS "buyerKey", lead_id AS "leadId", offer_key AS "offerKey", payout_cents AS "payoutCents",
          cap_windows AS "capWindows"
   FROM changed`,
);

/** Leads of failed deliveries that no buyer has or may have: only these may be offered again. */
export const selectUnsoldLeads = statement<{ readonly leadIds: readonly LeadId[] }, { leadId: LeadId }>(
  'deliveries.unsold_leads',
  `SELECT DISTINCT u.lead_id AS "leadId" FROM unnest($leadIds::uuid[]) AS u (lead_id)
   WHERE NOT EXISTS (SELECT FROM delivery d WHERE d.lead_id = u.lead_id AND (d.status <> 'Failed' OR d.may_have_arrived))`,
);

const VIEW = `d.delivery_id AS "deliveryId", d.ref_number AS "refNumber", d.event_type AS "eventType", d.status,
  d.payout_cents AS "payoutCents", d.delivered_at AS "deliveredAt", d.confirmed_at AS "confirmedAt", d.appointment_at AS "appointmentAt",
  d.lead_id AS "leadId", l.fields, d.erased_consent AS "erasedConsent", d.buyer_reference AS "buyerReference",
  d.channel IS NULL AS "isConfirmedAtOnce", d.return_until AS "returnUntil", coalesce(d.price_max_cents, d.payout_cents) AS "soldPayoutCents"`;

/**
 * Deliveries of one buyer, newest first, of the span $from ≤ delivered_at < $until: at most $pageSize rows after the first $skip. Newer
 * days were skipped by their counts.
 */
export const selectPage = forEachFilter((name, condition) =>
  statement<
    {
      readonly buyerKey: string;
      readonly from: Date;
      readonly until: Date;
      readonly skip: number;
      readonly pageSize: number;
    },
    SoldRow
  >(
    `deliveries.page_${name}`,
    `SELECT ${VIEW} FROM (
       SELECT * FROM delivery WHERE ${listed(condition)} ORDER BY delivered_at DESC, delivery_id DESC OFFSET $skip LIMIT $pageSize
     ) d JOIN lead l ON l.lead_id = d.lead_id ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
  ),
);

export type DeliveryOfLead = {
  deliveryId: DeliveryId;
  buyerKey: string;
  offerKey: string;
  refNumber: number;
  eventType: EventType;
  status: DeliveryStatus;
  payoutCents: number;
  channel: string | null;
  deliveredAt: Date;
  confirmedAt: Date | null;
  failedAt: Date | null;
  failure: Rejection | null;
  buyerReference: string | null;
  appointmentAt: Date | null;
};

export const selectOfLead = statement<{ readonly leadId: LeadId }, DeliveryOfLead>(
  'deliveries.of_lead',
  `SELECT delivery_id AS "deliveryId", buyer_key AS "buyerKey", offer_key AS "offerKey", ref_number AS "refNumber",
          event_type AS "eventType", status, payout_cents AS "payoutCents", channel, delivered_at AS "deliveredAt",
          confirmed_at AS "confirmedAt", failed_at AS "failedAt", CASE WHEN status = 'Failed' THEN failure END AS failure,
          buyer_reference AS "buyerReference", appointment_at AS "appointmentAt"
   FROM delivery WHERE lead_id = $leadId ORDER BY delivery_id`,
);

export const selectLeadOfDelivery = statement<{ readonly deliveryId: DeliveryId }, { leadId: LeadId }>(
  'deliveries.lead_of',
  `SELECT lead_id AS "leadId" FROM delivery WHERE delivery_id = $deliveryId`,
);

export { VIEW as deliveryViewColumns };

const LOCKED = `SELECT delivery_id AS "deliveryId", lead_id AS "leadId", offer_key AS "offerKey", supplier_key AS "supplierKey",
          ref_number AS "refNumber", event_type AS "eventType", status, payout_cents AS "payoutCents",
          delivered_at AS "deliveredAt", confirmed_at AS "confirmedAt"
   FROM delivery WHERE buyer_key = $buyerKey AND`;
const ONE = `${LOCKED} delivery_id = $deliveryId`;

type OneDelivery = { readonly buyerKey: string; readonly deliveryId: DeliveryId };

export const readDeliverySql = statement<OneDelivery, LockedDelivery>('deliveries.read', ONE);

export const lockDeliverySql = statement<OneDelivery, LockedDelivery>('deliveries.lock', `${ONE} FOR UPDATE`);

export const lockSomeDeliveriesSql = statement<
  { readonly buyerKey: string; readonly deliveryIds: readonly DeliveryId[] },
  LockedDelivery
>('deliveries.lock_some', `${LOCKED} delivery_id = ANY($deliveryIds::uuid[]) ORDER BY delivery_id FOR UPDATE`);

/** Confirmed → Returned, together with the counts. The cap slot stays taken, and the contact still counts as sold. */
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

/** One statement, so that both sums are from one instant. */
export const countWrongHolds = statement<void, { partners: number }>(
  'deliveries.count_wrong_holds',
  `WITH pending AS (SELECT buyer_key, sum(payout_cents) AS cents FROM delivery WHERE status = 'Pending' GROUP BY buyer_key)
   SELECT count(*) AS partners FROM (SELECT buyer_key, held_cents FROM account WHERE kind = 'buyer') AS held
   FULL JOIN pending USING (buyer_key) WHERE coalesce(held.held_cents, 0) <> coalesce(pending.cents, 0)`,
);

export type SaleRow = {
  leadId: LeadId;
  deliveryId: DeliveryId;
  buyerKey: string;
  offerKey: string;
  status: DeliveryStatus;
  payoutCents: number;
};

/** OFFSET 0 makes the planner use the index for each lead. */
export const selectSales = statement<{ readonly leadIds: readonly LeadId[] }, SaleRow>(
  'deliveries.console_sales_of_leads',
  `SELECT u.lead_id AS "leadId", d.delivery_id AS "deliveryId", d.buyer_key AS "buyerKey", d.offer_key AS "offerKey", d.status,
          d.payout_cents AS "payoutCents"
   FROM unnest($leadIds::uuid[]) AS u (lead_id) CROSS JOIN LATERAL (
     SELECT * FROM delivery WHERE lead_id = u.lead_id OFFSET 0) AS d ORDER BY d.delivery_id`,
);
