// Reads the offers of one buyer, closed ones too.
import type { Tx } from '../platform/database/database.ts';
import { readOffersOfBuyerSql } from './offer.sql.ts';
import type { Offer } from './offer.ts';

type Row = Pick<Offer, 'offerKey' | 'buyerKey' | 'status'> & { readonly definition: Offer };

/** In the order of their keys. */
export async function readOffersOfBuyer(tx: Tx, buyerKey: string): Promise<Offer[]> {
  const rows = await tx.query<Row>(readOffersOfBuyerSql, [buyerKey]);
  return rows.map(({ definition, ...columns }) => ({ ...definition, ...columns }));
}
