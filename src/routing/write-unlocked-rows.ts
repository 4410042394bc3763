// Writes the rows of a decided batch that no other worker waits for: deliveries, sales by identity, lead states, retries and callbacks
// (decision 004).
import { strict as assert } from 'node:assert';

import { newUuid, type LeadId } from '../base/ids.ts';
import { createDeliveries, type NewDelivery } from '../deliveries/create-deliveries.ts';
import { draftCharges } from '../deliveries/charge-deliveries.ts';
import { type SearchedPerson, searchTerms } from '../deliveries/search/search-terms.rules.ts';
import type { NewTransfer } from '../ledger/transfer.rules.ts';
import { EVERY_BUYER } from '../leads/identity.rules.ts';
import { type IdentitySale, recordIdentitySales } from '../leads/identity-sales.ts';
import { queueLeads } from '../leads/inbox.ts';
import { settleLeads } from '../leads/settle-leads.ts';
import type { Tx } from '../platform/database/database.ts';
import { type LeadNotice, queueCallbacks } from '../suppliers/queue-callbacks.ts';
import { type SaleCost, saleCost } from '../suppliers/sale-cost.rules.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import type { BatchDecision, Decision, SaleTerms } from './decide-batch.rules.ts';
import { writeTrace } from './trace.rules.ts';

export type WrittenRows = {
  readonly deliveries: readonly NewDelivery[];
  /** Queued for suppliers. */
  readonly callbacks: number;
  /** Charges and costs of deliveries that are confirmed on creation; their ledger entries are written under lock. */
  readonly charges: readonly NewTransfer[];
  /** JSON, one per decision. */
  readonly traces: readonly string[];
};

type BatchContext = {
  readonly suppliers: ReadonlyMap<string, SupplierConfig>;
  /** For every lead of the batch. */
  readonly fieldsOf: ReadonlyMap<LeadId, SearchedPerson>;
};

/** Call it before counters and accounts are locked, so that other workers do not wait for these writes. */
export async function writeUnlockedRows(
  tx: Tx,
  batch: BatchDecision,
  { suppliers, fieldsOf }: BatchContext,
  now: Date,
): Promise<WrittenRows> {
  const { deliveries, sales, traces } = rowsOf(batch, { suppliers, fieldsOf });
  const [charges, , , , callbacks] = await Promise.all([
    createDeliveries(tx, deliveries, now).then((confirmed) => draftCharges(tx, confirmed, now)),
    recordIdentitySales(tx, sales, now),
    settleLeads(
      tx,
      batch.decisions.map(({ lead, outcome, publicStatus }) => ({
        leadId: lead.leadId,
        // Every undecided lead has this status.
        from: 'Pending',
        state: outcome,
        publicStatus,
        reason: outcome === 'rejected' ? reasonOf(publicStatus) : null,
      })),
      now,
    ),
    queueLeads(
      tx,
      batch.decisions.flatMap(({ lead, retryAt }) =>
        retryAt === null ? [] : [{ leadId: lead.leadId, dueAt: new Date(retryAt), failures: 0 }],
      ),
    ),
    queueCallbacks(tx, { notices: batch.decisions.flatMap(newsOf), suppliers }, now),
  ]);
  return { deliveries, callbacks, charges, traces };
}

function rowsOf(
  batch: BatchDecision,
  { suppliers, fieldsOf }: BatchContext,
): { deliveries: NewDelivery[]; sales: IdentitySale[]; traces: string[] } {
  const deliveries: NewDelivery[] = [];
  const failed: FailedCosts = new Map();
  const sales = new Map<string, IdentitySale>();
  const windows = new Map(batch.grants.map((grant) => [grant.offerKey, grant.windows]));
  const traces = batch.decisions.map((decision) => {
    const sold = decision.choice.winners.map((winner) => ({ winner, deliveryId: newUuid() }));
    if (!decision.lead.isTest && sold.length > 0) {
      const fields = fieldsOf.get(decision.lead.leadId);
      assert(fields !== undefined, 'the fields of a sold lead were not read');
      const search = searchTerms(fields);
      for (const { winner, deliveryId } of sold) {
        const capWindows = windows.get(winner.offer.offerKey) ?? [];
        const terms = batch.terms.get(winner);
        assert(terms !== undefined, 'a winner has no terms of sale');
        const cost = costApart(decision, terms, { suppliers, failed });
        deliveries.push(newDelivery(decision, winner, { deliveryId, capWindows, search, terms, cost }));
        for (const hash of decision.lead.identities) {
          const sale = { hash, scope: terms.scope, deliveryId };
          sales.set(`${sale.hash} ${sale.scope}`, sale);
        }
      }
    }
    return writeTrace(decision, sold);
  });
  if (failed.size > 0) throw new SupplierTermsError(failed);
  return { deliveries, sales: [...sales.values()], traces };
}

/** The callbacks about a decision. A lead that failed at one buyer and went to the next one causes none. */
function newsOf({ lead, outcome, publicStatus }: Decision): LeadNotice[] {
  const news = { supplierKey: lead.facts.supplierKey, leadId: lead.leadId, externalId: lead.externalId };
  if (lead.isTest || outcome === 'held') return [];
  if (outcome === 'routed') {
    const isFirst = lead.buyersBefore.size === 0;
    return isFirst ? [{ ...news, type: 'lead.routed', status: publicStatus, reason: null }] : [];
  }
  const reason = reasonOf(publicStatus);
  return (['lead.rejected', 'lead.processing_error'] as const).map((type) => ({
    ...news,
    type,
    status: publicStatus,
    reason,
  }));
}

function reasonOf(publicStatus: Decision['publicStatus']): 'duplicate' | 'suppressed' | 'no_buyer' {
  if (publicStatus === 'Suppressed') return 'suppressed';
  return publicStatus === 'Duplicate' ? 'duplicate' : 'no_buyer';
}

type Winner = Decision['choice']['winners'][number];

/** Leads whose cost could not be computed, with their supplier and the error. */
export type FailedCosts = Map<LeadId, { readonly supplierKey: string; readonly error: unknown }>;

/** The terms of some leads' suppliers could not be used: roll back, set these leads aside, and run the batch again without them. */
export class SupplierTermsError extends Error {
  readonly leads: FailedCosts;
  constructor(leads: FailedCosts) {
    const [first] = leads.values();
    super(`the terms of supplier ${first?.supplierKey} cannot be used`, { cause: first?.error });
    this.name = 'SupplierTermsError';
    this.leads = leads;
  }
}

type CostContext = Pick<BatchContext, 'suppliers'> & { readonly failed: FailedCosts };

/** What the sale will cost under the supplier's current terms. */
function costApart({ lead }: Decision, terms: SaleTerms, { suppliers, failed }: CostContext): SaleCost | null {
  const { supplierKey, state, source, score } = lead.facts;
  const { eventType, payoutCents: priceCents } = terms;
  const supplier = suppliers.get(supplierKey);
  if (supplier === undefined) return null;
  try {
    return saleCost(supplier.pay, { state, source, score, eventType, priceCents });
  } catch (error) {
    failed.set(lead.leadId, { supplierKey, error });
    return null;
  }
}

function newDelivery(
  { lead, choice }: Decision,
  { offer }: Winner,
  {
    deliveryId,
    capWindows,
    search,
    terms,
    cost,
  }: Pick<NewDelivery, 'deliveryId' | 'capWindows' | 'search' | 'cost'> & { readonly terms: SaleTerms },
): NewDelivery {
  const slot = choice.appointments.get(offer.offerKey) ?? null;
  return {
    deliveryId,
    leadId: lead.leadId,
    buyerKey: offer.buyerKey,
    offerKey: offer.offerKey,
    supplierKey: lead.facts.supplierKey,
    eventType: terms.eventType,
    isExclusive: terms.scope === EVERY_BUYER,
    payoutCents: terms.payoutCents,
    priceMinCents: terms.priceMinCents,
    channel: terms.channel,
    capWindows: slot === null ? capWindows : [...capWindows, { window: 'slot', startsAt: slot }],
    appointmentAt: slot === null ? null : new Date(slot),
    returnUntil: terms.returnUntil,
    search,
    cost,
  };
}
