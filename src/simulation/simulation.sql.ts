// SQL that reads history for simulations: decisions, deliveries and postings. `$from` is the start of the window.
import { statement } from '../platform/database/database.ts';
import type { DeliveryId, LeadId, Uuid } from '../base/ids.ts';
import type { PastDecision, EndpointChange } from './past.ts';
import type { IdentityHash } from '../leads/identity.rules.ts';
import type { CapWindow } from '../base/time.ts';

export type DeliveryRow = {
  deliveryId: DeliveryId;
  leadId: LeadId;
  buyerKey: string;
  offerKey: string;
  payoutCents: number;
  isExclusive: boolean;
  deliveredAt: Date;
  failedAt: Date | null;
  mayHaveArrived: boolean;
  isReturned: boolean;
  appointmentAt: Date | null;
  costModel: 'fixed' | 'share' | null;
  costCents: number | null;
  clawbackDays: number | null;
};

/** The number of decisions to replay, and the oldest configuration version among them. */
export const measureHistory = statement<{ readonly from: Date }, { decisions: number; firstVersion: number | null }>(
  'simulation.measure',
  `SELECT count(*) AS decisions, min(config_version) AS "firstVersion" FROM routing_decision WHERE decided_at >= $from`,
);

/** A cursor, because the order has no index: narrow rows are sorted once instead of once per batch. */
export const openDecisions = statement<{ readonly from: Date }>(
  'simulation.open_decisions',
  `DECLARE replayed NO SCROLL CURSOR FOR
   SELECT lead_id AS "leadId", round FROM routing_decision WHERE decided_at >= $from ORDER BY decided_order`,
);
export type DecisionKey = { leadId: LeadId; round: number };

export const nextDecisions = statement<void, DecisionKey>('simulation.next_decisions', 'FETCH 500 FROM replayed');

export type DecisionRow = {
  leadId: LeadId;
  decidedAt: Date;
  version: number;
  outcome: PastDecision['outcome'];
  trace: string;
  isLast: boolean;
};

/** In the order of the given keys. */
export const selectDecisions = statement<
  { readonly leadIds: readonly LeadId[]; readonly rounds: readonly number[] },
  DecisionRow
>(
  'simulation.decisions',
  `SELECT r.lead_id AS "leadId", r.decided_at AS "decidedAt", r.config_version AS "version", r.outcome, r.trace,
          NOT EXISTS (SELECT FROM routing_decision n WHERE n.lead_id = r.lead_id AND n.round > r.round) AS "isLast"
   FROM unnest($leadIds::uuid[], $rounds::int2[]) WITH ORDINALITY AS u (lead_id, round, place)
   JOIN routing_decision r USING (lead_id, round) ORDER BY u.place`,
);

export type LeadRow = {
  leadId: LeadId;
  supplierKey: string;
  isTest: boolean;
  state: 'received' | 'held' | 'routed' | 'rejected';
  publicStatus: string;
  score: number;
  receivedAt: Date;
  fields: string | null;
};

export const selectLeads = statement<{ readonly leadIds: readonly LeadId[] }, LeadRow>(
  'simulation.leads',
  `SELECT lead_id AS "leadId", supplier_key AS "supplierKey", is_test AS "isTest", state, public_status AS "publicStatus", score,
          received_at AS "receivedAt", fields
   FROM lead WHERE lead_id = ANY($leadIds::uuid[])`,
);

const DELIVERY = `d.delivery_id AS "deliveryId", d.lead_id AS "leadId", d.buyer_key AS "buyerKey", d.offer_key AS "offerKey",
  d.payout_cents AS "payoutCents", d.is_exclusive AS "isExclusive", d.delivered_at AS "deliveredAt", d.failed_at AS "failedAt",
  d.may_have_arrived AS "mayHaveArrived", d.returned_at IS NOT NULL AS "isReturned", d.appointment_at AS "appointmentAt",
  c.model AS "costModel", c.cost_cents AS "costCents", c.clawback_days AS "clawbackDays"`;
// OFFSET 0 makes the planner use the index for each delivery.
const FROM_DELIVERIES = `FROM delivery d
   LEFT JOIN LATERAL (SELECT * FROM delivery_cost WHERE delivery_id = d.delivery_id OFFSET 0) AS c ON true`;

export const selectDeliveries = statement<{ readonly leadIds: readonly LeadId[] }, DeliveryRow>(
  'simulation.deliveries',
  `SELECT ${DELIVERY} ${FROM_DELIVERIES} WHERE d.lead_id = ANY($leadIds::uuid[]) ORDER BY d.delivery_id`,
);

/** For leads whose fields are erased: the identities stored with their deliveries. */
export const selectIdentities = statement<
  { readonly erased: readonly Uuid[] },
  { leadId: LeadId; identities: IdentityHash[] }
>(
  'simulation.identities',
  `SELECT d.lead_id AS "leadId", array_agg(DISTINCT p.person_hash::text) AS identities
   FROM delivery d JOIN person_sale p USING (delivery_id) WHERE d.lead_id = ANY($erased::uuid[]) GROUP BY 1`,
);

/** Sales from $deliveredAt until the start that have not failed. */
export const openPastSales = statement<{ readonly from: Date; readonly deliveredAt: Date }>(
  'simulation.open_past_sales',
  `DECLARE past_sales NO SCROLL CURSOR FOR
   SELECT d.lead_id AS "leadId", d.buyer_key AS "buyerKey", d.is_exclusive AS "isExclusive", d.delivered_at AS "deliveredAt", l.fields
   FROM delivery d JOIN lead l USING (lead_id)
   WHERE d.delivered_at >= $deliveredAt AND d.delivered_at < $from AND d.failed_at IS NULL`,
);
export const nextPastSales = statement<
  void,
  { leadId: LeadId; buyerKey: string; isExclusive: boolean; deliveredAt: Date; fields: string | null }
>('simulation.next_past_sales', 'FETCH 2000 FROM past_sales');

/** Deliveries from before the start that failed after it: until then they held their slots and funds. */
export const selectLateFailures = statement<{ readonly from: Date }, DeliveryRow>(
  'simulation.late_failures',
  `SELECT ${DELIVERY} ${FROM_DELIVERIES} WHERE d.delivered_at < $from AND d.failed_at >= $from`,
);

/** The sales of each offer in its windows at the start; offers, buyers, windows and their starts are parallel lists. */
export const selectCapUse = statement<
  {
    readonly from: Date;
    readonly offerKeys: readonly string[];
    readonly buyerKeys: readonly string[];
    readonly capWindows: readonly string[];
    readonly startsTimes: readonly Date[];
  },
  { offerKey: string; window: CapWindow; startsAt: Date; used: number; usedCents: number }
>(
  'simulation.cap_use',
  `SELECT u.offer_key AS "offerKey", u.cap_window AS "window", u.starts_at AS "startsAt", count(*) AS used,
          sum(d.payout_cents)::bigint AS "usedCents"
   FROM unnest($offerKeys::text[], $buyerKeys::text[], $capWindows::text[], $startsTimes::timestamptz[]) AS u (offer_key, buyer_key, cap_window, starts_at)
   JOIN delivery d ON d.buyer_key = u.buyer_key AND d.offer_key = u.offer_key
     AND d.delivered_at >= u.starts_at AND d.delivered_at < $from AND (d.failed_at IS NULL OR d.failed_at >= $from)
   GROUP BY 1, 2, 3`,
);

export const selectSlotUse = statement<{ readonly from: Date }, { offerKey: string; startsAt: Date; used: number }>(
  'simulation.slot_use',
  `SELECT offer_key AS "offerKey", appointment_at AS "startsAt", count(*) AS used FROM delivery
   WHERE appointment_at >= $from AND delivered_at < $from AND (failed_at IS NULL OR failed_at >= $from) GROUP BY 1, 2`,
);

/** Offers in the order of their last turn before the start: a turn is a sale, and a decision's trace lists its turns in order. */
export const selectTurns = statement<{ readonly from: Date }, { offerKey: string }>(
  'simulation.turns',
  `SELECT o.offer_key AS "offerKey" FROM offer o,
     LATERAL (SELECT d.delivery_id, d.lead_id, d.delivered_at FROM delivery d
              WHERE d.buyer_key = o.buyer_key AND d.offer_key = o.offer_key AND d.delivered_at < $from
              ORDER BY d.delivered_at DESC FETCH FIRST 1 ROW WITH TIES) AS d
   JOIN routing_decision r ON r.lead_id = d.lead_id AND strpos(r.trace, d.delivery_id::text) > 0
   GROUP BY o.offer_key
   ORDER BY max(ARRAY[r.decided_order, strpos(r.trace, d.delivery_id::text)])`,
);

/** The funds of each buyer without the credit limit, with holds and failures since the start undone. */
export const selectFunds = statement<{ readonly from: Date }, { buyerKey: string; cents: number }>(
  'simulation.funds',
  `SELECT a.buyer_key AS "buyerKey",
          (a.balance_cents - a.held_cents
           + coalesce((SELECT sum(d.payout_cents) FROM delivery d WHERE d.buyer_key = a.buyer_key AND d.delivered_at >= $from), 0)
           - coalesce((SELECT sum(d.payout_cents) FROM delivery d WHERE d.buyer_key = a.buyer_key AND d.failed_at >= $from), 0)
          )::bigint AS cents
   FROM account a WHERE a.kind = 'buyer'`,
);

export type PostingRow = { buyerKey: string; amountCents: number; createdAt: Date; deliveryId: DeliveryId | null };

/** All postings but charges, which only turn a hold into a debt. */
export const selectPostings = statement<{ readonly from: Date }, PostingRow>(
  'simulation.postings',
  `SELECT a.buyer_key AS "buyerKey", e.amount_cents AS "amountCents", e.created_at AS "createdAt", t.delivery_id AS "deliveryId"
   FROM transfer t JOIN entry e USING (transfer_id) JOIN account a ON a.account_key = e.account_key AND a.kind = 'buyer'
   WHERE t.created_at >= $from AND t.type <> 'charge' ORDER BY e.created_at, e.account_key, e.account_version`,
);

/** When endpoints were disabled and enabled, by version; the first row of a buyer is its first disabling. */
export const selectEndpoints = statement<void, EndpointChange>(
  'simulation.endpoints',
  `SELECT key AS "buyerKey", version, url AS "webhookUrl", is_disabled AS "isDisabled" FROM (
     SELECT key, version, definition->'settings'->>'webhookUrl' AS url,
            definition->>'endpointDisabledAt' IS NOT NULL AS is_disabled,
            lag(definition->>'endpointDisabledAt' IS NOT NULL, 1, false) OVER (PARTITION BY key ORDER BY version) AS was_disabled
     FROM config_history WHERE kind = 'buyer') AS h
   WHERE is_disabled OR was_disabled ORDER BY version`,
);

export const selectOutages = statement<
  { readonly from: Date },
  { buyerKey: string; openedAt: Date; closedAt: Date | null }
>(
  'simulation.outages',
  `SELECT o.owner_key AS "buyerKey", o.opened_at AS "openedAt", o.closed_at AS "closedAt"
   FROM endpoint_outage o JOIN buyer b ON b.buyer_key = o.owner_key AND b.channels[1] = o.channel
   WHERE o.owner_kind = 'buyer' AND (o.closed_at IS NULL OR o.closed_at > $from)`,
);

/**
 * Changes after $firstVersion that affect decisions or costs: of suppliers only the terms do, retention does not, and disabled endpoints are
 * replayed.
 */
export const countChanges = statement<{ readonly firstVersion: number }, { changes: number }>(
  'simulation.count_changes',
  `SELECT count(DISTINCT version) AS changes FROM (
     SELECT version, after, lag(after) OVER (PARTITION BY kind, key ORDER BY version) AS before
     FROM (SELECT version, kind, key, CASE kind
                    WHEN 'supplier' THEN CASE WHEN definition->'pay'->>'model' <> 'none' THEN definition->'pay' END
                    ELSE definition - '{endpointDisabledAt,retention}'::text[] END AS after
           FROM config_history) AS changed) AS h
   WHERE version > $firstVersion AND after IS DISTINCT FROM before`,
);

export type RecentLead = {
  leadId: LeadId;
  supplierKey: string;
  publicStatus: string;
  score: number;
  receivedAt: Date;
  fields: string | null;
};

/** The latest leads, the last first; rejected submissions, test leads and erased leads have no fields. */
export const selectRecentLeads = statement<{ readonly limit: number }, RecentLead>(
  'simulation.recent_leads',
  `SELECT lead_id AS "leadId", supplier_key AS "supplierKey", public_status AS "publicStatus", coalesce(score, 0) AS score,
          received_at AS "receivedAt", CASE WHEN is_accepted AND NOT is_test THEN fields END AS fields
   FROM lead ORDER BY lead_id DESC LIMIT $limit`,
);
