// Finds the offers that a change of the configuration would stop, before it is written.
import { centsOf, formatMoney } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import type { Tx } from '../platform/database/database.ts';
import { counted } from '../reports/counted.ts';
import { offerFigures } from '../reports/sales-figures.ts';
import type { Offer } from '../routing/offer.ts';
import { readOffersOfBuyer } from '../routing/stored-offers.ts';
import type { Configuration, Writes } from './difference.rules.ts';
import { type ChangedOffer, stopNotes } from './stop-notes.rules.ts';

/** `isPart`: `current` has only what the change names, so the other offers of its partners are read. */
export async function findStops(
  tx: Tx,
  writes: Pick<Writes, 'buyers' | 'offers'>,
  { current, isPart }: { readonly current: Configuration; readonly isPart: boolean },
  now: Date,
): Promise<string[]> {
  const keys = [
    ...new Set([
      ...writes.buyers.map(({ buyerKey }) => buyerKey),
      ...writes.offers.flatMap(({ offerKey }) => current.offers.get(offerKey)?.buyerKey ?? []),
    ]),
  ];
  if (keys.length === 0) return [];
  const buyers = await readBuyers(tx, keys);
  const offers = isPart ? await readOffersOf(tx, keys) : [...current.offers.values()];
  const saved = new Map(writes.buyers.map((buyer) => [buyer.buyerKey, buyer]));
  const written = new Map(writes.offers.map((offer) => [offer.offerKey, offer]));
  const changed = offers.flatMap((offer): ChangedOffer[] => {
    const buyer = buyers.get(offer.buyerKey);
    if (buyer === undefined) return [];
    const after: Buyer = { ...buyer, ...saved.get(offer.buyerKey) };
    return [{ before: { offer, buyer }, after: { offer: written.get(offer.offerKey) ?? offer, buyer: after } }];
  });
  const figures = await offerFigures(
    tx,
    changed.map(({ before: { offer } }) => offer),
    now,
  );
  const { currency } = current.settings;
  return stopNotes(changed, {
    currency,
    soldOf(offerKey) {
      const { sold, revenue } = figures(offerKey);
      return `${counted(sold, 'lead')} for ${formatMoney(centsOf(revenue), currency)} in 28 days`;
    },
  });
}

async function readOffersOf(tx: Tx, keys: readonly string[]): Promise<Offer[]> {
  const offers: Offer[] = [];
  for (const key of keys) offers.push(...(await readOffersOfBuyer(tx, key)));
  return offers;
}
