// Finds leads by phone or email, in batches of some thousand: personal data are not indexed, and erasure needs this search a few times a
// week (decision 021).
import { setImmediate } from 'node:timers/promises';
import { FIRST_ID } from '../base/id-time.ts';
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { endOfLeads, selectContactLeads } from './lead.sql.ts';
import {
  type Contact,
  contactPatterns,
  contactQueries,
  matchesContact,
  type ContactQuery,
} from './contact-query.rules.ts';
import type { LeadFields } from './lead-fields.ts';
import type { SearchableText } from './stored-lead.ts';

export type ContactSearch = {
  readonly contact: Contact;
  /** Null to start with the first lead. */
  readonly after: LeadId | null;
};

export type SearchBounds = {
  /** Leads scanned per call: some tenths of a second, so that a long search can report progress. */
  readonly leads: number;
  /** Possible matches per call, each of up to 64 KiB. */
  readonly candidates: number;
};
const BOUNDS: SearchBounds = { leads: 50_000, candidates: 200 };

/** Leads that match the phone or the email. `next` is the last lead scanned; null at the end. */
export async function findContactLeads(
  tx: Tx,
  { contact, after }: ContactSearch,
  bounds = BOUNDS,
): Promise<{ readonly found: readonly LeadId[]; readonly next: LeadId | null }> {
  const queries = contactQueries(contact);
  const patterns = queries.map(contactPatterns);
  const start = after ?? FIRST_ID;
  const [end] = await tx.query(endOfLeads, { start, leads: bounds.leads });
  const candidates = await tx.query(selectContactLeads, {
    start,
    leadId: end?.leadId ?? null,
    fieldPatterns: patterns.map(({ fields }) => fields),
    bodyPattern: patterns.map(({ body }) => body).find((body) => body !== null) ?? null,
    digitsPattern: patterns.map(({ digits }) => digits).find((digits) => digits !== null) ?? null,
    candidates: bounds.candidates,
  });
  const found = await filterByContact(queries, candidates);
  const last = candidates.at(-1);
  const isCut = last !== undefined && candidates.length === bounds.candidates;
  return { found: found.map(({ leadId }) => leadId), next: isCut ? last.leadId : (end?.leadId ?? null) };
}

/** In characters: two or three milliseconds of work. */
const YIELD_AFTER = 500_000;

/** Keeps the leads that match a query. Yields to the event loop in between, because bodies may be long and many. */
export async function filterByContact<Lead extends SearchableText>(
  queries: readonly ContactQuery[],
  leads: readonly Lead[],
): Promise<Lead[]> {
  const matching: Lead[] = [];
  let read = 0;
  for (const lead of leads) {
    const { fields, refusedText } = lead;
    read += (fields ?? refusedText ?? '').length;
    if (matchesContact(queries, { fields: fields === null ? null : (JSON.parse(fields) as LeadFields), refusedText })) {
      matching.push(lead);
    }
    if (read >= YIELD_AFTER) {
      read = 0;
      await setImmediate();
    }
  }
  return matching;
}
