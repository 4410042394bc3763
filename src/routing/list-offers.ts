// Lists offers by their keys, a page at a time, for the operator's console.
import type { Tx } from '../platform/database/database.ts';
import { countWantedOffersSql, listOffersSql } from './offer.sql.ts';
import type { Offer, OfferStatus } from './offer.ts';

export type OfferQuery = {
  /** Part of a key or name. */
  readonly search: string | null;
  readonly status: OfferStatus | null;
  readonly buyerKey: string | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

export async function listOffers(
  tx: Tx,
  { search, status, buyerKey, page, pageSize }: OfferQuery,
): Promise<{ total: number; offers: Offer[] }> {
  const wanted = { search, status, buyerKey };
  const [count] = await tx.query(countWantedOffersSql, wanted);
  const rows = await tx.query(listOffersSql, { ...wanted, pageSize, offset: (page - 1) * pageSize });
  return {
    total: count?.total ?? 0,
    offers: rows.map(({ definition, ...columns }) => ({ ...definition, ...columns })),
  };
}
