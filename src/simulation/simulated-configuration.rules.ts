// The configuration of a simulation: settings, offers, buyers and suppliers' terms as they would be after applying a file.
import type { Buyer } from '../buyers/buyer.ts';
import type { Configuration, Writes } from '../marketplace-file/difference.rules.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Offer } from '../routing/offer.ts';
import type { PayTerms } from '../suppliers/supplier.ts';

/** All endpoints are enabled: whether one was disabled is not part of a file and is replayed from the past. No offer and no partner is paused. */
export type SimulatedConfiguration = {
  readonly settings: MarketplaceSettings;
  readonly offers: ReadonlyMap<string, Offer>;
  readonly buyers: ReadonlyMap<string, Buyer>;
  /** By supplier. */
  readonly pay: ReadonlyMap<string, PayTerms>;
};

export function configurationAfter(
  current: Configuration,
  { settings, suppliers, buyers, offers }: Writes,
): SimulatedConfiguration {
  const after = new Map(current.offers);
  for (const offer of offers) {
    after.set(offer.offerKey, { ...offer, ownLimits: current.offers.get(offer.offerKey)?.ownLimits ?? null });
  }
  const pay = new Map([...current.suppliers].map(([key, supplier]) => [key, supplier.pay]));
  for (const supplier of suppliers) pay.set(supplier.supplierKey, supplier.pay);
  const saved = new Map(current.buyers);
  for (const buyer of buyers) saved.set(buyer.buyerKey, buyer);
  return {
    settings: settings ?? current.settings,
    offers: new Map([...after].map(([key, offer]) => [key, { ...offer, rejectionsPause: null }])),
    pay,
    buyers: new Map(
      [...saved].map(([key, buyer]): [string, Buyer] => [
        key,
        { ...buyer, endpointDisabledAt: null, fundsPausedAt: null, ownPause: null },
      ]),
    ),
  };
}
