// Reads what a sale costs and what of it is still owed; both tables are hidden from partners' requests.
import type { DeliveryId, LeadId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { SaleCost } from '../suppliers/sale-cost.rules.ts';

export const selectClawbackTerms = statement<
  { readonly deliveryId: DeliveryId },
  Pick<SaleCost, 'model' | 'clawbackDays'> & { leadId: LeadId; supplierKey: string; confirmedAt: Date | null }
>(
  'deliveries.clawback_terms',
  `SELECT c.model, c.clawback_days AS "clawbackDays", d.lead_id AS "leadId", d.supplier_key AS "supplierKey", d.confirmed_at AS "confirmedAt"
   FROM delivery_cost c JOIN delivery d USING (delivery_id) WHERE c.delivery_id = $deliveryId`,
);

/** From the ledger, because a process of the last release may have confirmed the sale without posting its cost. */
export const selectOwed = statement<
  { readonly deliveryId: DeliveryId; readonly leadId: LeadId; readonly model: SaleCost['model'] },
  { owedCents: number; isLeadKept: boolean }
>(
  'deliveries.owed',
  `SELECT coalesce(sum(CASE t.type WHEN 'cost' THEN t.amount_cents ELSE -t.amount_cents END), 0)::bigint AS "owedCents",
          EXISTS (SELECT FROM delivery d WHERE d.lead_id = $leadId AND d.delivery_id <> $deliveryId
                  AND d.status IN ('Pending', 'Confirmed')) AS "isLeadKept"
   FROM transfer t WHERE t.type IN ('cost', 'clawback') AND t.delivery_id IN (
     SELECT d.delivery_id FROM delivery d JOIN delivery_cost c USING (delivery_id)
     WHERE d.lead_id = $leadId AND c.model = $model AND ($model = 'fixed' OR d.delivery_id = $deliveryId))`,
);
