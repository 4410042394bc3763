// Charges a lead that a partner took at a price which could not be read or was out of bounds, at the price that an operator sets (contract 13.5).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor } from '../audit/audit-event.ts';
import { type DeliveryId, typeId } from '../base/ids.ts';
import { formatCents, wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { deliveryRef } from '../deliveries/delivery.ts';
import { confirmPriced, readPriceable } from '../deliveries/redelivery/confirm-priced.ts';
import { lockDeliveriesOfLeads } from '../deliveries/redelivery/reopen-deliveries.ts';
import { identityHashes } from '../leads/identity-hash.ts';
import { EVERY_BUYER } from '../leads/identity.rules.ts';
import { lockIdentities, recordIdentitySales } from '../leads/identity-sales.ts';
import { readFields } from '../leads/read-fields.rules.ts';
import { lockLeads } from '../leads/read-lead.ts';
import { readPersonPepper } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { readOffers } from './stored-offers.ts';

export type HandPrice = AuditAuthor & {
  readonly deliveryId: DeliveryId;
  /** Above 0. */
  readonly priceCents: number;
};
export type HandPriceRefusal = 'delivery_not_found' | 'delivery_not_unpriced' | 'price_out_of_bounds';
export type PricedByHand = {
  readonly deliveryRef: string;
  readonly buyerKey: string;
  readonly priceCents: number;
};

/**
 * Only a Failed delivery whose partner names prices and may have the lead; the price must be within the bounds of the sale. Setting the same
 * price again changes nothing. Locks in the order of routing: identities, leads, deliveries, accounts.
 */
export async function priceByHand(
  tx: Tx,
  { deliveryId, priceCents, actor, origin }: HandPrice,
  now: Date,
): Promise<Outcome<PricedByHand, HandPriceRefusal>> {
  const seen = await readPriceable(tx, deliveryId);
  if (seen === null) return refuse('delivery_not_found');
  const { leadId, buyerKey, offerKey } = seen;
  const hashes = seen.fields === null ? [] : identityHashes(await readPersonPepper(tx), readFields(seen.fields, null));
  await lockIdentities(tx, hashes, { since: null, now });
  await lockLeads(tx, [leadId]);
  const deliveries = await lockDeliveriesOfLeads(tx, [leadId]);
  // Again, under the locks.
  const row = await readPriceable(tx, deliveryId);
  if (row === null) return refuse('delivery_not_found');
  const priced = { deliveryRef: deliveryRef(row.eventType, row.refNumber), buyerKey, priceCents };
  if (row.status === 'Confirmed' && row.isPricedByHand && row.payoutCents === priceCents) return done(priced);
  const { priceMinCents, priceMaxCents } = row;
  if (
    row.status !== 'Failed' ||
    !row.mayHaveArrived ||
    row.isQueued ||
    priceMinCents === null ||
    priceMaxCents === null
  ) {
    return refuse('delivery_not_unpriced');
  }
  if (priceCents < priceMinCents || priceCents > priceMaxCents) {
    const bounds = `${formatCents(priceMinCents)} to ${formatCents(priceMaxCents)}`;
    return refuse(
      'price_out_of_bounds',
      `The lead was sold for ${bounds}; correct the account of the partner for any other amount.`,
    );
  }
  const [offer] = await readOffers(tx, [offerKey]);
  const others = deliveries.filter((other) => other.deliveryId !== deliveryId && other.status !== 'Failed');
  const isExclusive = offer?.sale.kind === 'exclusive' && others.length === 0;
  const scope = isExclusive ? EVERY_BUYER : buyerKey;
  await recordIdentitySales(
    tx,
    hashes.map((hash) => ({ hash, scope, deliveryId })),
    now,
  );
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey,
      supplierKey: null,
      action: 'delivery.priced',
      target: typeId('delivery', deliveryId),
      changes: { price: { from: null, to: wireAmount(priceCents) } },
      ...origin,
    },
  ]);
  await confirmPriced(tx, { deliveryId, isExclusive, priceCents }, now);
  return done(priced);
}
