// Everything that is known of one lead: what came in, why each offer got it or not, what was delivered, sent and charged
// (contract 7, `lead trace`).
import { typeId, type Uuid } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { type DeliveryTrail, deliveryTrail } from '../deliveries/delivery-trail.ts';
import { entriesOfDelivery } from '../ledger/read-entries.ts';
import { readLead, type StoredLead } from '../leads/read-lead.ts';
import { readHistory } from '../marketplace/read-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { factsOf } from './lead-facts.ts';
import type { Offer } from './offer.ts';
import { selectDecisions } from './routing.sql.ts';
import { explain, type ExplainedOffer, type StoredTrace } from './trace.rules.ts';

type DecisionRow = { round: number; decidedAt: Date; configVersion: number; outcome: string; trace: string };

type HistoricBuyer = Omit<Buyer, 'endpointDisabledAt'> & { readonly endpointDisabledAt?: Date | null };

export type ExplainedDecision = {
  readonly round: number;
  readonly decidedAt: string;
  readonly configVersion: number;
  readonly outcome: string;
  /** When a held lead is tried again. */
  readonly retryAt: string | null;
  readonly offers: readonly ExplainedOffer[];
};

export type LeadTrace = {
  readonly lead: Record<string, unknown>;
  /** The last decision, with those before it (a held or failed lead is decided more than once) under `earlier`. */
  readonly decision: (ExplainedDecision & { readonly earlier: readonly ExplainedDecision[] }) | null;
  readonly deliveries: DeliveryTrail['deliveries'];
  readonly attempts: DeliveryTrail['attempts'];
  readonly ledger: ReadonlyArray<Record<string, unknown>>;
  readonly events: ReadonlyArray<{ readonly at: string; readonly type: string; readonly message: string }>;
};

/** Null when there is no such lead. */
export async function traceLead(tx: Tx, leadId: Uuid): Promise<LeadTrace | null> {
  const lead = await readLead(tx, leadId);
  if (lead === null) return null;
  const decisions: ExplainedDecision[] = [];
  for (const row of await tx.query<DecisionRow>(selectDecisions, [leadId]))
    decisions.push(await explained(tx, row, lead));
  const trail = await deliveryTrail(tx, leadId);
  const ledger: Array<Record<string, unknown>> = [];
  for (const deliveryId of trail.deliveryIds) {
    for (const entry of await entriesOfDelivery(tx, deliveryId)) {
      ledger.push({
        entryId: typeId('transfer', entry.transferId),
        partner: entry.buyerKey,
        type: entry.type,
        amount: wireAmount(entry.amountCents),
        balanceAfter: wireAmount(entry.balanceAfterCents),
        description: entry.description,
        deliveryId: typeId('delivery', deliveryId),
        createdAt: entry.createdAt.toISOString(),
      });
    }
  }
  const last = decisions.at(-1);
  return {
    lead: leadForm(lead),
    decision: last === undefined ? null : { ...last, earlier: decisions.slice(0, -1) },
    deliveries: trail.deliveries,
    attempts: trail.attempts,
    ledger,
    events: eventsOf(lead, decisions, trail),
  };
}

async function explained(tx: Tx, row: DecisionRow, lead: StoredLead): Promise<ExplainedDecision> {
  const trace = JSON.parse(row.trace) as StoredTrace;
  const offers = (await readHistory(tx, 'offer', row.configVersion)) as Map<string, Offer>;
  const buyers = (await readHistory(tx, 'buyer', row.configVersion)) as Map<string, HistoricBuyer>;
  const booked = [...offers.values()].flatMap((offer) => {
    const buyer = buyers.get(offer.buyerKey);
    // A definition that leaves the member out was written while the endpoint was enabled.
    return buyer === undefined
      ? []
      : [{ offer, buyer: { ...buyer, endpointDisabledAt: buyer.endpointDisabledAt ?? null } }];
  });
  const isKnown = lead.fields !== null && lead.score !== null;
  return {
    round: row.round,
    decidedAt: row.decidedAt.toISOString(),
    configVersion: row.configVersion,
    outcome: row.outcome,
    retryAt: trace.retryAt === undefined ? null : new Date(trace.retryAt).toISOString(),
    offers: isKnown
      ? explain(trace, {
          facts: factsOf({ fields: lead.fields, score: lead.score, supplierKey: lead.supplierKey }),
          offers: booked,
          decidedAt: row.decidedAt,
        })
      : soldAlone(trace, offers),
  };
}

/** Of an erased lead: why others did not get it followed from its fields. */
function soldAlone({ sold }: StoredTrace, offers: ReadonlyMap<string, Offer>): ExplainedOffer[] {
  return sold.map(({ offer: offerKey }) => ({
    offerKey,
    partnerKey: offers.get(offerKey)?.buyerKey ?? '',
    result: 'sold',
    code: 'sold',
  }));
}

function leadForm({
  leadId,
  supplierKey,
  isTest,
  publicStatus,
  receivedAt,
  decidedAt,
  ...lead
}: StoredLead): Record<string, unknown> {
  return {
    leadId: typeId('lead', leadId),
    externalId: lead.externalId,
    supplier: supplierKey,
    test: isTest,
    state: lead.state,
    status: publicStatus,
    reason: lead.reason,
    score: lead.score,
    scoreFactors: lead.scoreFactors,
    receivedAt: receivedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    fields: lead.fields,
    erasedAt: lead.erasedAt?.toISOString() ?? null,
  };
}

function eventsOf(
  lead: StoredLead,
  decisions: readonly ExplainedDecision[],
  trail: DeliveryTrail,
): LeadTrace['events'] {
  const events = [
    lead.score === null
      ? { at: lead.receivedAt.toISOString(), type: 'lead.refused', message: `Refused: ${lead.reason}` }
      : { at: lead.receivedAt.toISOString(), type: 'lead.received', message: `Accepted with a score of ${lead.score}` },
  ];
  for (const decision of decisions) {
    const sold = decision.offers.filter((offer) => offer.result === 'sold').map((offer) => offer.offerKey);
    const message =
      decision.outcome === 'routed'
        ? `Sold to ${sold.join(', ')}${lead.isTest ? ' on paper: a test lead' : ''}`
        : decision.outcome === 'held'
          ? `Held: nobody is open now; tried again at ${decision.retryAt}`
          : 'Rejected: no offer takes it';
    events.push({ at: decision.decidedAt, type: `lead.${decision.outcome}`, message });
  }
  for (const delivery of trail.deliveries) {
    const name = `${String(delivery['deliveryRef'])} to ${String(delivery['partner'])}`;
    if (typeof delivery['confirmedAt'] === 'string') {
      events.push({
        at: delivery['confirmedAt'],
        type: 'delivery.confirmed',
        message: `${name} confirmed and charged`,
      });
    }
    if (typeof delivery['failedAt'] === 'string') {
      events.push({ at: delivery['failedAt'], type: 'delivery.failed', message: `${name} failed` });
    }
  }
  // Stable, so that what happened within one millisecond keeps the order of its causes.
  return events.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
