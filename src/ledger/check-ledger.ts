// Recounts the whole ledger and compares it with the stored balances (contract 7.7).
import { strict as assert } from 'node:assert';

import { wireAmount } from '../base/money.ts';
import type { Tx } from '../platform/database/database.ts';
import { recount } from './ledger.sql.ts';

export type LedgerCheck = {
  readonly ok: boolean;
  readonly accounts: number;
  readonly entries: number;
  /** The total difference between balances and entries over all accounts, as a wire amount; 0 if they agree. */
  readonly difference: number;
  /** Faults as text; empty when ok. */
  readonly faults: readonly string[];
};

/** Reads every entry, which takes minutes for hundreds of millions. Blocks no other transaction. */
export async function checkLedger(tx: Tx): Promise<LedgerCheck> {
  const [row] = await tx.query(recount);
  assert(row !== undefined, 'a count always returns a row');
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
