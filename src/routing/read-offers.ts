// Reads offers, closed ones too.
import type { Tx } from '../platform/database/database.ts';
import { readOffersSql, readSomeOffersSql } from './offer.sql.ts';
import type { Offer } from './offer.ts';

type Row = Pick<Offer, 'offerKey' | 'buyerKey' | 'status'> & { readonly definition: Offer };

/** In the order of their keys; only those of `keys` where some are given. */
export async function readOffers(tx: Tx, keys?: readonly string[]): Promise<Offer[]> {
  const rows = await (keys === undefined ? tx.query<Row>(readOffersSql) : tx.query<Row>(readSomeOffersSql, [keys]));
  return rows.map(({ definition, ...columns }) => ({ ...definition, ...columns }));
}
