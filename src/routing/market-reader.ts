// Caches the current offers, buyers, suppliers and settings in memory and reloads them when the configuration version changes.
import { readBuyers } from '../buyers/read-buyers.ts';
import type { ListKind } from '../lists/list.ts';
import { readListKinds } from '../lists/look-up.ts';
import { readPersonPepper, readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { type Calendar, cachedSpans } from './availability.rules.ts';
import { cachedLocalDays } from './local-day.rules.ts';
import { makeOfferIndex, type OfferIndex } from './offer-index.rules.ts';
import { readOffers } from './stored-offers.ts';
import type { StoredSettings } from '../marketplace/settings.ts';

export type CurrentMarket = {
  readonly stored: StoredSettings;
  readonly personPepper: Buffer;
  readonly offerIndex: OfferIndex;
  readonly calendar: Calendar;
  readonly suppliers: ReadonlyMap<string, SupplierConfig>;
  /** The kinds of all lists; empty where there is none, and then no lead is looked up. */
  readonly listKinds: ReadonlySet<ListKind>;
};

export type MarketReader = {
  /** The configuration of one version, current in this transaction: one small read, and a full reload only after a change. */
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
        const listKinds = await readListKinds(tx);
        // Each statement sees everything committed before it, so a change in between would mix two versions under one number.
        const { version } = stored;
        stored = await readSettings(tx);
        if (stored.version !== version) continue;
        known = {
          stored,
          personPepper,
          offerIndex: makeOfferIndex(version, offers, buyers),
          calendar: { spanOf: cachedSpans(), dayOf: cachedLocalDays() },
          suppliers,
          listKinds,
        };
      }
      return known;
    },
  };
}
