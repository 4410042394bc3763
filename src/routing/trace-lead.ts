// Reads the full trace of one lead: submission, why each offer got it or not, deliveries, attempts, ledger entries, and events in words
// (contract 7.2).
import { type DeliveryId, type LeadId, typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { type DeliveryTrail, deliveryTrail } from '../deliveries/delivery-trail.ts';
import { readCostEntries, readDeliveryEntries } from '../ledger/entries.ts';
import type { LedgerEntry, SupplierEntry } from '../ledger/entry.rules.ts';
import type { SupplierTransferType, TransferType } from '../ledger/transfer.rules.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import { readLead } from '../leads/read-lead.ts';
import type { LeadState, PublicStatus, StoredLead } from '../leads/stored-lead.ts';
import type { Tx } from '../platform/database/database.ts';
import { explainDecision, type ExplainedDecision } from './stored-decisions.ts';
import { selectDecisions } from './routing.sql.ts';

/** A lead in wire form. */
export type LeadForm = {
  readonly leadId: string;
  readonly externalId: string | null;
  readonly supplier: string;
  readonly test: boolean;
  readonly state: LeadState;
  readonly status: PublicStatus;
  readonly reason: string | null;
  readonly score: number | null;
  readonly scoreFactors: unknown;
  readonly receivedAt: string;
  readonly decidedAt: string | null;
  readonly fields: LeadFields | null;
  readonly erasedAt: string | null;
};

/** A ledger entry of one of the lead's sales. */
export type TrailEntry = {
  readonly entryId: string;
  readonly partner: string;
  readonly type: TransferType;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly description: string;
  readonly deliveryId: string;
  readonly createdAt: string;
};

/** A cost or a claw-back of one of the lead's sales; a positive amount is owed to the supplier. */
export type CostEntry = Omit<TrailEntry, 'partner' | 'type'> & {
  readonly supplier: string;
  readonly type: SupplierTransferType;
};

export type LeadTrace = {
  readonly lead: LeadForm;
  /** The last decision, with the earlier ones of a held or failed lead under `earlier`. */
  readonly decision: (ExplainedDecision & { readonly earlier: readonly ExplainedDecision[] }) | null;
  readonly deliveries: DeliveryTrail['deliveries'];
  readonly attempts: DeliveryTrail['attempts'];
  readonly ledger: readonly TrailEntry[];
  readonly costs: readonly CostEntry[];
  /** What the operator keeps of the lead: charges less credits, less its cost. */
  readonly margin: number;
  readonly events: readonly LeadEvent[];
};

/** Null when there is no such lead. */
export async function traceLead(tx: Tx, leadId: LeadId): Promise<LeadTrace | null> {
  const lead = await readLead(tx, leadId);
  if (lead === null) return null;
  const decisions: ExplainedDecision[] = [];
  for (const row of await tx.query(selectDecisions, { leadId }))
    decisions.push((await explainDecision(tx, row, lead)).decision);
  const { ledger, costs, margin, ...trail } = await salesTrail(tx, leadId);
  const last = decisions.at(-1);
  return {
    lead: leadForm(lead),
    decision: last === undefined ? null : { ...last, earlier: decisions.slice(0, -1) },
    deliveries: trail.deliveries,
    attempts: trail.attempts,
    ledger,
    costs,
    margin,
    events: leadEvents(lead, decisions.map(summary), trail.deliveries),
  };
}

/** The deliveries and attempts of a lead with the ledger entries of its sales. */
export async function salesTrail(
  tx: Tx,
  leadId: LeadId,
): Promise<DeliveryTrail & Pick<LeadTrace, 'ledger' | 'costs' | 'margin'>> {
  const trail = await deliveryTrail(tx, leadId);
  const ledger: TrailEntry[] = [];
  const costs: CostEntry[] = [];
  let marginCents = 0;
  for (const deliveryId of trail.deliveryIds) {
    for (const entry of await readDeliveryEntries(tx, deliveryId)) {
      marginCents -= entry.amountCents;
      ledger.push({ partner: entry.buyerKey, type: entry.type, ...entryForm(entry, deliveryId) });
    }
    for (const entry of await readCostEntries(tx, deliveryId)) {
      marginCents -= entry.amountCents;
      costs.push({ supplier: entry.supplierKey, type: entry.type, ...entryForm(entry, deliveryId) });
    }
  }
  return { ...trail, ledger, costs, margin: wireAmount(marginCents) };
}

function entryForm(entry: LedgerEntry | SupplierEntry, deliveryId: DeliveryId) {
  return {
    entryId: typeId('transfer', entry.transferId),
    amount: wireAmount(entry.amountCents),
    balanceAfter: wireAmount(entry.balanceAfterCents),
    description: entry.description,
    deliveryId: typeId('delivery', deliveryId),
    createdAt: entry.createdAt.toISOString(),
  };
}

function summary({ offers, ...decision }: ExplainedDecision) {
  const sold = offers.filter((offer) => offer.result === 'sold').map((offer) => offer.offerKey);
  return { ...decision, sold };
}

export function leadForm({
  leadId,
  supplierKey,
  isTest,
  publicStatus,
  receivedAt,
  decidedAt,
  ...lead
}: StoredLead): LeadForm {
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

export type LeadEvent = { readonly at: string; readonly type: string; readonly message: string };

type DecisionEvent = {
  readonly decidedAt: string;
  readonly outcome: string;
  readonly retryAt: string | null;
  /** Keys of the offers that got the lead. */
  readonly sold: readonly string[];
};

/** How sentences name offers and partners. */
export type EventNames = {
  readonly offer: (offerKey: string) => string;
  readonly partner: (buyerKey: string) => string;
};

const KEYS: EventNames = { offer: (key) => key, partner: (key) => key };

/** The events of a lead in sentences, oldest first. */
export function leadEvents(
  lead: Pick<StoredLead, 'score' | 'receivedAt' | 'reason' | 'isTest'>,
  decisions: readonly DecisionEvent[],
  deliveries: DeliveryTrail['deliveries'],
  names: EventNames = KEYS,
): LeadEvent[] {
  const events: LeadEvent[] = [
    lead.score === null
      ? { at: lead.receivedAt.toISOString(), type: 'lead.refused', message: `Rejected: ${lead.reason}` }
      : { at: lead.receivedAt.toISOString(), type: 'lead.received', message: `Accepted with a score of ${lead.score}` },
  ];
  for (const decision of decisions) {
    const message =
      decision.outcome === 'routed'
        ? `${lead.isTest ? 'Test lead, not delivered: would be sold' : 'Sold'} to ${decision.sold.map(names.offer).join(', ')}`
        : decision.outcome === 'held'
          ? `Held: no offer is open now; next try at ${decision.retryAt}`
          : lead.reason === 'suppressed'
            ? 'Rejected: on a list of leads that must not be sold'
            : 'Rejected: no offer takes the lead';
    events.push({ at: decision.decidedAt, type: `lead.${decision.outcome}`, message });
  }
  for (const delivery of deliveries) {
    const { deliveryRef, partner, confirmedAt, failedAt } = delivery;
    const name = `${deliveryRef} to ${names.partner(partner)}`;
    if (confirmedAt !== null) {
      events.push({ at: confirmedAt, type: 'delivery.confirmed', message: `${name} confirmed and charged` });
    }
    if (failedAt !== null) events.push({ at: failedAt, type: 'delivery.failed', message: `${name} failed` });
  }
  // The sort is stable, so events of the same millisecond keep the order of their causes.
  return events.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
