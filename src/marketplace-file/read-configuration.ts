// Reads the current configuration, for comparing and exporting.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readFileSettings } from '../buyers/file-settings.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import type { Tx } from '../platform/database/database.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { Configuration } from './difference.rules.ts';
import type { MarketplaceFile } from './marketplace-file.ts';

export async function readConfiguration(tx: Tx): Promise<Configuration> {
  return readPart(tx, { buyerKeys: undefined, offerKeys: undefined });
}

/** Only the partners and offers that the file names, so that a form's change does not read ten thousand others. */
export async function readNamedConfiguration(
  tx: Tx,
  { marketplace, verticals, partners }: Pick<MarketplaceFile, 'marketplace' | 'verticals' | 'partners'>,
): Promise<Configuration> {
  return readPart(tx, {
    buyerKeys: partners.map(({ buyer }) => buyer.buyerKey),
    // The filters of all offers are checked against the marketplace's regions and the fields of verticals.
    offerKeys:
      marketplace === null && verticals.length === 0
        ? partners.flatMap(({ offers }) => offers.map(({ offerKey }) => offerKey))
        : undefined,
  });
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
