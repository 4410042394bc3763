// Stores the status of overdue invoices, records it in the audit trail and notifies the partners; reads compute the status themselves (contract 6.19).
import { appendAudit } from '../audit/append-audit.ts';
import { noOrigin } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import { overdueNotice } from './invoice-notices.rules.ts';
import { byIds } from './invoice.sql.ts';
import { writeOverdue } from './invoice-money.sql.ts';

// Keeps the transaction short: a thousand audit events.
const AT_ONCE = 1000;

/** Returns the number marked, at most `AT_ONCE`; the next run marks the rest. Safe for concurrent processes. */
export async function markOverdueInvoices(tx: Tx, now: Date): Promise<number> {
  const marked = await tx.query(writeOverdue, { now, limit: AT_ONCE });
  if (marked.length === 0) return 0;
  const invoices = await tx.query(byIds, { invoiceIds: marked.map(({ invoiceId }) => invoiceId), now });
  await raiseNotices(tx, invoices.map(overdueNotice), now);
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
