// The configuration of a simulation: settings, offers and buyers as they would be after applying a file.
import type { Buyer } from '../buyers/buyer.ts';
import type { Configuration, Writes } from '../marketplace-file/difference.rules.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Offer } from '../routing/offer.ts';

/** All endpoints are enabled: whether one was disabled is not part of a file and is replayed from the past. */
export type SimulatedConfiguration = {
  readonly settings: MarketplaceSettings;
  readonly offers: ReadonlyMap<string, Offer>;
  readonly buyers: ReadonlyMap<string, Buyer>;
};

export function configurationAfter(
  current: Configuration,
  { settings, buyers, offers }: Writes,
): SimulatedConfiguration {
  const after = new Map(current.offers);
  for (const offer of offers) after.set(offer.offerKey, offer);
  const saved = new Map(current.buyers);
  for (const buyer of buyers) saved.set(buyer.buyerKey, buyer);
  return {
    settings: settings ?? current.settings,
    offers: after,
    buyers: new Map(
      [...saved].map(([key, buyer]): [string, Buyer] => [
        key,
        { ...buyer, endpointDisabledAt: null, fundsPausedAt: null },
      ]),
    ),
  };
}
