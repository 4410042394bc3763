// Keeps the offers, buyers and settings in force in memory and reloads them when the configuration's version has moved.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readPersonPepper, readSettings } from '../marketplace/read-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { type Calendar, rememberSpans } from './availability.rules.ts';
import { rememberLocalDays } from './local-day.rules.ts';
import { makeOfferIndex, type OfferIndex } from './offer-index.rules.ts';
import { readOffers } from './read-offers.ts';
import type { StoredSettings } from '../marketplace/settings.ts';

export type CurrentMarket = {
  readonly stored: StoredSettings;
  readonly personPepper: Buffer;
  readonly offerIndex: OfferIndex;
  readonly calendar: Calendar;
  readonly suppliers: ReadonlyMap<string, SupplierConfig>;
};

export type MarketReader = {
  /** What is in force for this transaction, all of one version: one small read, and all of it only after a change. */
  current(tx: Tx): Promise<CurrentMarket>;
};

export function createMarketReader(): MarketReader {
  let known: CurrentMarket | null = null;
  return {
    async current(tx) {
      let stored = await readSettings(tx);
      while (known?.stored.version !== stored.version) {
        const buyers = await readBuyers(tx);
        const offers = await readOffers(tx);
        const suppliers = await readSuppliers(tx);
        const personPepper = await readPersonPepper(tx);
        // Each statement sees what was committed before it. A change in between would mix two versions under the name of one.
        const { version } = stored;
        stored = await readSettings(tx);
        if (stored.version !== version) continue;
        known = {
          stored,
          personPepper,
          offerIndex: makeOfferIndex(version, offers, buyers),
          calendar: { spanOf: rememberSpans(), dayOf: rememberLocalDays() },
          suppliers,
        };
      }
      return known;
    },
  };
}
