// What buyers have and have promised at this moment, without a lock: a first look that `lockFunds` has to confirm.
import type { Tx } from '../platform/database/database.ts';
import { selectFunds } from './ledger.sql.ts';
import type { Funds } from './funds.ts';

export async function readFunds(tx: Tx, buyerKeys: readonly string[]): Promise<Map<string, Funds>> {
  if (buyerKeys.length === 0) return new Map();
  const rows = await tx.query(selectFunds, { buyerKeys });
  return new Map(rows.map(({ buyerKey, balanceCents, heldCents }) => [buyerKey, { balanceCents, heldCents }]));
}
