// Checks statements, payouts and sums of earnings against the ledger (contract 7.7, 11.3).
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import { recountStatements } from './check-statements.sql.ts';

/** Faults as text; empty if there are none. Reads every entry of suppliers. */
export async function checkStatements(tx: Tx): Promise<readonly string[]> {
  const [row] = await tx.query(recountStatements);
  assert(row !== undefined, 'a count always returns a row');
  return [
    fault(row.gaps, 'years whose statement numbers have gaps'),
    fault(row.wrongRanges, 'statements that leave entries out or repeat them'),
    fault(row.wrongBalances, 'statements whose balances are not those of the ledger'),
    fault(row.wrongItems, 'days of statements that differ from their entries'),
    fault(row.wrongSums, 'statements whose amounts are not the sums of their days'),
    fault(row.wrongPayouts, 'payouts that differ from their transfer'),
    fault(row.wrongDays, 'suppliers whose earnings by day differ from their entries'),
  ].flat();
}

function fault(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
