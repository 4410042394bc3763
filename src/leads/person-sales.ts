// Who of the people at hand was sold before: locked per person, so that equal leads at one instant are decided one after the
// other (contract 4.4).
import type { DeliveryId } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { deleteSales, lockIdentitiesSql, recordSales, selectSales } from './person-sale.sql.ts';
import type { IdentityHash, SalesByIdentity } from './person-scope.rules.ts';

export type PersonSale = { readonly hash: IdentityHash; readonly scope: string; readonly deliveryId: DeliveryId };

/** Locks people until the transaction ends, and answers the scopes in which they were sold since then; with `since` null nobody counts as sold. */
export async function lockIdentities(
  tx: Tx,
  identities: readonly IdentityHash[],
  { since, now }: { since: Date | null; now: Date },
): Promise<SalesByIdentity> {
  const sales: SalesByIdentity = new Map();
  if (identities.length === 0) return sales;
  await tx.query(lockIdentitiesSql, { identityHashes: int8Array(identities), now });
  if (since === null) return sales;
  // A statement of its own: its snapshot is younger than the locks, so it sees what the former holders committed.
  for (const { hash, scope } of await tx.query(selectSales, {
    hashes: int8Array(identities),
    since,
  })) {
    sales.set(hash, (sales.get(hash) ?? new Set()).add(scope));
  }
  return sales;
}

/** Each pair of person and scope at most once per call. */
export async function recordPersonSales(tx: Tx, sales: readonly PersonSale[], now: Date): Promise<void> {
  if (sales.length === 0) return;
  await tx.query(recordSales, {
    hashes: int8Array(sales.map((sale) => sale.hash)),
    scopes: textArray(sales.map((sale) => sale.scope)),
    deliveryIds: uuidArray(sales.map((sale) => sale.deliveryId)),
    now,
  });
}

/** After deliveries failed: the person may be sold again. */
export async function deletePersonSales(tx: Tx, deliveryIds: readonly DeliveryId[]): Promise<void> {
  if (deliveryIds.length > 0) await tx.query(deleteSales, { deliveryIds });
}
