// The SQL of a supplier's submissions as the supplier sees them.
import { FIRST_ID } from '../base/id-time.ts';
import { statement } from '../platform/database/database.ts';
import { FAULTS_JOINED_BY } from './faults.rules.ts';
import type { LeadId, Uuid } from '../base/ids.ts';
import type { PublicStatus } from './settle-leads.ts';
import type { ListedSubmission, StoredSubmission } from './stored-submission.ts';

const LISTED = `lead_id AS "leadId", external_id AS "externalId", is_test AS "isTest", public_status AS "publicStatus", reason, score,
  received_at AS "receivedAt"`;

type WalkedRow =
  | ({ isFound: true } & ListedSubmission & Walked)
  | ({ isFound: false } & { readonly [Name in keyof ListedSubmission]: null } & Walked);
type Walked = { walked: number; lastId: LeadId | null; lastAt: Date | null };

/**
 * Walks from $beforeId on towards older ones, at most $lookedAtMost of them, and answers those wanted, at most $limit, with how far it
 * came. The walk has an end because most of what is asked for stands in no index: one on what changes would make every change dearer.
 * Both columns are compared at once, because for "this supplier" alone the planner may walk through the leads of all.
 */
const walk = (name: string, kind: string) =>
  statement<
    {
      readonly supplierKey: string;
      readonly beforeId: Uuid;
      readonly lookedAtMost: number;
      readonly limit: number;
      readonly statuses: readonly PublicStatus[] | null;
      readonly reason: string | null;
    },
    WalkedRow
  >(
    `leads.walk_${name}`,
    `WITH walked AS MATERIALIZED (
       SELECT lead_id, external_id, is_test, public_status, reason, score, received_at FROM lead
       WHERE (supplier_key, lead_id) < ($supplierKey, $beforeId) AND (supplier_key, lead_id) >= ($supplierKey, '${FIRST_ID}') ${kind}
       ORDER BY supplier_key DESC, lead_id DESC LIMIT $lookedAtMost
     ), found AS (
       SELECT * FROM walked
       WHERE ($statuses::text[] IS NULL OR (NOT is_test AND public_status = ANY($statuses)))
         AND ($reason::text IS NULL OR $reason = ANY(string_to_array(reason, '${FAULTS_JOINED_BY}')))
       ORDER BY lead_id DESC LIMIT $limit
     ), last AS (
       SELECT lead_id, received_at FROM walked ORDER BY lead_id LIMIT 1
     )
     SELECT (SELECT count(*) FROM walked) AS walked, (SELECT lead_id FROM last) AS "lastId", (SELECT received_at FROM last) AS "lastAt",
            f.lead_id IS NOT NULL AS "isFound", f.lead_id AS "leadId", f.external_id AS "externalId", f.is_test AS "isTest",
            f.public_status AS "publicStatus", f.reason, f.score, f.received_at AS "receivedAt"
     FROM (SELECT 1) AS one LEFT JOIN found f ON true ORDER BY f.lead_id DESC`,
  );

export const walkAll = walk('all', '');
export const walkRefused = walk('refused', 'AND NOT is_accepted');
export const walkTests = walk('tests', 'AND is_test');

/** Of an external id there is one accepted lead, one accepted test, and any number that was refused: of those the latest. */
export const findByExternalId = statement<
  { readonly supplierKey: string; readonly search: string; readonly limit: number },
  ListedSubmission
>(
  'leads.find_by_external_id',
  `SELECT * FROM (
     (SELECT ${LISTED} FROM lead WHERE supplier_key = $supplierKey AND external_id = $search AND is_accepted AND is_test IN (true, false))
     UNION ALL
     (SELECT ${LISTED} FROM lead WHERE supplier_key = $supplierKey AND external_id = $search AND NOT is_accepted ORDER BY lead_id DESC LIMIT $limit)
   ) AS known ORDER BY "leadId" DESC LIMIT $limit`,
);

/** The accepted lead where there is one, else the latest of the accepted test and what was refused. */
export const findOneByExternalId = statement<
  { readonly supplierKey: string; readonly externalId: string },
  ListedSubmission & { readonly isAccepted: boolean }
>(
  'leads.find_one_by_external_id',
  `SELECT * FROM (
     (SELECT ${LISTED}, is_accepted AS "isAccepted" FROM lead WHERE supplier_key = $supplierKey AND external_id = $externalId AND is_accepted AND is_test IN (true, false))
     UNION ALL
     (SELECT ${LISTED}, is_accepted AS "isAccepted" FROM lead WHERE supplier_key = $supplierKey AND external_id = $externalId AND NOT is_accepted
      ORDER BY lead_id DESC LIMIT 1)
   ) AS known ORDER BY "isAccepted" AND NOT "isTest" DESC, "leadId" DESC LIMIT 1`,
);

export const findById = statement<{ readonly supplierKey: string; readonly leadId: LeadId }, ListedSubmission>(
  'leads.find_of_supplier',
  `SELECT ${LISTED} FROM lead WHERE supplier_key = $supplierKey AND lead_id = $leadId`,
);

export type SubmissionRow = Omit<StoredSubmission, 'reading' | 'lacking' | 'callbacks'> & { fields: string | null };

export const selectSubmission = statement<{ readonly supplierKey: string; readonly leadId: LeadId }, SubmissionRow>(
  'leads.select_submission',
  `SELECT ${LISTED}, is_accepted AS "isAccepted", decided_at AS "decidedAt", fields, raw_body AS "rawBody", raw_body_bytes AS "rawBodyBytes",
          erased_at AS "erasedAt"
   FROM lead WHERE supplier_key = $supplierKey AND lead_id = $leadId`,
);
