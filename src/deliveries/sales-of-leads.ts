// Who got each of some leads, in short, for the operator's list.
import { typeId, type Uuid, type LeadId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { Tx } from '../platform/database/database.ts';
import { salesOfLeadsSql } from './console-delivery.sql.ts';
import type { DeliveryStatus } from './delivery-status.ts';

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
): Promise<ReadonlyMap<Uuid, readonly SaleOfLead[]>> {
  if (leadIds.length === 0) return new Map();
  const rows = await tx.query(salesOfLeadsSql, { leadIds });
  const sales = new Map<Uuid, SaleOfLead[]>();
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
