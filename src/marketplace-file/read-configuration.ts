// Reads the whole configuration in force, as differences and the export need it.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readFileSettings } from '../buyers/read-file-settings.ts';
import { readSettings } from '../marketplace/read-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { readOffers } from '../routing/read-offers.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { Configuration } from './difference.rules.ts';

export async function readConfiguration(tx: Tx): Promise<Configuration> {
  // One connection runs one statement at a time.
  const { settings } = await readSettings(tx);
  const suppliers = await readSuppliers(tx);
  const buyers = await readBuyers(tx);
  const fileSettings = await readFileSettings(tx);
  const offers = await readOffers(tx);
  return { settings, suppliers, buyers, fileSettings, offers: new Map(offers.map((offer) => [offer.offerKey, offer])) };
}
