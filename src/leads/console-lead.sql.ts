// The SQL by which the operator's console finds leads: newest first, and never more of the table at once than a bounded part.
import { statement } from '../platform/database/database.ts';
import { REFUSED_TEXT } from './lead.sql.ts';
import type { LeadId, Uuid } from '../base/ids.ts';
import type { StoredBody } from './refused-body.rules.ts';
import type { LeadState, PublicStatus } from './settle-leads.ts';
import type { FoundLead } from './stored-lead.ts';

const LISTED = `l.lead_id AS "leadId", l.external_id AS "externalId", l.supplier_key AS "supplierKey", l.is_test AS "isTest", l.state,
  l.public_status AS "publicStatus", l.reason, l.score, l.received_at AS "receivedAt", l.erased_at AS "erasedAt", l.fields`;

export type LeadRow = Omit<FoundLead, 'fullName'> & { readonly fields: string | null };

/** Null for no condition. */
type Filter = { readonly states: readonly LeadState[] | null; readonly statuses: readonly PublicStatus[] | null };
const FILTER = `($states::text[] IS NULL OR l.state = ANY($states))
  AND ($statuses::text[] IS NULL OR l.public_status = ANY($statuses))`;

/** The leads from behind $beforeId back to $fromId. */
export type LeadSpan = { readonly beforeId: Uuid; readonly fromId: Uuid };
const IN_SPAN = 'lead_id < $beforeId AND lead_id >= $fromId';

/** In statements of their own, so that the planner goes along the supplier's index. */
type OfSupplier = { readonly supplierKey: string };
const OF_SUPPLIER = 'AND supplier_key = $supplierKey';

/** The first $limit of a span that the filter lets through, looking at $lookedAtMost. The part ends where enough are found. */
const pageOf = <Condition>(name: string, condition: string) =>
  statement<LeadSpan & Filter & { readonly limit: number; readonly lookedAtMost: number } & Condition, LeadRow>(
    `leads.console_page_${name}`,
    `SELECT ${LISTED} FROM (
       SELECT * FROM lead WHERE ${IN_SPAN} ${condition} ORDER BY lead_id DESC LIMIT $lookedAtMost) AS l
     WHERE ${FILTER} ORDER BY l.lead_id DESC LIMIT $limit`,
  );
export const pageOfLeads = {
  any: pageOf<unknown>('any', ''),
  ofSupplier: pageOf<OfSupplier>('of_supplier', OF_SUPPLIER),
};

/** The last of the first $lookedAtMost of a span; nothing where there are fewer. */
const endOf = <Condition>(name: string, condition: string) =>
  statement<LeadSpan & { readonly lookedAtMost: number } & Condition, { leadId: LeadId }>(
    `leads.console_end_${name}`,
    `SELECT lead_id AS "leadId" FROM lead WHERE ${IN_SPAN} ${condition}
     ORDER BY lead_id DESC OFFSET $lookedAtMost::int - 1 LIMIT 1`,
  );
export const endOfPart = {
  any: endOf<unknown>('any', ''),
  ofSupplier: endOf<OfSupplier>('of_supplier', OF_SUPPLIER),
};

export const leadsByIds = statement<
  LeadSpan & Filter & { readonly leadIds: readonly LeadId[]; readonly supplierKey: string | null },
  LeadRow
>(
  'leads.console_by_ids',
  `SELECT ${LISTED} FROM lead l
   WHERE l.lead_id = ANY($leadIds::uuid[]) AND ${IN_SPAN} AND ${FILTER}
     AND ($supplierKey::text IS NULL OR l.supplier_key = $supplierKey)
   ORDER BY l.lead_id DESC`,
);

/** Supplier by supplier, because an external id is a supplier's own: a probe of two indexes for each. */
export const idsOfExternalId = statement<{ readonly externalId: string; readonly limit: number }, { leadId: LeadId }>(
  'leads.console_of_external_id',
  `SELECT found.lead_id AS "leadId" FROM supplier s CROSS JOIN LATERAL (
     (SELECT lead_id FROM lead
      WHERE supplier_key = s.supplier_key AND is_test IN (false, true) AND external_id = $externalId AND is_accepted LIMIT 2)
     UNION ALL
     (SELECT lead_id FROM lead WHERE supplier_key = s.supplier_key AND external_id = $externalId AND NOT is_accepted
      ORDER BY lead_id DESC LIMIT $limit)) AS found
   ORDER BY found.lead_id DESC LIMIT $limit`,
);

/**
 * Of the leads of a span those that may be about somebody: by a pattern of the fields, or of the text of a refused submission, which has
 * no fields. $digitsPattern: a regular expression of digits in such a text. A pattern that is null finds nothing.
 */
export const leadsLike = statement<
  LeadSpan & {
    readonly fieldsPattern: string;
    readonly bodyPattern: string | null;
    readonly digitsPattern: string | null;
    readonly supplierKey: string | null;
    readonly limit: number;
  },
  LeadRow & { readonly refusedText: string | null }
>(
  'leads.console_like',
  `SELECT ${LISTED}, CASE WHEN l.fields IS NULL THEN ${REFUSED_TEXT} END AS "refusedText" FROM lead l
   WHERE ${IN_SPAN} AND ($supplierKey::text IS NULL OR l.supplier_key = $supplierKey) AND l.erased_at IS NULL
     AND CASE WHEN l.fields IS NOT NULL THEN lower(l.fields) LIKE $fieldsPattern
         ELSE lower(${REFUSED_TEXT}) LIKE $bodyPattern OR ${REFUSED_TEXT} ~ $digitsPattern END
   ORDER BY l.lead_id DESC LIMIT $limit`,
);

export const selectRawBody = statement<{ readonly leadId: LeadId }, StoredBody>(
  'leads.console_raw_body',
  'SELECT raw_body AS "rawBody", raw_body_bytes AS "rawBodyBytes" FROM lead WHERE lead_id = $leadId',
);
