// How a partner stands between its ledger and its invoices at this instant (contract 6.19).
import { strict as assert } from 'node:assert';

import { accountKey } from '../ledger/transfer.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { readProgress, selectBalance } from './invoice.sql.ts';
import type { BalanceSummary } from './settlement.rules.ts';

/** Reads the entries that are not settled. */
export async function readBalance(tx: Tx, buyerKey: string): Promise<BalanceSummary> {
  const [progress] = await tx.query(readProgress, { buyerKey });
  const [balance] = await tx.query(selectBalance, {
    accountKey: accountKey('buyer', buyerKey),
    settledVersion: progress?.settledVersion ?? 0,
    buyerKey,
  });
  assert(balance !== undefined, 'a sum has always a row');
  return balance;
}
