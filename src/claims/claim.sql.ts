// SQL on claims, on the monthly counts of returns, and on the evidence in other tables.
import { statement } from '../platform/database/database.ts';
import type { ClaimId, DeliveryId, LeadId, TransferId, Uuid } from '../base/ids.ts';
import type { ClaimKind, ClaimStatus } from '../buyers/claim-status.ts';
import type { ClaimState } from '../buyers/return-window.rules.ts';
import type { Claim, ClaimSums } from './claim.ts';
import type { EventType, DeliveryStatus } from '../deliveries/delivery.ts';

const CLAIM = `c.claim_id AS "claimId", c.kind, c.buyer_key AS "buyerKey", c.delivery_id AS "deliveryId", d.lead_id AS "leadId",
  d.ref_number AS "refNumber", c.supplier_key AS "supplierKey", c.event_type AS "eventType", d.payout_cents AS "payoutCents", c.reason,
  c.statement, c.evidence_url AS "evidenceUrl", c.status, c.filed_at AS "filedAt", c.decision_due_at AS "decisionDueAt",
  c.decided_at AS "decidedAt", c.decision_note AS "decisionNote", c.decided_by AS "decidedBy", c.credit_cents AS "creditCents",
  c.credit_transfer_id AS "creditTransferId", to_char(c.delivery_month, 'YYYY-MM-DD') AS "deliveryMonth"`;
const FROM = 'claim c JOIN delivery d USING (delivery_id)';

/** Inserts nothing if a unique key shows that another claim on the delivery forbids this one. */
export const insertClaim = statement<{
  readonly claimId: ClaimId;
  readonly kind: string;
  readonly buyerKey: string;
  readonly deliveryId: DeliveryId;
  readonly supplierKey: string;
  readonly eventType: string;
  readonly reason: string;
  readonly statement: string | null;
  readonly evidenceUrl: string | null;
  readonly now: Date;
  readonly decisionDueAt: Date;
  readonly deliveryMonth: string;
  readonly evidence: string;
}>(
  'claims.insert',
  `INSERT INTO claim (claim_id, kind, buyer_key, delivery_id, supplier_key, event_type, reason, statement, evidence_url, status,
                      filed_at, decision_due_at, delivery_month, evidence)
   VALUES ($claimId, $kind, $buyerKey, $deliveryId, $supplierKey, $eventType, $reason, $statement, $evidenceUrl, 'submitted', $now, $decisionDueAt, $deliveryMonth::date, $evidence)
   ON CONFLICT DO NOTHING RETURNING claim_id AS "claimId"`,
);

export type Earlier = ClaimState & { readonly claimId: ClaimId };

/** Newest first. They cannot change while the delivery is locked. */
export const claimsOfDelivery = statement<{ readonly deliveryId: DeliveryId }, Earlier>(
  'claims.of_delivery',
  `SELECT kind, claim_id AS "claimId", status FROM claim WHERE delivery_id = $deliveryId ORDER BY filed_at DESC, claim_id DESC`,
);

export type Latest = {
  deliveryId: DeliveryId;
  kind: ClaimKind;
  claimId: ClaimId;
  status: ClaimStatus;
  returnDenied: boolean;
};

/** The latest claim on each delivery that has any, and whether a return was ever denied. */
export const claimsOfDeliveries = statement<
  { readonly buyerKey: string; readonly deliveryIds: readonly DeliveryId[] },
  Latest
>(
  'claims.of_deliveries',
  `SELECT DISTINCT ON (delivery_id) delivery_id AS "deliveryId", kind, claim_id AS "claimId", status,
          bool_or(kind = 'return' AND status = 'denied') OVER (PARTITION BY delivery_id) AS "returnDenied"
   FROM claim WHERE buyer_key = $buyerKey AND delivery_id = ANY($deliveryIds::uuid[]) ORDER BY delivery_id, filed_at DESC, claim_id DESC`,
);

export const readClaimSql = statement<
  { readonly buyerKey: string; readonly claimId: ClaimId; readonly kind: ClaimKind },
  Claim
>(
  'claims.read',
  `SELECT ${CLAIM} FROM ${FROM} WHERE c.claim_id = $claimId AND c.buyer_key = $buyerKey AND c.kind = $kind`,
);

export const findClaim = statement<{ readonly claimId: ClaimId }, { deliveryId: DeliveryId; buyerKey: string }>(
  'claims.find',
  'SELECT delivery_id AS "deliveryId", buyer_key AS "buyerKey" FROM claim WHERE claim_id = $claimId',
);

export const lockClaimSql = statement<{ readonly buyerKey: string; readonly claimId: ClaimId }, Claim>(
  'claims.lock',
  `SELECT ${CLAIM} FROM ${FROM} WHERE c.claim_id = $claimId AND c.buyer_key = $buyerKey FOR UPDATE OF c`,
);

/** The claim must be locked by this transaction. */
export const moveClaim = statement<{
  readonly claimId: ClaimId;
  readonly status: string;
  readonly decidedAt: Date | null;
  readonly decisionNote: string | null;
  readonly decidedBy: string | null;
  readonly creditCents: number | null;
  readonly creditTransferId: TransferId | null;
}>(
  'claims.move',
  `UPDATE claim SET status = $status, decided_at = $decidedAt, decision_note = $decisionNote, decided_by = $decidedBy, credit_cents = $creditCents, credit_transfer_id = $creditTransferId
   WHERE claim_id = $claimId`,
);

export const readClaimsSql = statement<{ readonly buyerKey: string; readonly claimIds: readonly Uuid[] }, Claim>(
  'claims.read_some',
  `SELECT ${CLAIM} FROM ${FROM} WHERE c.buyer_key = $buyerKey AND c.claim_id = ANY($claimIds::uuid[])`,
);

export const countClaims = statement<{ readonly buyerKey: string; readonly kind: string }, { total: number }>(
  'claims.count',
  'SELECT count(*) AS total FROM claim WHERE buyer_key = $buyerKey AND kind = $kind',
);

export const pageOfClaims = statement<
  { readonly buyerKey: string; readonly kind: string; readonly offset: number; readonly pageSize: number },
  Claim
>(
  'claims.page',
  `SELECT ${CLAIM} FROM (
     SELECT * FROM claim WHERE buyer_key = $buyerKey AND kind = $kind ORDER BY filed_at DESC, claim_id DESC OFFSET $offset LIMIT $pageSize
   ) c JOIN delivery d USING (delivery_id) ORDER BY c.filed_at DESC, c.claim_id DESC`,
);

/** The claims on one delivery, newest first. */
export const claimsOnDelivery = statement<{ readonly buyerKey: string; readonly deliveryId: DeliveryId }, Claim>(
  'claims.on_delivery',
  `SELECT ${CLAIM} FROM ${FROM} WHERE c.buyer_key = $buyerKey AND c.delivery_id = $deliveryId ORDER BY c.filed_at DESC, c.claim_id DESC`,
);

type BuyerFilter = {
  readonly buyerKey: string;
  readonly kind?: ClaimKind | undefined;
  readonly status?: ClaimStatus | undefined;
};

const pageOfFiltered = (name: string, conditions: string, direction: 'ASC' | 'DESC') =>
  statement<BuyerFilter & { readonly offset: number; readonly pageSize: number }, Claim>(
    `claims.page_${name}`,
    `SELECT ${CLAIM} FROM (
       SELECT * FROM claim WHERE buyer_key = $buyerKey AND ${conditions}
       ORDER BY filed_at ${direction}, claim_id ${direction} OFFSET $offset LIMIT $pageSize
     ) c JOIN delivery d USING (delivery_id) ORDER BY c.filed_at ${direction}, c.claim_id ${direction}`,
  );

/** One statement per filter, so that the planner can use an index for it. */
const filtered = (name: string, conditions: string) => ({
  count: statement<BuyerFilter, { total: number }>(
    `claims.count_${name}`,
    `SELECT count(*) AS total FROM claim WHERE buyer_key = $buyerKey AND ${conditions}`,
  ),
  sum: statement<BuyerFilter & { readonly limit: number }, ClaimSums>(
    `claims.sum_${name}`,
    `SELECT count(*) AS rows, coalesce(sum(credit_cents), 0)::bigint AS cents
     FROM (SELECT credit_cents FROM claim WHERE buyer_key = $buyerKey AND ${conditions} LIMIT $limit) AS shown`,
  ),
  newest: pageOfFiltered(name, conditions, 'DESC'),
  oldest: pageOfFiltered(`oldest_${name}`, conditions, 'ASC'),
});
export const claimsOfBuyer = {
  any: filtered('any', 'true'),
  ofKind: filtered('of_kind', 'kind = $kind'),
  ofStatus: filtered('of_buyer_status', 'status = $status'),
  ofBoth: filtered('of_kind_and_status', 'kind = $kind AND status = $status'),
};

/** For the operator, older than a claim. Two statements, because the planner uses the index by status for an exact status only. */
const listed = (name: string, condition: string) =>
  statement<
    {
      readonly status?: ClaimStatus;
      readonly buyerKey: string | null;
      readonly afterTime: Date;
      readonly afterId: Uuid;
      readonly limit: number;
    },
    Claim
  >(
    `claims.list_${name}`,
    `SELECT ${CLAIM} FROM (
       SELECT * FROM claim WHERE ${condition} AND ($buyerKey::text IS NULL OR buyer_key = $buyerKey) AND (filed_at, claim_id) < ($afterTime, $afterId)
       ORDER BY filed_at DESC, claim_id DESC LIMIT $limit
     ) c JOIN delivery d USING (delivery_id) ORDER BY c.filed_at DESC, c.claim_id DESC`,
  );
export const listClaimsSql = { any: listed('any', 'true'), ofStatus: listed('of_status', 'status = $status') };

export const showClaimSql = statement<{ readonly claimId: ClaimId }, Claim & { evidence: string }>(
  'claims.show',
  `SELECT ${CLAIM}, c.evidence FROM ${FROM} WHERE c.claim_id = $claimId`,
);

/** Inserts the row if it is missing, locks it, and returns its count. */
export const lockMonth = statement<
  { readonly buyerKey: string; readonly eventType: string; readonly month: string },
  { used: number }
>(
  'claims.lock_month',
  `INSERT INTO claim_month_count AS m (buyer_key, event_type, month, used) VALUES ($buyerKey, $eventType, $month::date, 0)
   ON CONFLICT (buyer_key, event_type, month) DO UPDATE SET used = m.used RETURNING used`,
);

export const changeMonth = statement<{
  readonly buyerKey: string;
  readonly eventType: string;
  readonly month: string;
  readonly step: number;
}>(
  'claims.change_month',
  'UPDATE claim_month_count SET used = used + $step WHERE buyer_key = $buyerKey AND event_type = $eventType AND month = $month::date RETURNING used',
);

export const readMonths = statement<
  { readonly buyerKey: string; readonly eventTypes: readonly string[]; readonly months: readonly string[] },
  { eventType: EventType; month: string; used: number }
>(
  'claims.read_months',
  `SELECT m.event_type AS "eventType", to_char(m.month, 'YYYY-MM-DD') AS month, m.used
   FROM unnest($eventTypes::text[], $months::date[]) AS asked (event_type, month)
   JOIN claim_month_count m ON m.buyer_key = $buyerKey AND m.event_type = asked.event_type AND m.month = asked.month`,
);

export type OtherDelivery = { deliveryId: DeliveryId; deliveredAt: Date; status: DeliveryStatus };

/** The deliveries of the last sales of these identities; every sale is stored under each hash of a lead. */
export const deliveriesOfIdentities = statement<
  {
    readonly buyerKey: string;
    readonly deliveryId: DeliveryId;
    readonly from: Date;
    readonly until: Date;
    readonly identityHashes: Buffer;
  },
  OtherDelivery
>(
  'claims.deliveries_of_persons',
  `SELECT DISTINCT d.delivery_id AS "deliveryId", d.delivered_at AS "deliveredAt", d.status
   FROM person_sale p JOIN delivery d ON d.delivery_id = p.delivery_id
   WHERE p.person_hash = ANY($identityHashes::bigint[]) AND p.scope IN ('*', $buyerKey) AND d.buyer_key = $buyerKey AND d.delivery_id <> $deliveryId
     AND d.delivered_at BETWEEN $from AND $until
   ORDER BY d.delivered_at, d.delivery_id LIMIT 20`,
);

/** The latest definition recorded at or before $at. */
export const definitionAt = statement<
  { readonly kind: string; readonly key: string; readonly at: Date },
  { definition: unknown }
>(
  'claims.definition_at',
  `SELECT definition FROM config_history WHERE kind = $kind AND key = $key AND recorded_at <= $at ORDER BY version DESC LIMIT 1`,
);

/** Erases free text about the lead and our evidence; decision and credit stay. */
export const eraseClaimsSql = statement<{ readonly deliveryIds: readonly DeliveryId[]; readonly erasedText: string }>(
  'claims.erase',
  `UPDATE claim SET statement = CASE WHEN statement IS NOT NULL THEN $erasedText END, evidence_url = NULL,
          decision_note = CASE WHEN decision_note IS NOT NULL THEN $erasedText END, evidence = 'null'
   WHERE delivery_id = ANY($deliveryIds::uuid[])`,
);

export { CLAIM as claimColumns, FROM as claimTables };

/** For the operator: the claims on all deliveries of a lead, newest first. */
export const claimsOfLead = statement<{ readonly leadId: LeadId }, Claim>(
  'claims.of_lead',
  `SELECT ${CLAIM} FROM ${FROM} WHERE d.lead_id = $leadId ORDER BY c.filed_at DESC, c.claim_id DESC LIMIT 200`,
);
