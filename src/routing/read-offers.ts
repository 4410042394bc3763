// Reads offers, closed ones too.
import type { Tx } from '../platform/database/database.ts';
import { readOffersSql, readSomeOffersSql } from './offer.sql.ts';
import type { Offer } from './offer.ts';

/** In the order of their keys; only those of `keys` where some are given. */
export async function readOffers(tx: Tx, keys?: readonly string[]): Promise<Offer[]> {
  const rows = await (keys === undefined ? tx.query(readOffersSql) : tx.query(readSomeOffersSql, { keys }));
  return rows.map(({ definition, ...columns }) => ({ ...definition, ...columns }));
}
