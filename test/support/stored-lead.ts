// Reads the stored data of a submission, beside the service on a separate connection.
import { type LeadId, uuidOf } from '../../src/base/ids.ts';
import type { LeadFields } from '../../src/leads/lead-fields.ts';
import { type Database, statement } from '../../src/platform/database/database.ts';

export type StoredLead = {
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly state: string;
  readonly publicStatus: string;
  readonly reason: string | null;
  readonly score: number | null;
  /** How often it stands in the routing inbox. */
  readonly queued: number;
  readonly rawBody: string;
  readonly fields: LeadFields | null;
  /** The same as the text that is stored, for what parsing would change. */
  readonly fieldsText: string | null;
};

type Row = Omit<StoredLead, 'fields'>;

const COLUMNS = `supplier_key AS "supplierKey", external_id AS "externalId", is_test AS "isTest", state, public_status AS "publicStatus", reason,
  score, raw_body AS "rawBody", fields AS "fieldsText", (SELECT count(*) FROM routing_inbox i WHERE i.lead_id = l.lead_id) AS queued`;

const byId = statement<{ readonly leadId: LeadId | null }, Row>(
  'test.stored_lead',
  `SELECT ${COLUMNS} FROM lead l WHERE lead_id = $leadId`,
);
const ofSupplier = statement<{ readonly supplierKey: string }, Row>(
  'test.stored_leads',
  `SELECT ${COLUMNS} FROM lead l WHERE supplier_key = $supplierKey ORDER BY received_at, lead_id`,
);

/** `leadId` in the form of the API. */
export async function storedLead(database: Database, leadId: string): Promise<StoredLead> {
  const [row] = await database.query(byId, { leadId: uuidOf('lead', leadId) });
  if (row === undefined) throw new Error(`${leadId} is not stored`);
  return leadOf(row);
}

/** Oldest first. */
export async function storedLeads(database: Database, supplierKey: string): Promise<StoredLead[]> {
  return (await database.query(ofSupplier, { supplierKey })).map(leadOf);
}

function leadOf(row: Row): StoredLead {
  return { ...row, fields: row.fieldsText === null ? null : (JSON.parse(row.fieldsText) as LeadFields) };
}
