// Reads the offers of one buyer, closed ones too.
import type { Tx } from '../platform/database/database.ts';
import { readOffersOfBuyerSql } from './offer.sql.ts';
import type { Offer } from './offer.ts';

/** In the order of their keys. */
export async function readOffersOfBuyer(tx: Tx, buyerKey: string): Promise<Offer[]> {
  const rows = await tx.query(readOffersOfBuyerSql, { buyerKey });
  return rows.map(({ definition, ...columns }) => ({ ...definition, ...columns }));
}
