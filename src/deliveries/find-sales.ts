// Finds the deliveries of leads, and the lead of a delivery.
import { type DeliveryId, type LeadId, typeId } from '../base/ids.ts';
import { uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectBuyersOfLeads, selectSales, selectLeadOfDelivery } from './delivery.sql.ts';
import { wireAmount } from '../base/money.ts';
import type { DeliveryStatus } from './delivery.ts';

/** The buyers that have or had a delivery of each lead: none of them is offered the same lead twice. */
export async function findBuyersOfLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<Map<LeadId, Set<string>>> {
  const buyers = new Map<LeadId, Set<string>>();
  for (const row of await tx.query(selectBuyersOfLeads, { leadIds: uuidArray(leadIds) })) {
    buyers.set(row.leadId, (buyers.get(row.leadId) ?? new Set()).add(row.buyerKey));
  }
  return buyers;
}

export type SaleOfLead = {
  readonly deliveryId: string;
  readonly partner: string;
  readonly offer: string;
  readonly status: DeliveryStatus;
  readonly payout: number;
};

/** By lead, for the operator's list. Leads without sales are missing. */
export async function findSales(
  tx: Tx,
  leadIds: readonly LeadId[],
): Promise<ReadonlyMap<LeadId, readonly SaleOfLead[]>> {
  if (leadIds.length === 0) return new Map();
  const rows = await tx.query(selectSales, { leadIds });
  const sales = new Map<LeadId, SaleOfLead[]>();
  for (const { leadId, deliveryId, buyerKey, offerKey, status, payoutCents } of rows) {
    const ofLead = sales.get(leadId) ?? [];
    ofLead.push({
      deliveryId: typeId('delivery', deliveryId),
      partner: buyerKey,
      offer: offerKey,
      status,
      payout: wireAmount(payoutCents),
    });
    sales.set(leadId, ofLead);
  }
  return sales;
}

/** The lead of a delivery; null if there is no such delivery. */
export async function findLeadOfDelivery(tx: Tx, deliveryId: DeliveryId): Promise<LeadId | null> {
  const [row] = await tx.query(selectLeadOfDelivery, { deliveryId });
  return row?.leadId ?? null;
}
