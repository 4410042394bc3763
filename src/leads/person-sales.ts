// Who of the people at hand was sold before: locked per person, so that equal leads at one instant are decided one after the
// other (contract 4.4).
import type { DeliveryId } from '../base/ids.ts';
import { int8Array, textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { forgetSales, lockPersonsSql, recordSales, selectSales } from './person-sale.sql.ts';
import type { PersonHash, SalesOfPersons } from './person-scope.rules.ts';

export type PersonSale = { readonly hash: PersonHash; readonly scope: string; readonly deliveryId: DeliveryId };

/** Locks people until the transaction ends, and answers the scopes in which they were sold since then; with `since` null nobody counts as sold. */
export async function lockPersons(
  tx: Tx,
  persons: readonly PersonHash[],
  { since, now }: { since: Date | null; now: Date },
): Promise<SalesOfPersons> {
  const sales: SalesOfPersons = new Map();
  if (persons.length === 0) return sales;
  await tx.query(lockPersonsSql, { personHashes: int8Array(persons), now });
  if (since === null) return sales;
  // A statement of its own: its snapshot is younger than the locks, so it sees what the former holders committed.
  for (const { hash, scope } of await tx.query(selectSales, {
    hashes: int8Array(persons),
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
export async function forgetPersonSales(tx: Tx, deliveryIds: readonly DeliveryId[]): Promise<void> {
  if (deliveryIds.length > 0) await tx.query(forgetSales, { deliveryIds });
}
