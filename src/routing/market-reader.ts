// Keeps the offers, buyers and settings in force in memory and reloads them when the configuration's version has moved.
import { readBuyers } from '../buyers/read-buyers.ts';
import { readSettings, type StoredSettings } from '../marketplace/read-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { type Calendar, rememberSpans } from './gates.rules.ts';
import { rememberLocalDays } from './local-day.rules.ts';
import { makeOfferBook, type OfferBook } from './offer-book.rules.ts';
import { readOffers } from './read-offers.ts';

export type MarketInForce = {
  readonly stored: StoredSettings;
  readonly book: OfferBook;
  readonly calendar: Calendar;
  readonly suppliers: ReadonlyMap<string, SupplierConfig>;
};

export type MarketReader = {
  /** What is in force for this transaction: one small read, and all of it only after a change. */
  current(tx: Tx): Promise<MarketInForce>;
};

export function createMarketReader(): MarketReader {
  let known: MarketInForce | null = null;
  return {
    async current(tx) {
      const stored = await readSettings(tx);
      if (known !== null && known.stored.version === stored.version) return known;
      const buyers = await readBuyers(tx);
      const offers = await readOffers(tx);
      const suppliers = await readSuppliers(tx);
      known = {
        stored,
        book: makeOfferBook(stored.version, offers, buyers),
        calendar: { spanOf: rememberSpans(), dayOf: rememberLocalDays() },
        suppliers,
      };
      return known;
    },
  };
}
