// Adds what a routed batch did to the traces of its sampled leads: the wait in the inbox and the decision (decision 058).
import { typeId } from '../base/ids.ts';
import type { NewDelivery } from '../deliveries/create-deliveries.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Decision } from './decide-batch.rules.ts';

export type RoutedBatch = { readonly decisions: readonly Decision[]; readonly sold: readonly NewDelivery[] };

/** Call it after the commit. `claimedAt` is the time for which the batch was decided. */
export function traceBatch(
  tracing: Tracing,
  { decisions, sold }: RoutedBatch,
  { claimedAt, committedAt }: { readonly claimedAt: Date; readonly committedAt: Date },
): void {
  for (const { lead, outcome, publicStatus, choice } of decisions) {
    if (!tracing.isSampled(lead.leadId)) continue;
    const ids = {
      'leadmarket.lead_id': typeId('lead', lead.leadId),
      'leadmarket.supplier_key': lead.facts.supplierKey,
    };
    const claimedMs = claimedAt.getTime();
    // A lead that comes back from a partner was not waiting since it was posted.
    if (lead.buyersBefore.size === 0) {
      tracing.addChild(lead.leadId, {
        ...{ name: 'wait in inbox', kind: 'internal', attributes: ids },
        startedMs: Math.min(lead.receivedAt, claimedMs),
        endedMs: claimedMs,
      });
    }
    const deliveries = sold.filter(({ leadId }) => leadId === lead.leadId);
    tracing.addChild(lead.leadId, {
      ...{ name: 'route', kind: 'internal', startedMs: claimedMs, endedMs: committedAt.getTime() },
      attributes: {
        ...ids,
        'leadmarket.batch_leads': decisions.length,
        'leadmarket.outcome': outcome,
        'leadmarket.lead_status': publicStatus,
        'leadmarket.offer_keys': choice.winners.map(({ offer }) => offer.offerKey),
        'leadmarket.partner_keys': choice.winners.map(({ buyer }) => buyer.buyerKey),
        'leadmarket.delivery_ids': deliveries.map(({ deliveryId }) => typeId('delivery', deliveryId)),
      },
    });
  }
}
