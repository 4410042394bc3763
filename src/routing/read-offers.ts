// Reads every offer, closed ones too.
import type { Tx } from '../platform/database/database.ts';
import { readOffersSql } from './offer.sql.ts';
import type { Offer } from './offer.ts';

type Row = Pick<Offer, 'offerKey' | 'buyerKey' | 'status'> & { readonly definition: Offer };

/** In the order of their keys. */
export async function readOffers(tx: Tx): Promise<Offer[]> {
  const rows = await tx.query<Row>(readOffersSql);
  return rows.map(({ definition, ...columns }) => ({ ...definition, ...columns }));
}
