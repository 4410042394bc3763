// Reminds partners of overdue invoices, so many days after the due date (contract 6.20).
import { readSettings } from '../marketplace/stored-settings.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { reminderNotice } from './invoice-notices.rules.ts';
import { writeReminded } from './invoice-money.sql.ts';
import { byIds } from './invoice.sql.ts';

/** Keeps the transaction short. */
const AT_ONCE = 500;

/**
 * Returns the number of reminders, at most `AT_ONCE` for each number of days; the next call goes on. An invoice gets the latest reminder that is
 * due, and none twice. Only invoices whose stored status is overdue: those are not paid.
 */
export async function remindInvoices(tx: Tx, now: Date): Promise<number> {
  const { billing } = (await readSettings(tx)).settings;
  const inOrder = billing.reminderDays.toSorted((one, other) => one - other);
  let reminded = 0;
  // The latest first, so that an earlier one is skipped.
  for (const [index, days] of [...inOrder.entries()].toReversed()) {
    const rows = await tx.query(writeReminded, { now, days, limit: AT_ONCE });
    if (rows.length === 0) continue;
    const invoices = await tx.query(byIds, { invoiceIds: rows.map(({ invoiceId }) => invoiceId), now });
    const notices = invoices.map((invoice) => reminderNotice(invoice, { days, reminder: index + 1 }));
    await raiseNotices(tx, notices, now);
    reminded += rows.length;
  }
  return reminded;
}
