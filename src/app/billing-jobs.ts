// The scheduled jobs of billing: monthly runs, open invoices, and offers that pause for low funds (contract 4.7, 6.20).
import { pauseForFunds } from '../buyers/pause-for-funds.ts';
import { invoiceIssuer } from '../invoices/bill-partners.ts';
import { markOverdueInvoices } from '../invoices/mark-overdue-invoices.ts';
import { remindInvoices } from '../invoices/remind-invoices.ts';
import { issueReceipts } from '../invoices/receipts/issue-receipts.job.ts';
import { runBilling } from '../invoices/run-billing.job.ts';
import { settleInvoices } from '../invoices/settle-invoices.job.ts';
import { reportLeftOut } from '../notices/left-out.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { ScheduledJob } from '../platform/queue/scheduled-jobs.ts';
import { statementIssuer } from '../statements/bill-suppliers.ts';

/** Less than the ten minutes that a scheduled job may take. */
const BILLING_WITHIN_MS = 480_000;

export function billingJobs(database: Database, clock: Clock): ScheduledJob[] {
  const untilNone = async (some: (tx: Tx) => Promise<number>): Promise<void> => {
    while ((await database.tx(some)) > 0);
  };
  return [
    {
      name: 'pause-for-funds',
      cron: '15 * * * * *',
      run: async () => {
        await database.tx((tx) => pauseForFunds(tx, clock.now()));
      },
    },
    {
      name: 'mark-overdue-invoices',
      cron: '7 * * * *',
      run: async () => {
        // What came in without a number may have paid them.
        const leftOut = await settleInvoices(database, clock.now());
        await untilNone((tx) => markOverdueInvoices(tx, clock.now()));
        await untilNone((tx) => remindInvoices(tx, clock.now()));
        await reportLeftOut(database, clock, leftOut);
      },
    },
    {
      name: 'issue-receipts',
      cron: '5 */5 * * * *',
      run: () => issueReceipts(database, clock),
    },
    {
      name: 'bill',
      cron: '11 * * * *',
      run: () =>
        runBilling({ database, clock, issuers: [invoiceIssuer, statementIssuer], withinMs: BILLING_WITHIN_MS }),
    },
  ];
}
