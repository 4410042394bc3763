// Checks that reports agree with the ledger to the cent, and with leads and deliveries to the unit (contract 12.1, 7.7).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { recountReports } from './check-reports.sql.ts';
import { readProgressSql } from './report-cells.sql.ts';

/**
 * One text per kind of difference. Nothing can be said before rows from before an upgrade are folded: then there are no texts. `tx` must be
 * a snapshot. Takes minutes for tens of millions of rows.
 */
export async function checkReports(tx: Tx): Promise<readonly string[]> {
  const [progress] = await tx.query(readProgressSql);
  if (progress?.isComplete !== true) return [];
  const [row] = await tx.query(recountReports);
  assert(row !== undefined, 'a count always returns a row');
  return [
    fault(row.wrongRows, 'sums of reports that differ from the leads, deliveries and transfers they count'),
    fault(row.wrongPartners, 'partners whose revenue in reports differs from the ledger'),
    fault(row.wrongSuppliers, 'suppliers whose cost in reports differs from the ledger'),
    fault(row.wrongCells, 'roll-ups of reports that differ from their facts'),
  ].flat();
}

function fault(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
