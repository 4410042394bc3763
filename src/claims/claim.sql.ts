// The SQL of claims, of the months' counts, and of the evidence that other tables hold.
import { statement } from '../platform/database/database.ts';

const CLAIM = `c.claim_id AS "claimId", c.kind, c.buyer_key AS "buyerKey", c.delivery_id AS "deliveryId", d.lead_id AS "leadId",
  d.ref_number AS "refNumber", c.supplier_key AS "supplierKey", c.event_type AS "eventType", d.payout_cents AS "payoutCents", c.reason,
  c.statement, c.evidence_url AS "evidenceUrl", c.status, c.filed_at AS "filedAt", c.decision_due_at AS "decisionDueAt",
  c.decided_at AS "decidedAt", c.decision_note AS "decisionNote", c.decided_by AS "decidedBy", c.credit_cents AS "creditCents",
  c.credit_transfer_id AS "creditTransferId", to_char(c.delivery_month, 'YYYY-MM-DD') AS "deliveryMonth"`;
const FROM = 'claim c JOIN delivery d USING (delivery_id)';

/** Left out where one of the unique keys on claims says that the delivery has another that stands in the way. */
export const insertClaim = statement(
  'claims.insert',
  `INSERT INTO claim (claim_id, kind, buyer_key, delivery_id, supplier_key, event_type, reason, statement, evidence_url, status,
                      filed_at, decision_due_at, delivery_month, evidence)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'submitted', $10, $11, $12::date, $13)
   ON CONFLICT DO NOTHING RETURNING claim_id AS "claimId"`,
);

/** Newest first. Nobody who files or reviews may change them while the delivery is locked. */
export const claimsOfDelivery = statement(
  'claims.of_delivery',
  `SELECT kind, claim_id AS "claimId", status FROM claim WHERE delivery_id = $1 ORDER BY filed_at DESC, claim_id DESC`,
);

/** Of each delivery that has claims the latest, and whether a return was ever denied. */
export const claimsOfDeliveries = statement(
  'claims.of_deliveries',
  `SELECT DISTINCT ON (delivery_id) delivery_id AS "deliveryId", kind, claim_id AS "claimId", status,
          bool_or(kind = 'return' AND status = 'denied') OVER (PARTITION BY delivery_id) AS "returnDenied"
   FROM claim WHERE buyer_key = $1 AND delivery_id = ANY($2::uuid[]) ORDER BY delivery_id, filed_at DESC, claim_id DESC`,
);

const OF_BUYER = 'c.claim_id = $2 AND c.buyer_key = $1 AND c.kind = $3';
export const readClaimSql = statement('claims.read', `SELECT ${CLAIM} FROM ${FROM} WHERE ${OF_BUYER}`);

export const findClaim = statement(
  'claims.find',
  'SELECT delivery_id AS "deliveryId", buyer_key AS "buyerKey" FROM claim WHERE claim_id = $1',
);

export const lockClaimSql = statement(
  'claims.lock',
  `SELECT ${CLAIM} FROM ${FROM} WHERE c.claim_id = $2 AND c.buyer_key = $1 FOR UPDATE OF c`,
);

/** For a claim that this transaction has locked. */
export const moveClaim = statement(
  'claims.move',
  `UPDATE claim SET status = $2, decided_at = $3, decision_note = $4, decided_by = $5, credit_cents = $6, credit_transfer_id = $7
   WHERE claim_id = $1`,
);

export const readClaimsSql = statement(
  'claims.read_some',
  `SELECT ${CLAIM} FROM ${FROM} WHERE c.buyer_key = $1 AND c.claim_id = ANY($2::uuid[])`,
);

export const countClaims = statement(
  'claims.count',
  'SELECT count(*) AS total FROM claim WHERE buyer_key = $1 AND kind = $2',
);

export const pageOfClaims = statement(
  'claims.page',
  `SELECT ${CLAIM} FROM (
     SELECT * FROM claim WHERE buyer_key = $1 AND kind = $2 ORDER BY filed_at DESC, claim_id DESC OFFSET $3 LIMIT $4
   ) c JOIN delivery d USING (delivery_id) ORDER BY c.filed_at DESC, c.claim_id DESC`,
);

/** Of one delivery, newest first. */
export const claimsOnDelivery = statement(
  'claims.on_delivery',
  `SELECT ${CLAIM} FROM ${FROM} WHERE c.buyer_key = $1 AND c.delivery_id = $2 ORDER BY c.filed_at DESC, c.claim_id DESC`,
);

/** A statement for each filter, so that the planner may know an index for it. $2 kind, $3 status, where there is one. */
const filtered = (name: string, conditions: string) => ({
  count: statement(
    `claims.count_${name}`,
    `SELECT count(*) AS total FROM claim WHERE buyer_key = $1 AND ${conditions}`,
  ),
  page: statement(
    `claims.page_${name}`,
    `SELECT ${CLAIM} FROM (
       SELECT * FROM claim WHERE buyer_key = $1 AND ${conditions} ORDER BY filed_at DESC, claim_id DESC OFFSET $4 LIMIT $5
     ) c JOIN delivery d USING (delivery_id) ORDER BY c.filed_at DESC, c.claim_id DESC`,
  ),
});
export const claimsOfBuyer = {
  any: filtered('any', '$2::text IS NULL AND $3::text IS NULL'),
  ofKind: filtered('of_kind', 'kind = $2 AND $3::text IS NULL'),
  ofStatus: filtered('of_buyer_status', '$2::text IS NULL AND status = $3'),
  ofBoth: filtered('of_kind_and_status', 'kind = $2 AND status = $3'),
};

/** For the operator, from behind a claim: $3 and $4. Two statements, because only an exact status leads the planner to the index by status. */
const listed = (name: string, condition: string) =>
  statement(
    `claims.list_${name}`,
    `SELECT ${CLAIM} FROM (
       SELECT * FROM claim WHERE ${condition} AND ($2::text IS NULL OR buyer_key = $2) AND (filed_at, claim_id) < ($3, $4)
       ORDER BY filed_at DESC, claim_id DESC LIMIT $5
     ) c JOIN delivery d USING (delivery_id) ORDER BY c.filed_at DESC, c.claim_id DESC`,
  );
export const listClaimsSql = { any: listed('any', '$1::text IS NULL'), ofStatus: listed('of_status', 'status = $1') };

export const showClaimSql = statement('claims.show', `SELECT ${CLAIM}, c.evidence FROM ${FROM} WHERE c.claim_id = $1`);

/** Makes the row where there is none, locks it, and answers what the last holder left. */
export const lockMonth = statement(
  'claims.lock_month',
  `INSERT INTO claim_month_count AS m (buyer_key, event_type, month, used) VALUES ($1, $2, $3::date, 0)
   ON CONFLICT (buyer_key, event_type, month) DO UPDATE SET used = m.used RETURNING used`,
);

export const changeMonth = statement(
  'claims.change_month',
  'UPDATE claim_month_count SET used = used + $4 WHERE buyer_key = $1 AND event_type = $2 AND month = $3::date RETURNING used',
);

export const readMonths = statement(
  'claims.read_months',
  `SELECT m.event_type AS "eventType", to_char(m.month, 'YYYY-MM-DD') AS month, m.used
   FROM unnest($2::text[], $3::date[]) AS asked (event_type, month)
   JOIN claim_month_count m ON m.buyer_key = $1 AND m.event_type = asked.event_type AND m.month = asked.month`,
);

/** Deliveries that these persons' sales were last made by; every sale is remembered under each of a person's hashes. */
export const deliveriesOfPersons = statement(
  'claims.deliveries_of_persons',
  `SELECT DISTINCT d.delivery_id AS "deliveryId", d.delivered_at AS "deliveredAt", d.status
   FROM person_sale p JOIN delivery d ON d.delivery_id = p.delivery_id
   WHERE p.person_hash = ANY($5::bigint[]) AND p.scope IN ('*', $1) AND d.buyer_key = $1 AND d.delivery_id <> $2
     AND d.delivered_at BETWEEN $3 AND $4
   ORDER BY d.delivered_at, d.delivery_id LIMIT 20`,
);

/** The last definition that was written down by then. */
export const definitionAt = statement(
  'claims.definition_at',
  `SELECT definition FROM config_history WHERE kind = $1 AND key = $2 AND recorded_at <= $3 ORDER BY version DESC LIMIT 1`,
);

/** What people wrote about the lead, and what our data said of it; the decision and the money stay. */
export const eraseClaims = statement(
  'claims.erase',
  `UPDATE claim SET statement = CASE WHEN statement IS NOT NULL THEN $2 END, evidence_url = NULL,
          decision_note = CASE WHEN decision_note IS NOT NULL THEN $2 END, evidence = 'null'
   WHERE delivery_id = ANY($1::uuid[])`,
);

export { CLAIM as claimColumns, FROM as claimTables };

/** For the operator: of every delivery of a lead, newest first. */
export const claimsOfLeadSql = statement(
  'claims.of_lead',
  `SELECT ${CLAIM} FROM ${FROM} WHERE d.lead_id = $1 ORDER BY c.filed_at DESC, c.claim_id DESC LIMIT 200`,
);
