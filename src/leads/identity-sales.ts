// Locks identities and records in which scopes they were sold, so that duplicates are detected one after the other (contract 4.4).
import type { DeliveryId } from '../base/ids.ts';
import { int8Array, textArray, timestamptzArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { deleteSales, lockIdentitiesSql, recordPastSalesSql, recordSales, selectSales } from './identity-sale.sql.ts';
import type { IdentityHash, SalesByIdentity } from './identity.rules.ts';

export type IdentitySale = { readonly hash: IdentityHash; readonly scope: string; readonly deliveryId: DeliveryId };

/** Locks identities until the transaction ends, and returns the scopes of their sales since `since`; null for no duplicate window. */
export async function lockIdentities(
  tx: Tx,
  identities: readonly IdentityHash[],
  { since, now }: { since: Date | null; now: Date },
): Promise<SalesByIdentity> {
  const sales: SalesByIdentity = new Map();
  if (identities.length === 0) return sales;
  const hashes = int8Array(identities);
  const [, rows] = await Promise.all([
    tx.query(lockIdentitiesSql, { identityHashes: hashes, now }),
    // A separate statement: its snapshot is newer than the locks, so it sees the sales that previous holders committed.
    since === null ? [] : tx.query(selectSales, { hashes, since }),
  ]);
  for (const { hash, scope } of rows) sales.set(hash, (sales.get(hash) ?? new Set()).add(scope));
  return sales;
}

/** Each pair of identity and scope at most once per call. */
export async function recordIdentitySales(tx: Tx, sales: readonly IdentitySale[], now: Date): Promise<void> {
  if (sales.length === 0) return;
  await tx.query(recordSales, {
    hashes: int8Array(sales.map((sale) => sale.hash)),
    scopes: textArray(sales.map((sale) => sale.scope)),
    deliveryIds: uuidArray(sales.map((sale) => sale.deliveryId)),
    now,
  });
}

/** A sale by another system. */
export type PastSale = { readonly hash: IdentityHash; readonly scope: string; readonly soldAt: Date };

/**
 * Each pair of identity and scope at most once per call. Returns the pairs that were new or sold earlier; those with a later sale stay as
 * they are, so that a repetition writes nothing.
 */
export async function recordPastSales(
  tx: Tx,
  sales: readonly PastSale[],
): Promise<Array<{ readonly hash: IdentityHash; readonly scope: string }>> {
  if (sales.length === 0) return [];
  return tx.query(recordPastSalesSql, {
    hashes: int8Array(sales.map(({ hash }) => hash)),
    scopes: textArray(sales.map(({ scope }) => scope)),
    soldAts: timestamptzArray(sales.map(({ soldAt }) => soldAt)),
  });
}

/** For failed deliveries: their identities may be sold again. */
export async function deleteIdentitySales(tx: Tx, deliveryIds: readonly DeliveryId[]): Promise<void> {
  if (deliveryIds.length > 0) await tx.query(deleteSales, { deliveryIds });
}
