// Recounts the whole ledger and compares it with the balances that are kept (contract 7.7).
import { strict as assert } from 'node:assert';

import { wireAmount } from '../base/money.ts';
import type { Tx } from '../platform/database/database.ts';
import { recount } from './ledger.sql.ts';

export type LedgerCheck = {
  readonly ok: boolean;
  readonly accounts: number;
  readonly entries: number;
  /** The wire's amount by which balances and entries differ, all accounts together; 0 when nothing is wrong. */
  readonly difference: number;
  /** What is wrong, in words; empty when ok. */
  readonly faults: readonly string[];
};

/** Reads every entry: minutes where there are hundreds of millions. It stops nobody and may run beside the service. */
export async function checkLedger(tx: Tx): Promise<LedgerCheck> {
  const [row] = await tx.query(recount);
  assert(row !== undefined, 'a count has always a row');
  const faults = [
    fault(row.unbalancedTransfers, 'transfers without exactly two opposite entries'),
    fault(row.wrongBalances, 'accounts whose balance is not the sum of their entries'),
    fault(row.brokenChains, 'accounts with a gap or a wrong balance in their history'),
    fault(row.negativeHolds, 'accounts that hold less than nothing'),
    fault(row.differenceCents === 0 ? 0 : 1, 'difference between balances and entries'),
  ].flat();
  const { accounts, entries } = row;
  return { ok: faults.length === 0, accounts, entries, difference: wireAmount(row.differenceCents), faults };
}

function fault(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
