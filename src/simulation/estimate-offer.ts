// Estimates how many leads a week an offer would see, from the filters of its form and the latest leads. Reads a bounded number of leads and
// changes nothing.
import { DAY_MS } from '../base/time.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { Tx } from '../platform/database/database.ts';
import { factsOf, type LeadFacts } from '../routing/lead-facts.ts';
import { type EstimatedOffer, isMatch, sampledDays, type WeeklyLeads, weeklyLeads } from './offer-estimate.rules.ts';
import { type RecentLead, selectDeliveries, selectRecentLeads } from './simulation.sql.ts';

export type OfferEstimate = {
  /** The leads that the filters were compared with, and the days in which they were received. */
  readonly leads: number;
  readonly days: number;
  readonly weekly: WeeklyLeads;
};

/** A request takes some tens of milliseconds with them. */
const LATEST = 2000;

/** Hours, caps, funds, lists and duplicates are not looked at: a dry run does that. */
export async function estimateOffer(tx: Tx, offer: EstimatedOffer, now: Date): Promise<OfferEstimate> {
  const latest = await tx.query(selectRecentLeads, { limit: LATEST });
  const readable = latest.flatMap((row) => (row.fields === null ? [] : [{ ...row, fields: row.fields }]));
  const oldest = readable.reduce((first, { receivedAt }) => (receivedAt < first ? receivedAt : first), now);
  const days = sampledDays(oldest, now, { isAll: latest.length < LATEST });
  const from = now.getTime() - days * DAY_MS;
  const leads = readable.filter(({ receivedAt }) => receivedAt.getTime() >= from);
  const matching = leads.filter((row) => isMatch(offer, factsIn(row)));
  const deliveries = await tx.query(selectDeliveries, { leadIds: matching.map(({ leadId }) => leadId) });
  const sales = Map.groupBy(
    deliveries.filter(({ failedAt }) => failedAt === null),
    ({ leadId }) => leadId,
  );
  const sampled = matching.map(({ leadId, publicStatus }) => ({
    isWithoutBuyer: publicStatus === 'No Buyer',
    sales: sales.get(leadId) ?? [],
  }));
  return { leads: leads.length, days, weekly: weeklyLeads(sampled, offer, days) };
}

function factsIn({ fields, score, supplierKey }: RecentLead & { readonly fields: string }): LeadFacts {
  return factsOf({ fields: JSON.parse(fields) as LeadFields, score, supplierKey });
}
