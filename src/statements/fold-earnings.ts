// Folds the entries of suppliers' accounts into sums by day, which the earnings are read from (contract 11.4).
import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import {
  foldLines,
  lockEarningProgress,
  openEarningProgress,
  selectEarningState,
  suppliersToFold,
} from './earnings.sql.ts';

/** Takes about a second; the rest waits for the next transaction. */
const ENTRIES_AT_ONCE = 50_000;

/** The suppliers with entries that are not folded yet. */
export async function findSuppliersToFold(tx: Tx): Promise<SupplierConfig[]> {
  const suppliers = await readSuppliers(tx);
  const rows = await tx.query(suppliersToFold);
  return rows.flatMap(({ supplierKey }) => suppliers.get(supplierKey) ?? []);
}

/**
 * Folds at most `ENTRIES_AT_ONCE` entries; returns whether more are left. An entry is folded once, because its version says whether it is.
 * Nothing happens while another process folds the same supplier.
 */
export async function foldEarnings(
  tx: Tx,
  { supplierKey, timeZone }: Pick<SupplierConfig, 'supplierKey' | 'timeZone'>,
): Promise<boolean> {
  await tx.query(openEarningProgress, { supplierKey });
  const [progress] = await tx.query(lockEarningProgress, { supplierKey });
  const account = accountKey('supplier', supplierKey);
  const [state] = await tx.query(selectEarningState, { supplierKey, accountKey: account });
  if (progress === undefined || state === undefined || state.version <= progress.folded) return false;
  const upTo = Math.min(state.version, progress.folded + ENTRIES_AT_ONCE);
  await tx.query(foldLines, { supplierKey, accountKey: account, timeZone, after: progress.folded, upTo });
  return upTo < state.version;
}
