// Opens the four accounts of each buyer: its own, and its counterparts for sales, payments and adjustments (migration 0005).
import type { Tx } from '../platform/database/database.ts';
import { insertAccounts } from './ledger.sql.ts';
import { accountKinds } from './transfer.rules.ts';

/** Leaves accounts that are open as they are. */
export async function openAccounts(tx: Tx, buyerKeys: readonly string[]): Promise<void> {
  if (buyerKeys.length === 0) return;
  await tx.query(insertAccounts, { buyerKeys, accountKinds });
}
