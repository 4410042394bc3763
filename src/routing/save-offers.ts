// Writes whole offers, new ones and changed ones alike.
import type { Tx } from '../platform/database/database.ts';
import { saveOffersSql } from './offer.sql.ts';
import type { Offer } from './offer.ts';

/** An offer stays with the buyer that it was made for. The caller has bumped the version and records history and audit. */
export async function saveOffers(tx: Tx, offers: readonly Offer[], now: Date): Promise<void> {
  if (offers.length === 0) return;
  await tx.query(saveOffersSql, {
    offerKeys: offers.map((offer) => offer.offerKey),
    buyerKeys: offers.map((offer) => offer.buyerKey),
    statuses: offers.map((offer) => offer.status),
    definitions: offers.map((offer) => JSON.stringify(offer)),
    now,
  });
}
