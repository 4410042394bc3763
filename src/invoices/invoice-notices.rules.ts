// Notices to partners about their invoices (contract 6.20, 12.3).
import { wireAmount } from '../base/money.ts';
import type { NewNotice } from '../notices/notice.ts';
import type { Invoice } from './invoice.ts';

/** With the document, so that the email can be forwarded to whoever pays. */
export function issuedNotice(invoice: Invoice): NewNotice {
  return { ...about('invoice.issued', invoice), kind: 'invoice.issued', data: dataOf(invoice) };
}

export function overdueNotice(invoice: Invoice): NewNotice {
  return { ...about('invoice.overdue', invoice), kind: 'invoice.overdue', data: dataOf(invoice) };
}

/** `days` after the due date; `reminder` counts from 1. One for each number of days, however often it is raised. */
export function reminderNotice(
  invoice: Invoice,
  { days, reminder }: { readonly days: number; readonly reminder: number },
): NewNotice {
  const data = { ...dataOf(invoice), reminder };
  return { ...about(`invoice.reminder:${days}`, invoice), kind: 'invoice.reminder', data };
}

function about(what: string, { buyerKey, invoiceId }: Invoice) {
  return {
    recipient: { partner: buyerKey },
    occurrence: `${what}:${invoiceId}`,
    attachment: { invoice: invoiceId },
  };
}

function dataOf({ number, month, totalCents, currency, amountDueCents, dueAt }: Invoice) {
  return {
    ...{ number, month, currency },
    total: wireAmount(totalCents),
    amountDue: wireAmount(amountDueCents),
    dueAt: dueAt.toISOString(),
  };
}
