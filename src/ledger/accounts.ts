// Opens and locks the ledger accounts of buyers (contract 4.7, 7.7).
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import { insertAccounts, lockAccountsSql } from './ledger.sql.ts';
import { accountKinds, type AccountState } from './transfer.rules.ts';
import { textArray } from '../platform/database/binary-array.ts';

/**
 * Opens four accounts for each buyer: its own, and the counterparts for sales, payments and adjustments. Accounts that exist stay as they
 * are.
 */
export async function openAccounts(tx: Tx, buyerKeys: readonly string[]): Promise<void> {
  if (buyerKeys.length === 0) return;
  await tx.query(insertAccounts, { buyerKeys, accountKinds });
}

/** Locks accounts until the transaction ends, always in the ledger's order. Returns states by account key; every account must be open. */
export async function lockAccounts(tx: Tx, accountKeys: ReadonlySet<string>): Promise<Map<string, AccountState>> {
  if (accountKeys.size === 0) return new Map();
  const rows = await tx.query(lockAccountsSql, { accountKeys: textArray([...accountKeys]) });
  assert(rows.length === accountKeys.size, 'a transfer names an account that is not open');
  return new Map(rows.map((row) => [row.accountKey, row]));
}
