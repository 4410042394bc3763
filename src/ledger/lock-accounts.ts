// Locks accounts until the transaction ends, in the ledger's order, and says how they stand (contract 4.7).
import { strict as assert } from 'node:assert';

import { textArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockAccountsSql } from './ledger.sql.ts';
import type { AccountState } from './transfer.rules.ts';

/** By account key, whatever the order of the keys. All of them must be open. */
export async function lockAccounts(tx: Tx, accountKeys: ReadonlySet<string>): Promise<Map<string, AccountState>> {
  if (accountKeys.size === 0) return new Map();
  const rows = await tx.query(lockAccountsSql, { accountKeys: textArray([...accountKeys]) });
  assert(rows.length === accountKeys.size, 'a transfer touches an account that is not open');
  return new Map(rows.map((row) => [row.accountKey, row]));
}
