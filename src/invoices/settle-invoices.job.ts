// Pays open invoices from money that came in without an invoice number, the oldest invoice first (contract 6.20).
import { appendAudit } from '../audit/append-audit.ts';
import { noOrigin } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { LeftOut } from '../notices/left-out.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { workApart } from '../platform/work-apart.ts';
import { readBalance } from './accounts.ts';
import { applyMoney, buyersToSettle, openInvoices, writeSettled } from './invoice-money.sql.ts';
import { lockProgress } from './invoice.sql.ts';
import { freeCents } from './settlement.rules.ts';

/** A transaction per partner; returns those that were left out. Looks only at partners that paid, or whose balance was adjusted, since the last call. Safe to run concurrently. */
export async function settleInvoices(database: Database, now: Date): Promise<LeftOut[]> {
  const failed = await workApart(await database.query(buyersToSettle), ({ buyerKey }) =>
    database.tx((tx) => settleBuyer(tx, buyerKey, now), { patient: true }),
  );
  return failed.map(({ one: { buyerKey: key }, error }) => ({
    ...{ account: 'partner', key, partner: null, work: 'payments', error },
  }));
}

async function settleBuyer(tx: Tx, buyerKey: string, now: Date): Promise<void> {
  await tx.query(lockProgress, { buyerKey });
  // Before the balance is read: a payment that comes in meanwhile is seen by the next call.
  await tx.query(writeSettled, { buyerKey });
  let free = freeCents(await readBalance(tx, buyerKey));
  if (free <= 0) return;
  for (const { invoiceId, amountDueCents } of await tx.query(openInvoices, { buyerKey })) {
    const cents = Math.min(free, amountDueCents);
    if (cents <= 0) return;
    await tx.query(applyMoney, { invoiceId, paidCents: 0, fromBalanceCents: cents, now });
    free -= cents;
    await appendAudit(tx, [
      {
        at: now,
        actor: { type: 'system', name: 'invoices' },
        buyerKey,
        supplierKey: null,
        action: 'invoice.paid',
        target: typeId('invoice', invoiceId),
        changes: { amountDue: { from: wireAmount(amountDueCents), to: wireAmount(amountDueCents - cents) } },
        ...noOrigin,
      },
    ]);
  }
}
