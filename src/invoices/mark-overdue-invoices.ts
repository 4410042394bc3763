// Writes down which invoices have become overdue. Whoever reads them sees it without this; the audit trail needs it (contract 6.19).
import { appendAudit } from '../audit/append-audit.ts';
import { noOrigin } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { writeOverdue } from './invoice.sql.ts';

// One transaction's worth: a thousand audit events.
const AT_ONCE = 1000;

/** How many it marked; call it again when they are `AT_ONCE`, or at the next turn. Any number of processes may do so at once. */
export async function markOverdueInvoices(tx: Tx, now: Date): Promise<number> {
  const marked = await tx.query(writeOverdue, { now, limit: AT_ONCE });
  await appendAudit(
    tx,
    marked.map(({ invoiceId, buyerKey }) => ({
      at: now,
      actor: { type: 'system', name: 'invoices' },
      buyerKey,
      supplierKey: null,
      action: 'invoice.overdue',
      target: typeId('invoice', invoiceId),
      changes: { status: { from: 'issued', to: 'overdue' } },
      ...noOrigin,
    })),
  );
  return marked.length;
}
