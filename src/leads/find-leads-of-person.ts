// Finds the leads of a person by phone or e-mail, some thousand leads at a time: nothing is indexed by what would name people, and
// it is asked for some times a week (decision 021).
import { FIRST_ID } from '../base/id-time.ts';
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { filterAboutPerson } from './filter-about-person.ts';
import { endOfLeads, leadsLikePerson } from './lead.sql.ts';
import { type Contact, patternsOf, queriesOf } from './person-query.rules.ts';

export type PersonSearch = {
  readonly contact: Contact;
  /** Null for the first leads of all. */
  readonly after: LeadId | null;
};

export type SearchBounds = {
  /** Leads looked through: some tenths of a second, so that a search of millions can tell how far it is. */
  readonly leads: number;
  /** Leads that the database takes for the person's, each of up to 64 KiB. */
  readonly candidates: number;
};
const BOUNDS: SearchBounds = { leads: 50_000, candidates: 200 };

/** `next` is where to go on after; null when there is nothing more. A phone and an e-mail each find leads on their own. */
export async function findLeadsOfPerson(
  tx: Tx,
  { contact, after }: PersonSearch,
  bounds = BOUNDS,
): Promise<{ readonly found: readonly LeadId[]; readonly next: LeadId | null }> {
  const queries = queriesOf(contact);
  const patterns = queries.map(patternsOf);
  const start = after ?? FIRST_ID;
  const [end] = await tx.query(endOfLeads, { start, leads: bounds.leads });
  const candidates = await tx.query(leadsLikePerson, {
    start,
    leadId: end?.leadId ?? null,
    fieldPatterns: patterns.map(({ fields }) => fields),
    bodyPattern: patterns.map(({ body }) => body).find((body) => body !== null) ?? null,
    digitsPattern: patterns.map(({ digits }) => digits).find((digits) => digits !== null) ?? null,
    candidates: bounds.candidates,
  });
  const found = await filterAboutPerson(queries, candidates);
  const last = candidates.at(-1);
  const isCut = last !== undefined && candidates.length === bounds.candidates;
  return { found: found.map(({ leadId }) => leadId), next: isCut ? last.leadId : (end?.leadId ?? null) };
}
