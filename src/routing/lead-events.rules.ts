// What happened to a lead, in sentences, oldest first (contract 7.2).
import type { DeliveryTrail } from '../deliveries/delivery-trail.ts';
import type { StoredLead } from '../leads/stored-lead.ts';

export type LeadEvent = { readonly at: string; readonly type: string; readonly message: string };

type Decided = {
  readonly decidedAt: string;
  readonly outcome: string;
  readonly retryAt: string | null;
  /** The offers that got it. */
  readonly sold: readonly string[];
};

export function leadEvents(
  lead: Pick<StoredLead, 'score' | 'receivedAt' | 'reason' | 'isTest'>,
  decisions: readonly Decided[],
  deliveries: DeliveryTrail['deliveries'],
): LeadEvent[] {
  const events: LeadEvent[] = [
    lead.score === null
      ? { at: lead.receivedAt.toISOString(), type: 'lead.refused', message: `Refused: ${lead.reason}` }
      : { at: lead.receivedAt.toISOString(), type: 'lead.received', message: `Accepted with a score of ${lead.score}` },
  ];
  for (const decision of decisions) {
    const message =
      decision.outcome === 'routed'
        ? `Sold to ${decision.sold.join(', ')}${lead.isTest ? ' on paper: a test lead' : ''}`
        : decision.outcome === 'held'
          ? `Held: nobody is open now; tried again at ${decision.retryAt}`
          : 'Rejected: no offer takes it';
    events.push({ at: decision.decidedAt, type: `lead.${decision.outcome}`, message });
  }
  for (const delivery of deliveries) {
    const { deliveryRef, partner, confirmedAt, failedAt } = delivery;
    const name = `${deliveryRef} to ${partner}`;
    if (confirmedAt !== null) {
      events.push({ at: confirmedAt, type: 'delivery.confirmed', message: `${name} confirmed and charged` });
    }
    if (failedAt !== null) events.push({ at: failedAt, type: 'delivery.failed', message: `${name} failed` });
  }
  // Stable, so that what happened within one millisecond keeps the order of its causes.
  return events.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
