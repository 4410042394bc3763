// Reads the current configuration, for comparing and exporting.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readFileSettings } from '../buyers/file-settings.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import type { Tx } from '../platform/database/database.ts';
import { readAnsweredOffers, readOffers } from '../routing/stored-offers.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { Configuration } from './difference.rules.ts';
import type { MarketplaceFile } from './marketplace-file.ts';

export async function readConfiguration(tx: Tx): Promise<Configuration> {
  return readPart(tx, { buyerKeys: undefined, offerKeys: undefined });
}

/** Only the partners and offers that the file names, and few besides, so that a form's change does not read ten thousand others. */
export async function readNamedConfiguration(
  tx: Tx,
  { marketplace, verticals, partners }: Pick<MarketplaceFile, 'marketplace' | 'verticals' | 'partners'>,
): Promise<Configuration> {
  const buyerKeys = partners.map(({ buyer }) => buyer.buyerKey);
  // The filters of all offers are checked against the marketplace's regions and the fields of verticals.
  if (marketplace !== null || verticals.length > 0) return readPart(tx, { buyerKeys, offerKeys: undefined });
  const offerKeys = partners.flatMap(({ offers }) => offers.map(({ offerKey }) => offerKey));
  const part = await readPart(tx, { buyerKeys, offerKeys });
  // A partner's webhook must name the prices that any of its offers leaves to it.
  const answered = buyerKeys.length === 0 ? [] : await readAnsweredOffers(tx, buyerKeys);
  return { ...part, offers: new Map([...answered.map((offer) => [offer.offerKey, offer] as const), ...part.offers]) };
}

type Named = { readonly buyerKeys: readonly string[] | undefined; readonly offerKeys: readonly string[] | undefined };

/** Always reads all verticals and suppliers: they are few, and offers' filters name them. */
export async function readPart(tx: Tx, { buyerKeys, offerKeys }: Named): Promise<Configuration> {
  // One after another, because a connection runs one statement at a time.
  const { settings } = await readSettings(tx);
  const verticals = await readVerticals(tx);
  const suppliers = await readSuppliers(tx);
  const buyers = await readBuyers(tx, buyerKeys);
  const fileSettings = await readFileSettings(tx, buyerKeys);
  const offers = await readOffers(tx, offerKeys);
  const byKey = new Map(offers.map((offer) => [offer.offerKey, offer]));
  return { settings, verticals, suppliers, buyers, fileSettings, offers: byKey };
}
