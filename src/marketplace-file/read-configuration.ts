// Reads the configuration in force, as differences and the export need it.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readFileSettings } from '../buyers/read-file-settings.ts';
import { readSettings } from '../marketplace/read-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { readOffers } from '../routing/read-offers.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { Configuration } from './difference.rules.ts';
import type { MarketplaceFile } from './marketplace-file.ts';

export async function readConfiguration(tx: Tx): Promise<Configuration> {
  return readPart(tx, { buyerKeys: undefined, offerKeys: undefined });
}

/** Only the partners and offers that the file names: a form's change need not read those of ten thousand others. */
export async function readNamedIn(
  tx: Tx,
  { marketplace, partners }: Pick<MarketplaceFile, 'marketplace' | 'partners'>,
): Promise<Configuration> {
  return readPart(tx, {
    buyerKeys: partners.map(({ buyer }) => buyer.buyerKey),
    // The filters of all offers are held against the marketplace's regions.
    offerKeys:
      marketplace === null ? partners.flatMap(({ offers }) => offers.map(({ offerKey }) => offerKey)) : undefined,
  });
}

type Named = { readonly buyerKeys: readonly string[] | undefined; readonly offerKeys: readonly string[] | undefined };

/** Suppliers always all: they are few, and filters of offers name them. */
export async function readPart(tx: Tx, { buyerKeys, offerKeys }: Named): Promise<Configuration> {
  // One connection runs one statement at a time.
  const { settings } = await readSettings(tx);
  const suppliers = await readSuppliers(tx);
  const buyers = await readBuyers(tx, buyerKeys);
  const fileSettings = await readFileSettings(tx, buyerKeys);
  const offers = await readOffers(tx, offerKeys);
  return { settings, suppliers, buyers, fileSettings, offers: new Map(offers.map((offer) => [offer.offerKey, offer])) };
}
