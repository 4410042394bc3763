// Finds the deliveries of leads, and the lead of a delivery.
import { type DeliveryId, type LeadId, typeId } from '../base/ids.ts';
import { uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyersOfLeadsSql, salesOfLeadsSql, selectLeadOfDelivery } from './delivery.sql.ts';
import { wireAmount } from '../base/money.ts';
import type { DeliveryStatus } from './delivery.ts';

export async function buyersOfLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<Map<LeadId, Set<string>>> {
  const buyers = new Map<LeadId, Set<string>>();
  for (const row of await tx.query(buyersOfLeadsSql, { leadIds: uuidArray(leadIds) })) {
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

/** By lead; one without sales is not in it. */
export async function salesOfLeads(
  tx: Tx,
  leadIds: readonly LeadId[],
): Promise<ReadonlyMap<LeadId, readonly SaleOfLead[]>> {
  if (leadIds.length === 0) return new Map();
  const rows = await tx.query(salesOfLeadsSql, { leadIds });
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

/** The lead behind a delivery; null when there is no such delivery. */
export async function leadOfDelivery(tx: Tx, deliveryId: DeliveryId): Promise<LeadId | null> {
  const [row] = await tx.query(selectLeadOfDelivery, { deliveryId });
  return row?.leadId ?? null;
}
