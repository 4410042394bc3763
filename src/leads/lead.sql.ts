// SQL statements for leads, the routing inbox and the counts per supplier.
import { statement } from '../platform/database/database.ts';
import { SCORE_TENS } from './score-tens.ts';
import type { Uuid, LeadId } from '../base/ids.ts';
import type { SearchableText, LockedLead, StoredLead, LeadToErase } from './stored-lead.ts';

export type StoredMatch = {
  leadId: LeadId;
  supplierKey: string;
  isTest: boolean;
  externalId: string;
  score: number;
  contentHash: Buffer;
};

/** Leads stored under these external ids, for the few that were not inserted. */
export const selectByExternalIds = statement<
  {
    readonly supplierKeys: readonly string[];
    readonly isTests: readonly boolean[];
    readonly externalIds: ReadonlyArray<string | null>;
  },
  StoredMatch
>(
  'leads.select_by_external_ids',
  `SELECT l.lead_id AS "leadId", l.supplier_key AS "supplierKey", l.is_test AS "isTest", l.external_id AS "externalId",
          l.score, l.content_hash AS "contentHash"
   FROM unnest($supplierKeys::text[], $isTests::bool[], $externalIds::text[]) AS u (supplier_key, is_test, external_id)
   JOIN lead l ON l.supplier_key = u.supplier_key AND l.is_test = u.is_test AND l.external_id = u.external_id AND l.is_accepted`,
);

export const lockLeadsSql = statement<{ readonly leadIds: readonly LeadId[] }, LockedLead & { leadId: LeadId }>(
  'leads.lock',
  `SELECT lead_id AS "leadId", public_status AS "publicStatus", state, external_id AS "externalId", erased_at IS NOT NULL AS "isErased"
   FROM lead WHERE lead_id = ANY($leadIds::uuid[]) ORDER BY lead_id FOR UPDATE`,
);

/** Moves leads to a new state and updates the counts, except for test leads. Returns how many had the expected status. */
export const settleLeadsSql = statement<
  {
    readonly leadIds: Buffer;
    readonly oldStatuses: Buffer;
    readonly states: Buffer;
    readonly newStatuses: Buffer;
    readonly reasons: Buffer;
    readonly now: Date;
  },
  { settled: number }
>(
  'leads.settle',
  `WITH changed AS (
     UPDATE lead l SET state = u.state, public_status = u.new_status, reason = u.reason,
                       decided_at = CASE WHEN u.state IN ('routed', 'rejected') THEN $now::timestamptz END
     FROM unnest($leadIds::uuid[], $oldStatuses::text[], $states::text[], $newStatuses::text[], $reasons::text[]) AS u (lead_id, old_status, state, new_status, reason)
     WHERE l.lead_id = u.lead_id AND l.public_status = u.old_status
     RETURNING l.supplier_key, l.is_test, (l.received_at AT TIME ZONE 'UTC')::date AS day, l.score, u.old_status, u.new_status
   ), moved AS (
     SELECT supplier_key, day, old_status AS status, -1 AS step, score FROM changed WHERE NOT is_test AND old_status <> new_status
     UNION ALL
     SELECT supplier_key, day, new_status, 1, score FROM changed WHERE NOT is_test AND old_status <> new_status
   ), counted AS (
     INSERT INTO lead_count (supplier_key, day, public_status, leads, scored, score_sum)
     SELECT supplier_key, day, status, sum(step), sum(step), sum(step * score) FROM moved GROUP BY 1, 2, 3
   )
   SELECT count(*) AS settled FROM changed`,
);

/** Merges the appended counts of a supplier and day into one row per status. Safe beside writers, which only append. */
export const foldLeadCountsSql = statement<{ readonly daysPerCall: number; readonly day: string }>(
  'leads.fold_counts',
  `WITH old AS (
     DELETE FROM lead_count WHERE (supplier_key, day) IN (
       SELECT supplier_key, day FROM lead_count WHERE day >= $day::date GROUP BY 1, 2 HAVING count(*) > 12 LIMIT $daysPerCall)
     RETURNING supplier_key, day, public_status, leads, scored, score_sum, scores_by_ten
   )
   INSERT INTO lead_count (supplier_key, day, public_status, leads, scored, score_sum, scores_by_ten)
   SELECT supplier_key, day, public_status, sum(leads), sum(scored), sum(score_sum),
          CASE WHEN count(scores_by_ten) > 0 THEN ARRAY[${SCORE_TENS.map((_, index) => `sum(scores_by_ten[${index + 1}])::bigint`).join(', ')}] END
   FROM old GROUP BY 1, 2, 3
   HAVING sum(leads) <> 0 OR sum(scored) <> 0 OR sum(score_sum) <> 0 OR count(scores_by_ten) > 0`,
);

export const foldRefusalCounts = statement<{ readonly daysPerCall: number; readonly day: string }>(
  'leads.fold_refusal_counts',
  `WITH old AS (
     DELETE FROM refusal_count WHERE (supplier_key, day) IN (
       SELECT supplier_key, day FROM refusal_count WHERE day >= $day::date
       GROUP BY 1, 2 HAVING count(*) > count(DISTINCT reason) + 12 LIMIT $daysPerCall)
     RETURNING supplier_key, day, reason, leads
   )
   INSERT INTO refusal_count (supplier_key, day, reason, leads)
   SELECT supplier_key, day, reason, sum(leads) FROM old GROUP BY 1, 2, 3`,
);

const LISTED = `lead_id AS "leadId", external_id AS "externalId", supplier_key AS "supplierKey", is_test AS "isTest", state,
  public_status AS "publicStatus", reason, score, received_at AS "receivedAt"`;

export type LeadRow = Omit<StoredLead, 'fields' | 'scoreFactors'> & {
  fields: string | null;
  scoreFactors: string | null;
};

export const selectLead = statement<{ readonly leadId: LeadId }, LeadRow>(
  'leads.select',
  `SELECT ${LISTED}, decided_at AS "decidedAt", score_factors AS "scoreFactors", fields, erased_at AS "erasedAt" FROM lead WHERE lead_id = $leadId`,
);

/** Locks leads in the order that all transactions use. */
export const lockLeadsToEraseSql = statement<{ readonly leadIds: readonly LeadId[] }, LeadToErase>(
  'leads.lock_to_erase',
  `SELECT lead_id AS "leadId", supplier_key AS "supplierKey", external_id AS "externalId", is_test AS "isTest", state,
          public_status AS "publicStatus", is_accepted AS "isAccepted", fields, erased_at AS "erasedAt"
   FROM lead WHERE lead_id = ANY($leadIds::uuid[]) ORDER BY lead_id FOR UPDATE`,
);

/** Clears the content hash as well, from which values could be guessed: a resubmission under the external id is a conflict from then on. */
export const eraseLeadsSql = statement<{ readonly leadIds: Buffer; readonly externalIds: Buffer; readonly now: Date }>(
  'leads.erase',
  `UPDATE lead l SET fields = NULL, raw_body = NULL, raw_body_bytes = NULL, external_id = u.external_id, erased_at = coalesce(l.erased_at, $now),
          content_hash = CASE WHEN l.is_accepted THEN decode(repeat('00', 32), 'hex') END
   FROM unnest($leadIds::uuid[], $externalIds::text[]) AS u (lead_id, external_id) WHERE l.lead_id = u.lead_id`,
);

/** Text of a rejected submission that may contain personal data: its external id and the stored part of its body. */
export const REJECTED_TEXT = `concat_ws(' ', external_id, raw_body)`;

/** The last of the first $leads leads after $start, by id; no row if there are fewer. */
export const endOfLeads = statement<{ readonly start: Uuid; readonly leads: number }, { leadId: LeadId }>(
  'leads.end_of_part',
  `SELECT lead_id AS "leadId" FROM lead WHERE lead_id > $start ORDER BY lead_id OFFSET $leads::int - 1 LIMIT 1`,
);

export type Candidate = SearchableText & { leadId: LeadId };

/**
 * The first $candidates leads after $start up to $leadId (null: the last) that may match a contact: by LIKE patterns in lower case on the
 * fields ($fieldPatterns) or on the text of a rejected submission, which has no fields ($bodyPattern), or by a regular expression for the
 * digits in such a text ($digitsPattern). A null pattern finds nothing.
 */
export const selectContactLeads = statement<
  {
    readonly start: Uuid;
    readonly leadId: LeadId | null;
    readonly fieldPatterns: readonly string[];
    readonly bodyPattern: string | null;
    readonly digitsPattern: string | null;
    readonly candidates: number;
  },
  Candidate
>(
  'leads.like_person',
  `SELECT lead_id AS "leadId", fields, CASE WHEN fields IS NULL THEN ${REJECTED_TEXT} END AS "refusedText" FROM lead
   WHERE lead_id > $start AND lead_id <= coalesce($leadId, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) AND erased_at IS NULL
     AND CASE WHEN fields IS NOT NULL THEN lower(fields) LIKE ANY ($fieldPatterns::text[])
         ELSE lower(${REJECTED_TEXT}) LIKE $bodyPattern OR ${REJECTED_TEXT} ~ $digitsPattern END
   ORDER BY lead_id LIMIT $candidates`,
);

/** Leads that are not erased yet, in the order of their ids, which is the order of time. */
export const selectUnerased = statement<
  { readonly after: Uuid; readonly endId: Uuid; readonly atOnce: number },
  { leadId: LeadId }
>(
  'leads.unerased',
  `SELECT lead_id AS "leadId" FROM lead WHERE lead_id > $after AND lead_id < $endId AND erased_at IS NULL ORDER BY lead_id LIMIT $atOnce`,
);

/** Deletes raw bodies of leads after $after, in the order of their ids. */
export const purgeRawBodiesSql = statement<
  { readonly after: Uuid; readonly endId: Uuid; readonly atOnce: number },
  { lastId: Uuid | null; purged: number }
>(
  'leads.purge_raw_bodies',
  `WITH part AS (
     SELECT lead_id FROM lead WHERE lead_id > $after AND lead_id < $endId ORDER BY lead_id LIMIT $atOnce
   ), purged AS (
     UPDATE lead l SET raw_body = NULL, raw_body_bytes = NULL FROM part WHERE l.lead_id = part.lead_id AND l.raw_body IS NOT NULL RETURNING 1
   )
   SELECT (SELECT lead_id FROM part ORDER BY lead_id DESC LIMIT 1) AS "lastId", (SELECT count(*) FROM purged) AS purged`,
);
