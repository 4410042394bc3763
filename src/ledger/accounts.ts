// Opens and locks the ledger accounts of buyers and suppliers (contract 4.7, 7.7, 11.2).
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import { insertAccounts, insertSupplierAccounts, lockAccountsSql } from './ledger.sql.ts';
import { accountKinds, type AccountState, supplierAccountKinds } from './transfer.rules.ts';
import { textArray } from '../platform/database/binary-array.ts';

/**
 * Opens the accounts of each buyer: its own, and the counterparts for sales, payments, adjustments and tax. Accounts that exist stay as
 * they are.
 */
export async function openAccounts(tx: Tx, buyerKeys: readonly string[]): Promise<void> {
  if (buyerKeys.length === 0) return;
  await tx.query(insertAccounts, { buyerKeys, accountKinds });
}

/**
 * Opens the accounts of each supplier: its own, and the counterparts for costs, payouts and adjustments. Accounts that exist stay as they
 * are.
 */
export async function openSupplierAccounts(tx: Tx, supplierKeys: readonly string[]): Promise<void> {
  if (supplierKeys.length === 0) return;
  await tx.query(insertSupplierAccounts, { supplierKeys, accountKinds: supplierAccountKinds });
}

/** Locks accounts until the transaction ends, always in the ledger's order. Returns states by account key; every account must be open. */
export async function lockAccounts(tx: Tx, accountKeys: ReadonlySet<string>): Promise<Map<string, AccountState>> {
  if (accountKeys.size === 0) return new Map();
  const rows = await tx.query(lockAccountsSql, { accountKeys: textArray([...accountKeys]) });
  assert(rows.length === accountKeys.size, 'a transfer names an account that is not open');
  return new Map(rows.map((row) => [row.accountKey, row]));
}
