// Finds leads by search text: an id, a reference, a supplier's or partner's own id, a phone number, an email address or a name. Indexed values
// are found at once at any age; unsold leads are scanned in parts, from the newest on.
import { uuidOf, type LeadId } from '../base/ids.ts';
import { findLeadsByBuyerReference, findSoldLeads } from '../deliveries/search/find-sold-leads.ts';
import { contactQuery, readSearch, type ParsedSearch } from '../deliveries/search/search-query.rules.ts';
import { findIdsByExternalId, type LeadFilter, findLeadsByContact, readLeadsByIds } from '../leads/find-leads.ts';
import type { Tx } from '../platform/database/database.ts';
import type { FoundLead } from '../leads/stored-lead.ts';

export type LeadSearch = {
  readonly text: string;
  readonly filter: LeadFilter;
  /** Whether to search by contact data as well as by ids and references. */
  readonly persons: boolean;
  /** The `next` of an earlier result; null for the first search. */
  readonly before: LeadId | null;
};

export type LeadSearchResult = {
  /** Newest first. */
  readonly leads: readonly FoundLead[];
  /** The unsold leads older than this one are not yet scanned; null when none are left, or when the text needs no scan. */
  readonly next: LeadId | null;
  /**
   * `too_short`: only ids were searched, because too many numbers end like this. `too_many`: there are more results. `ids_only`: contact
   * data was not searched.
   */
  readonly note: 'too_short' | 'too_many' | 'ids_only' | null;
};

/** More than a page of results can use; a longer search text narrows them down. */
const HITS_AT_MOST = 200;

export async function searchLeads(tx: Tx, { text, filter, persons, before }: LeadSearch): Promise<LeadSearchResult> {
  const leadId = uuidOf('lead', text.trim().toLowerCase());
  if (leadId !== null) return { leads: await readLeadsByIds(tx, [leadId], filter), next: null, note: null };
  const reading = readSearch(text);
  const read = reading.ok ? reading.parsed : { delivery: null, kind: 'name' as const, ranges: [] };
  if (!persons) return searchIds(tx, read, { text, filter, before });
  const person = contactQuery(read);
  const part =
    person === null
      ? { leads: [], next: null }
      : await findLeadsByContact(tx, { query: person, filter, before, limit: HITS_AT_MOST });
  // The first result contained everything that indexes find.
  const hits = before === null ? await indexed(tx, text, read) : [];
  const known = await readLeadsByIds(tx, hits, filter);
  const leads = new Map([...known, ...part.leads].map((lead) => [lead.leadId, lead]));
  return {
    leads: [...leads.values()].toSorted((one, other) => (one.leadId < other.leadId ? 1 : -1)),
    next: part.next,
    note: !reading.ok ? 'too_short' : hits.length >= HITS_AT_MOST ? 'too_many' : null,
  };
}

/** A supplier's or partner's own id may be an email address or a phone number: such a text is not searched as an id here. */
async function searchIds(
  tx: Tx,
  { delivery, kind, ranges }: ParsedSearch,
  { text, filter, before }: Omit<LeadSearch, 'persons'>,
): Promise<LeadSearchResult> {
  const isPerson = kind !== 'name' && ranges.length > 0;
  const own = isPerson ? [] : await findIdsByExternalId(tx, text.trim(), HITS_AT_MOST);
  const known = isPerson ? [] : await findLeadsByBuyerReference(tx, text.trim(), HITS_AT_MOST);
  const referred = await findSoldLeads(tx, { delivery, kind, ranges: [] }, HITS_AT_MOST);
  const leads = before === null ? await readLeadsByIds(tx, [...new Set([...own, ...known, ...referred])], filter) : [];
  return { leads, next: null, note: leads.length === 0 && ranges.length > 0 ? 'ids_only' : null };
}

async function indexed(tx: Tx, text: string, parsed: Parameters<typeof findSoldLeads>[1]): Promise<LeadId[]> {
  const own = await findIdsByExternalId(tx, text.trim(), HITS_AT_MOST);
  const known = await findLeadsByBuyerReference(tx, text.trim(), HITS_AT_MOST);
  return [...new Set([...own, ...known, ...(await findSoldLeads(tx, parsed, HITS_AT_MOST))])];
}
