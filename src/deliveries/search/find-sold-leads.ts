// Finds the leads of deliveries by a search text, among the deliveries of all partners: for the operator.
import type { DeliveryId, LeadId } from '../../base/ids.ts';
import type { Tx } from '../../platform/database/database.ts';
import { leadsOfBuyerReference, leadsOfReference, leadsOfTerm } from './search.sql.ts';
import { type ParsedSearch, wordPatterns } from './search-query.rules.ts';

/** The leads that partners' responses called so; at most `limit`. */
export async function findLeadsByBuyerReference(tx: Tx, reference: string, limit: number): Promise<LeadId[]> {
  const rows = await tx.query(leadsOfBuyerReference, { reference, atMost: limit });
  return rows.map(({ leadId }) => leadId);
}

/** Unordered. `limit` applies to search terms that many leads share. */
export async function findSoldLeads(tx: Tx, parsed: ParsedSearch, limit: number): Promise<LeadId[]> {
  const { delivery } = parsed;
  const found = new Set<LeadId>();
  if (delivery !== null) {
    const {
      deliveryId = null,
      refNumber = null,
      eventType = null,
    } = { ...delivery } as {
      deliveryId?: DeliveryId;
      refNumber?: number;
      eventType?: string | null;
    };
    for (const { leadId } of await tx.query(leadsOfReference, { deliveryId, refNumber, eventType })) found.add(leadId);
  }
  // Each stored rotation of a name contains all of its words, so one range is enough; the patterns check the other words.
  const [range] = parsed.ranges.toSorted((one, other) => other.low.length - one.low.length);
  if (range !== undefined) {
    const { low, high } = range;
    const rows = await tx.query(leadsOfTerm[parsed.kind], {
      low,
      high,
      patterns: wordPatterns(parsed),
      perPartner: limit,
      atMost: limit,
    });
    for (const { leadId } of rows) found.add(leadId);
  }
  return [...found];
}
