// Checks all invoices against the ledger: lines, sums, numbers and payments (contract 7.7).
import { strict as assert } from 'node:assert';
import type { Tx } from '../platform/database/database.ts';
import { recountInvoices } from './check-invoices.sql.ts';

/** Faults as text; empty if there are none. Reads every line. */
export async function checkInvoices(tx: Tx): Promise<readonly string[]> {
  const [row] = await tx.query(recountInvoices);
  assert(row !== undefined, 'a count always returns a row');
  return [
    fault(row.wrongSums, 'invoices whose amounts are not the sums of their lines'),
    fault(row.wrongCarries, 'invoices whose carried amount differs from what other invoices carried to them'),
    fault(row.wrongItems, 'invoices whose items differ from their charges'),
    fault(row.wrongLines, 'invoice lines that differ from their transfer'),
    fault(row.twice, 'transfers on more than one invoice'),
    fault(row.drafts, 'drafts that were never issued'),
    fault(row.gaps, 'years whose invoice numbers have gaps'),
    fault(row.overpaid, 'invoices with a higher paid amount than their payments'),
    fault(row.wrongTax, 'invoices whose tax differs from the ledger'),
    fault(row.unbilled, 'partners with charges or credits that no invoice will ever include'),
  ].flat();
}

function fault(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}
