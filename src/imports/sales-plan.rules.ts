// Turns rows of sold leads into sales of identities, of which the latest per identity and scope counts (contract 4.4, 7.10).
import type { PastSale } from '../leads/identity-sales.ts';
import type { SoldRow } from './sold-rows.rules.ts';

export type SalesPlan = {
  /** Each pair of identity and scope once. */
  readonly sales: readonly PastSale[];
  /** The index of the row that a sale comes from, by `HASH SCOPE`. */
  readonly rowOf: ReadonlyMap<string, number>;
  readonly rows: number;
  readonly expired: number;
};

/** Rows sold before `keptSince` are left out. */
export function planSales(
  rows: readonly SoldRow[],
  hashesOf: (row: SoldRow) => readonly string[],
  keptSince: Date | null,
): SalesPlan {
  const sales = new Map<string, PastSale>();
  const rowOf = new Map<string, number>();
  let expired = 0;
  for (const [index, row] of rows.entries()) {
    const { scope, soldAt } = row;
    if (keptSince !== null && soldAt < keptSince) {
      expired += 1;
      continue;
    }
    for (const hash of hashesOf(row)) {
      const key = `${hash} ${scope}`;
      const other = sales.get(key);
      if (other !== undefined && other.soldAt >= soldAt) continue;
      sales.set(key, { hash, scope, soldAt });
      rowOf.set(key, index);
    }
  }
  return { sales: [...sales.values()], rowOf, rows: rows.length, expired };
}
