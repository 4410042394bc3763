// Reads what buyers have and what of it is promised, and keeps both from changing until the transaction ends (contract 4.7).
import type { Tx } from '../platform/database/database.ts';
import { lockAccountsSql } from './ledger.sql.ts';
import { accountKey } from './transfer.rules.ts';
import type { Funds } from './funds.ts';

/** By buyer key; a buyer without accounts is not in the answer. Locks in the ledger's order, whatever the order of the keys. */
export async function lockFunds(tx: Tx, buyerKeys: readonly string[]): Promise<Map<string, Funds>> {
  if (buyerKeys.length === 0) return new Map();
  const rows = await tx.query(lockAccountsSql, { accountKeys: buyerKeys.map((key) => accountKey('buyer', key)) });
  return new Map(rows.map(({ buyerKey, balanceCents, heldCents }) => [buyerKey, { balanceCents, heldCents }]));
}
