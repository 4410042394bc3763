// Recounts the invoices: what stands on them, which numbers they have, and what they leave out (contract 7.7).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { recountInvoices } from './check.sql.ts';

/** What is wrong, in words; empty when nothing is. Reads every line. */
export async function checkInvoices(tx: Tx): Promise<readonly string[]> {
  const [row] = await tx.query(recountInvoices);
  assert(row !== undefined, 'a count has always a row');
  return [
    fault(row.wrongSums, 'invoices whose amounts are not the sums of their lines'),
    fault(row.wrongCarries, 'invoices whose carried amounts are not what other invoices carried to them'),
    fault(row.wrongItems, 'invoices whose items are not their charges'),
    fault(row.wrongLines, 'invoice lines that are not what their transfer says'),
    fault(row.twice, 'transfers on more than one invoice'),
    fault(row.drafts, 'drafts that were left behind'),
    fault(row.gaps, 'years whose invoice numbers have gaps'),
    fault(row.overpaid, 'invoices that count more as paid than was paid for them'),
    fault(row.unbilled, 'partners with charges or credits that no invoice will ever take up'),
  ].flat();
}

function fault(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
