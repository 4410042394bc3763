// The SQL by which the operator's console finds leads: newest first, and never more of the table at once than a bounded part.
import { statement } from '../platform/database/database.ts';
import { REFUSED_TEXT } from './lead.sql.ts';
import type { Uuid } from '../base/ids.ts';
import type { StoredBody } from './refused-body.rules.ts';

const LISTED = `l.lead_id AS "leadId", l.external_id AS "externalId", l.supplier_key AS "supplierKey", l.is_test AS "isTest", l.state,
  l.public_status AS "publicStatus", l.reason, l.score, l.received_at AS "receivedAt", l.erased_at AS "erasedAt", l.fields`;

/** $3 states, $4 public statuses; null for no condition. */
const FILTER = `($3::text[] IS NULL OR l.state = ANY($3)) AND ($4::text[] IS NULL OR l.public_status = ANY($4))`;

/**
 * From behind $1 back to $2: the first $5 that the filter lets through, looking at $6 at most. The part ends where enough are found. $7: of
 * this supplier; a statement of its own, so that the planner goes along the supplier's index.
 */
const pageOf = (name: string, condition: string) =>
  statement(
    `leads.console_page_${name}`,
    `SELECT ${LISTED} FROM (
       SELECT * FROM lead WHERE lead_id < $1 AND lead_id >= $2 AND ${condition} ORDER BY lead_id DESC LIMIT $6) AS l
     WHERE ${FILTER} ORDER BY l.lead_id DESC LIMIT $5`,
  );
export const pageOfLeads = {
  any: pageOf('any', '$7::text IS NULL'),
  ofSupplier: pageOf('of_supplier', 'supplier_key = $7'),
};

/** The last of the first $3 from behind $1 back to $2; nothing where there are fewer. */
const endOf = (name: string, condition: string) =>
  statement(
    `leads.console_end_${name}`,
    `SELECT lead_id AS "leadId" FROM lead WHERE lead_id < $1 AND lead_id >= $2 AND ${condition}
     ORDER BY lead_id DESC OFFSET $3::int - 1 LIMIT 1`,
  );
export const endOfPart = {
  any: endOf('any', '$4::text IS NULL'),
  ofSupplier: endOf('of_supplier', 'supplier_key = $4'),
};

export const leadsByIds = statement(
  'leads.console_by_ids',
  `SELECT ${LISTED} FROM lead l
   WHERE l.lead_id = ANY($5::uuid[]) AND l.lead_id < $1 AND l.lead_id >= $2 AND ${FILTER} AND ($6::text IS NULL OR l.supplier_key = $6)
   ORDER BY l.lead_id DESC`,
);

/** Supplier by supplier, because an external id is a supplier's own: a probe of two indexes for each. */
export const idsOfExternalId = statement<{ readonly externalId: string; readonly limit: number }, { leadId: Uuid }>(
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
 * Of the leads from behind $1 back to $2 those that may be about somebody: by a pattern of the fields, or of the text of a refused
 * submission, which has no fields. $5: a regular expression of digits in such a text. Null finds nothing. $6: of this supplier.
 */
export const leadsLike = statement(
  'leads.console_like',
  `SELECT ${LISTED}, CASE WHEN l.fields IS NULL THEN ${REFUSED_TEXT} END AS "refusedText" FROM lead l
   WHERE l.lead_id < $1 AND l.lead_id >= $2 AND ($6::text IS NULL OR l.supplier_key = $6) AND l.erased_at IS NULL
     AND CASE WHEN l.fields IS NOT NULL THEN lower(l.fields) LIKE $3
         ELSE lower(${REFUSED_TEXT}) LIKE $4 OR ${REFUSED_TEXT} ~ $5 END
   ORDER BY l.lead_id DESC LIMIT $7`,
);

export const selectRawBody = statement<{ readonly leadId: Uuid }, StoredBody>(
  'leads.console_raw_body',
  'SELECT raw_body AS "rawBody", raw_body_bytes AS "rawBodyBytes" FROM lead WHERE lead_id = $leadId',
);
