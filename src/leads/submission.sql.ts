// SQL statements for a supplier's own submissions.
import { statement } from '../platform/database/database.ts';
import { ERROR_SEPARATOR } from './field-errors.rules.ts';
import type { LeadId } from '../base/ids.ts';
import { type FactMarks, HAS_FACTS, type LeadSpan, type OldestSpan } from './find-leads.sql.ts';
import type { PublicStatus } from './stored-lead.ts';
import type { ListedSubmission, StoredSubmission } from './stored-submission.ts';

const LISTED = `lead_id AS "leadId", external_id AS "externalId", is_test AS "isTest", public_status AS "publicStatus", reason, score,
  received_at AS "receivedAt"`;

type ScanRow =
  | ({ isFound: true } & ListedSubmission & Scan)
  | ({ isFound: false } & { readonly [Name in keyof ListedSubmission]: null } & Scan);
type Scan = { count: number; lastId: LeadId | null; lastAt: Date | null };

type Direction = 'ASC' | 'DESC';

const SPAN = `supplier_key = $supplierKey AND (supplier_key, lead_id) < ($supplierKey, $beforeId) AND (supplier_key, lead_id) >= ($supplierKey, $fromId)`;
const IN_SPAN = {
  DESC: SPAN,
  ASC: `${SPAN} AND lead_id IS DISTINCT FROM $seenId`,
} as const satisfies Record<Direction, string>;

const scannedAndFound = (kind: string, direction: Direction): string =>
  `scanned AS MATERIALIZED (
       SELECT lead_id, external_id, is_test, public_status, reason, score, received_at, ${HAS_FACTS} AS has_facts FROM lead l
       WHERE ${IN_SPAN[direction]} ${kind}
       ORDER BY supplier_key ${direction}, lead_id ${direction} LIMIT $scanLimit
     ), found AS (
       SELECT * FROM scanned
       WHERE has_facts AND ($statuses::text[] IS NULL OR (NOT is_test AND public_status = ANY($statuses)))
         AND ($reason::text IS NULL OR $reason = ANY(string_to_array(reason, '${ERROR_SEPARATOR}')))
       ORDER BY lead_id ${direction} LIMIT $limit
     )`;

type ScanOf = FactMarks & {
  readonly supplierKey: string;
  readonly scanLimit: number;
  readonly limit: number;
  readonly statuses: readonly PublicStatus[] | null;
  readonly reason: string | null;
};

/**
 * Scans at most $scanLimit submissions of the span, the newest or the oldest first, and returns at most $limit that match, with the end of
 * the scan. The scan is bounded because statuses, reasons and facts are not indexed: an index on columns that change would slow down every
 * change. The row comparisons keep the planner from scanning the leads of all suppliers, and the equality from sorting all leads of one.
 */
const walk = <Span extends LeadSpan>(name: string, kind: string, direction: Direction) =>
  statement<ScanOf & Span, ScanRow>(
    `leads.walk_${name}`,
    `WITH ${scannedAndFound(kind, direction)}, last AS (
       SELECT lead_id, received_at FROM scanned ORDER BY lead_id ${direction === 'DESC' ? 'ASC' : 'DESC'} LIMIT 1
     )
     SELECT (SELECT count(*) FROM scanned) AS count, (SELECT lead_id FROM last) AS "lastId", (SELECT received_at FROM last) AS "lastAt",
            f.lead_id IS NOT NULL AS "isFound", f.lead_id AS "leadId", f.external_id AS "externalId", f.is_test AS "isTest",
            f.public_status AS "publicStatus", f.reason, f.score, f.received_at AS "receivedAt"
     FROM (SELECT 1) AS one LEFT JOIN found f ON true ORDER BY f.lead_id ${direction}`,
  );
const scan = (name: string, kind: string) => ({
  newest: walk<LeadSpan>(name, kind, 'DESC'),
  oldest: walk<OldestSpan>(`oldest_${name}`, kind, 'ASC'),
});

export const scanAll = scan('all', '');
export const scanRejected = scan('refused', 'AND NOT is_accepted');
export const scanTests = scan('tests', 'AND is_test');

/** How many submissions the scan finds, and how many of them were sold; `scanned` shows whether it ended early. */
const sum = (name: string, kind: string) =>
  statement<
    ScanOf & LeadSpan & { readonly soldStatuses: readonly PublicStatus[] },
    { scanned: number; rows: number; sold: number }
  >(
    `leads.sum_${name}`,
    `WITH ${scannedAndFound(kind, 'DESC')}
     SELECT (SELECT count(*) FROM scanned) AS scanned, count(*) AS rows,
            count(*) FILTER (WHERE NOT is_test AND public_status = ANY($soldStatuses::text[])) AS sold FROM found`,
  );

export const sumAll = sum('all', '');
export const sumRejected = sum('refused', 'AND NOT is_accepted');
export const sumTests = sum('tests', 'AND is_test');

/** An external id has at most one accepted lead and one accepted test, and any number of rejected submissions: the latest of all these. */
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

/** The accepted lead if there is one, else the latest test or rejected submission. */
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
