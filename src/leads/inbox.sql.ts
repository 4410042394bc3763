// SQL statements for the routing inbox: the leads that wait for a decision.
import type { LeadId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import { firstOfEach } from '../platform/database/loose-index-scan.ts';
import type { ClaimedLead, WithdrawnLead } from './stored-lead.ts';

/** Above the largest batch; a limit for the planner, which takes that of a parameter for a tenth of the table. */
const LEADS_AT_ONCE = 1000;

/**
 * Removes due leads from the inbox for the transaction that decides on them: first an equal share of each supplier that has any, so that the
 * backlog of one delays no other, and then the oldest of all. The comparison of rows keeps the planner from the index by time alone, in
 * which the leads of one supplier may lie behind all of another's.
 */
export const claimDueLeadsSql = statement<{ readonly now: Date; readonly limit: number }, ClaimedLead>(
  'leads.claim_due',
  `WITH RECURSIVE oldest AS (${firstOfEach('oldest', 'routing_inbox', ['supplier_key'], 'due_at')}),
   waiting AS MATERIALIZED (
     SELECT supplier_key FROM oldest WHERE due_at <= $now ORDER BY due_at
   ), share AS MATERIALIZED (
     SELECT ($limit::bigint - 1) / greatest(count(*), 1) + 1 AS leads FROM waiting
   ), fair AS MATERIALIZED (
     SELECT first.place FROM waiting w CROSS JOIN LATERAL (
       SELECT ctid AS place FROM routing_inbox i
       WHERE (i.supplier_key, i.due_at) <= (w.supplier_key, $now) AND (i.supplier_key, i.due_at) >= (w.supplier_key, '-infinity')
       ORDER BY i.supplier_key, i.due_at, i.lead_id LIMIT (SELECT leads FROM share) FOR UPDATE SKIP LOCKED) AS first
     LIMIT $limit
   ), rest AS MATERIALIZED (
     SELECT place FROM (
       SELECT i.ctid AS place FROM routing_inbox i WHERE i.due_at <= $now AND NOT EXISTS (SELECT FROM fair f WHERE f.place = i.ctid)
       ORDER BY i.due_at, i.lead_id LIMIT ${LEADS_AT_ONCE} FOR UPDATE OF i SKIP LOCKED) AS due
     LIMIT (SELECT $limit - count(*) FROM fair)
   ), taken AS (
     DELETE FROM routing_inbox i WHERE i.ctid = ANY (ARRAY(SELECT place FROM fair UNION ALL SELECT place FROM rest))
     RETURNING i.due_at, i.lead_id
   )
   SELECT t.due_at AS "dueAt", t.lead_id AS "leadId", l.supplier_key AS "supplierKey", l.external_id AS "externalId", l.is_test AS "isTest",
          l.state, l.score, l.received_at AS "receivedAt", l.fields
   FROM taken t JOIN lead l USING (lead_id) WHERE l.state IN ('received', 'held') ORDER BY t.due_at, t.lead_id`,
);

/**
 * Suppliers with a lead that became due before $before, and at least $leads in the inbox. None while no worker was seen since
 * $workerSeenSince: then the leads wait for a worker, and not for each other.
 */
export const selectOverdueSuppliers = statement<
  { readonly before: Date; readonly leads: number; readonly workerSeenSince: Date },
  { supplierKey: string; dueAt: Date }
>(
  'leads.overdue_suppliers',
  `WITH RECURSIVE oldest AS (${firstOfEach('oldest', 'routing_inbox', ['supplier_key'], 'due_at')})
   SELECT o.supplier_key AS "supplierKey", o.due_at AS "dueAt" FROM oldest o
   WHERE o.due_at < $before AND EXISTS (
     SELECT FROM routing_inbox i WHERE i.supplier_key = o.supplier_key OFFSET ($leads::bigint - 1) LIMIT 1)
     AND EXISTS (SELECT FROM process_report p WHERE p.role <> 'api' AND p.seen_at >= $workerSeenSince)`,
);

export const withdrawLeadSql = statement<{ readonly leadId: LeadId }, WithdrawnLead>(
  'leads.withdraw',
  `DELETE FROM routing_inbox i USING lead l WHERE i.lead_id = $leadId AND l.lead_id = i.lead_id
   RETURNING i.failures, l.supplier_key AS "supplierKey", l.external_id AS "externalId", l.is_test AS "isTest"`,
);

export const queueLeadsSql = statement<{
  readonly dueTimes: Buffer;
  readonly leadIds: Buffer;
  readonly failures: Buffer;
}>(
  'leads.queue',
  `INSERT INTO routing_inbox (due_at, lead_id, failures, supplier_key)
   SELECT u.due_at, u.lead_id, u.failures, coalesce(l.supplier_key, '')
   FROM unnest($dueTimes::timestamptz[], $leadIds::uuid[], $failures::int2[]) AS u (due_at, lead_id, failures) LEFT JOIN lead l USING (lead_id)`,
);

export const claimInboxEntriesSql = statement<{ readonly leadIds: readonly LeadId[] }, { leadId: LeadId }>(
  'leads.hold_inbox_places',
  `SELECT lead_id AS "leadId" FROM routing_inbox WHERE lead_id = ANY($leadIds::uuid[]) FOR UPDATE SKIP LOCKED`,
);

/** Waits for transactions that are deciding on them. */
export const withdrawLeadsSql = statement<{ readonly leadIds: readonly LeadId[] }>(
  'leads.withdraw_some',
  'DELETE FROM routing_inbox WHERE lead_id = ANY($leadIds::uuid[])',
);
