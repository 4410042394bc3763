// Reads how the price of an offer changed, and who changed it.
import { wireAmount } from '../base/money.ts';
import type { Tx } from '../platform/database/database.ts';
import { priceChangesSql } from './price-changes.sql.ts';

export type PriceChange = {
  readonly at: Date;
  readonly from: number;
  readonly to: number;
  /** Null where the audit trail has no record. */
  readonly actor: { readonly type: string; readonly name: string } | null;
};

/** The latest changes, the last first, at most `limit`. */
export async function readPriceChanges(tx: Tx, offerKey: string, limit: number): Promise<PriceChange[]> {
  const rows = await tx.query(priceChangesSql, { offerKey, limit });
  return rows.map(({ at, fromCents, toCents, actorType, actorName }) => ({
    at,
    from: wireAmount(fromCents),
    to: wireAmount(toCents),
    actor: actorType === null || actorName === null ? null : { type: actorType, name: actorName },
  }));
}
