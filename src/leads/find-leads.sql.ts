// SQL statements of the lead search of operators: by the time of receipt, each scanning a bounded range of the table.
import { statement } from '../platform/database/database.ts';
import { REJECTED_TEXT } from './lead.sql.ts';
import type { Uuid, LeadId } from '../base/ids.ts';
import type { StoredBody } from './refused-body.rules.ts';
import type { LeadState, PublicStatus, FoundLead } from './stored-lead.ts';

const LISTED = `l.lead_id AS "leadId", l.external_id AS "externalId", l.supplier_key AS "supplierKey", l.is_test AS "isTest", l.state,
  l.public_status AS "publicStatus", l.reason, l.score, l.received_at AS "receivedAt", l.erased_at AS "erasedAt", l.fields`;

export type LeadRow = Omit<FoundLead, 'fullName' | 'usState' | 'source' | 'vertical'> & {
  readonly fields: string | null;
};

/** JSON text of members of a lead's fields; null members are no condition. */
export type FactMarks = { readonly sourceMark: string | null; readonly stateMark: string | null };

const BEFORE_EXTRA = `split_part(l.fields, ',"extra":{', 1)`;
/** Of a lead `l`. A rejected submission, which has no fields, has none of the facts. */
export const HAS_FACTS = `($sourceMark::text IS NULL OR strpos(${BEFORE_EXTRA}, $sourceMark) > 0)
  AND ($stateMark::text IS NULL OR strpos(${BEFORE_EXTRA}, $stateMark) > 0)`;

/** Null members are no condition. */
type Filter = {
  readonly states: readonly LeadState[] | null;
  readonly statuses: readonly PublicStatus[] | null;
  readonly verticalMark: string | null;
  readonly buyerKey: string | null;
} & FactMarks;
const FILTER = `($states::text[] IS NULL OR l.state = ANY($states))
  AND ($statuses::text[] IS NULL OR l.public_status = ANY($statuses))
  AND ($verticalMark::text IS NULL OR strpos(${BEFORE_EXTRA}, $verticalMark) > 0)
  AND ${HAS_FACTS}
  AND ($buyerKey::text IS NULL OR EXISTS (
    SELECT FROM delivery d WHERE d.lead_id = l.lead_id AND d.buyer_key = $buyerKey AND d.status <> 'Failed'))`;

/** The leads before $beforeId, back to $fromId inclusive. */
export type LeadSpan = { readonly beforeId: Uuid; readonly fromId: Uuid };
const IN_SPAN = 'lead_id < $beforeId AND lead_id >= $fromId';

/** Separate statements, so that the planner uses the index by supplier. */
type OfSupplier = { readonly supplierKey: string };
const OF_SUPPLIER = 'AND supplier_key = $supplierKey';

/** The first $limit leads of a span that pass the filter, among its first $scanLimit. */
const leadPage = <Condition>(name: string, condition: string) =>
  statement<LeadSpan & Filter & { readonly limit: number; readonly scanLimit: number } & Condition, LeadRow>(
    `leads.console_page_${name}`,
    `SELECT ${LISTED} FROM (
       SELECT * FROM lead WHERE ${IN_SPAN} ${condition} ORDER BY lead_id DESC LIMIT $scanLimit) AS l
     WHERE ${FILTER} ORDER BY l.lead_id DESC LIMIT $limit`,
  );
export const pageOfLeads = {
  any: leadPage<unknown>('any', ''),
  ofSupplier: leadPage<OfSupplier>('of_supplier', OF_SUPPLIER),
};

/** The ids of the leads that pages list. */
const listedIds = <Condition>(name: string, condition: string) =>
  statement<LeadSpan & Filter & { readonly limit: number; readonly scanLimit: number } & Condition, { leadId: LeadId }>(
    `leads.console_ids_${name}`,
    `SELECT l.lead_id AS "leadId" FROM (
       SELECT * FROM lead WHERE ${IN_SPAN} ${condition} ORDER BY lead_id DESC LIMIT $scanLimit) AS l
     WHERE ${FILTER} ORDER BY l.lead_id DESC LIMIT $limit`,
  );
export const idsOfLeads = {
  any: listedIds<unknown>('any', ''),
  ofSupplier: listedIds<OfSupplier>('of_supplier', OF_SUPPLIER),
};

/** For the oldest first: without $seenId, the last lead of the page before. */
export type OldestSpan = LeadSpan & { readonly seenId: Uuid | null };
const IN_OLDEST_SPAN = `${IN_SPAN} AND lead_id IS DISTINCT FROM $seenId`;

/** The last $limit leads of a span that pass the filter, among its last $scanLimit, the oldest first. */
const oldestLeadPage = <Condition>(name: string, condition: string) =>
  statement<OldestSpan & Filter & { readonly limit: number; readonly scanLimit: number } & Condition, LeadRow>(
    `leads.console_oldest_${name}`,
    `SELECT ${LISTED} FROM (
       SELECT * FROM lead WHERE ${IN_OLDEST_SPAN} ${condition} ORDER BY lead_id LIMIT $scanLimit) AS l
     WHERE ${FILTER} ORDER BY l.lead_id LIMIT $limit`,
  );
export const pageOfOldestLeads = {
  any: oldestLeadPage<unknown>('any', ''),
  ofSupplier: oldestLeadPage<OfSupplier>('of_supplier', OF_SUPPLIER),
};

/** The last of the first $scanLimit leads of a span; no row if there are fewer. */
const rangeEnd = <Condition>(name: string, condition: string) =>
  statement<LeadSpan & { readonly scanLimit: number } & Condition, { leadId: LeadId }>(
    `leads.console_end_${name}`,
    `SELECT lead_id AS "leadId" FROM lead WHERE ${IN_SPAN} ${condition}
     ORDER BY lead_id DESC OFFSET $scanLimit::int - 1 LIMIT 1`,
  );
export const endOfRange = {
  any: rangeEnd<unknown>('any', ''),
  ofSupplier: rangeEnd<OfSupplier>('of_supplier', OF_SUPPLIER),
};

/** The same from the oldest on. */
const oldestRangeEnd = <Condition>(name: string, condition: string) =>
  statement<OldestSpan & { readonly scanLimit: number } & Condition, { leadId: LeadId }>(
    `leads.console_oldest_end_${name}`,
    `SELECT lead_id AS "leadId" FROM lead WHERE ${IN_OLDEST_SPAN} ${condition}
     ORDER BY lead_id OFFSET $scanLimit::int - 1 LIMIT 1`,
  );
export const endOfOldestRange = {
  any: oldestRangeEnd<unknown>('any', ''),
  ofSupplier: oldestRangeEnd<OfSupplier>('of_supplier', OF_SUPPLIER),
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

/** One lookup in two indexes per supplier, because an external id is unique per supplier only. */
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
 * Leads of a span that may match a contact: by a LIKE pattern on the fields, or on the text of a rejected submission, which has no fields,
 * or by a regular expression for the digits in such a text ($digitsPattern). A null pattern finds nothing.
 */
const contactLeadPage = <Span>(name: string, span: string, direction: 'ASC' | 'DESC') =>
  statement<
    Span & {
      readonly fieldsShape: string;
      readonly fieldsPattern: string;
      readonly bodyPattern: string | null;
      readonly digitsPattern: string | null;
      readonly supplierKey: string | null;
      readonly limit: number;
    },
    LeadRow & { readonly refusedText: string | null }
  >(
    name,
    `SELECT ${LISTED}, CASE WHEN l.fields IS NULL THEN ${REJECTED_TEXT} END AS "refusedText" FROM lead l
   WHERE ${span} AND ($supplierKey::text IS NULL OR l.supplier_key = $supplierKey) AND l.erased_at IS NULL
     AND CASE WHEN l.fields IS NOT NULL THEN l.fields LIKE $fieldsShape AND lower(l.fields COLLATE "C") LIKE $fieldsPattern
         ELSE lower(${REJECTED_TEXT}) LIKE $bodyPattern OR ${REJECTED_TEXT} ~ $digitsPattern END
   ORDER BY l.lead_id ${direction} LIMIT $limit`,
  );
export const selectContactLeadPage = contactLeadPage<LeadSpan>('leads.console_like', IN_SPAN, 'DESC');
/** The oldest first, up to $lastId inclusive. */
export const selectOldestContactLeadPage = contactLeadPage<OldestSpan & { readonly lastId: Uuid }>(
  'leads.console_oldest_like',
  `${IN_OLDEST_SPAN} AND lead_id <= $lastId`,
  'ASC',
);

export const selectRawBody = statement<{ readonly leadId: LeadId }, StoredBody>(
  'leads.console_raw_body',
  'SELECT raw_body AS "rawBody", raw_body_bytes AS "rawBodyBytes" FROM lead WHERE lead_id = $leadId',
);

/** By the primary key. Tests and what was rejected or erased have no fields here. */
export const selectRecentLeads = statement<
  { readonly since: Date; readonly from: Uuid; readonly before: Uuid; readonly limit: number },
  { leadId: LeadId; fields: string | null }
>(
  'leads.recent',
  `SELECT lead_id AS "leadId", CASE WHEN is_accepted AND NOT is_test AND received_at >= $since THEN fields END AS fields
   FROM lead
   WHERE lead_id >= $from::uuid AND lead_id < $before::uuid ORDER BY lead_id DESC LIMIT $limit`,
);
