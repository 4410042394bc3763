// Money in the operator's API: accounts, ledger entries, invoices of partners, statements and payouts of suppliers (contract 10).
import type { MountedRoutes } from './mount-console-routes.ts';

const LINES = 'One JSON document per line; the last one has the kind `end`, or `problem` if the work stopped.';

export const moneyRoutes: MountedRoutes = {
  'GET /ledger/accounts': {
    path: '/accounts',
    scope: 'money',
    operationId: 'listAccounts',
    summary: 'List the accounts of partners',
    description: 'Balance, held funds, credit limit and available funds of every partner.',
    returns: 'A page of accounts.',
  },
  'GET /ledger/accounts/:partner': {
    path: '/accounts/:partner',
    scope: 'money',
    operationId: 'getOperatorAccount',
    summary: 'Read the account and ledger entries of a partner',
    description: 'The account, and a page of its entries, newest first.',
    returns: 'The account with a page of entries.',
  },
  'POST /ledger/entries': {
    scope: 'money',
    operationId: 'postEntry',
    summary: 'Record a payment, credit or adjustment',
    description:
      'Posts to the account of a partner. Demands an `Idempotency-Key`: one key posts once, however often the request is repeated.',
    returns: 'The entry.',
  },
  'POST /ledger/check': {
    scope: 'money',
    operationId: 'checkLedger',
    summary: 'Recount the ledger',
    description:
      'Reads every entry and compares the sums with the stored balances, holds, invoices and statements, which takes minutes for hundreds of millions. Nothing is changed, and an `Idempotency-Key` is not read.',
    returns: `A line for each step, then whether all agree, with the differences. ${LINES}`,
    hasLines: true,
    problems: ['already_running'],
  },
  'GET /invoices': {
    scope: 'money',
    operationId: 'listInvoices',
    summary: 'List invoices',
    description: 'Newest first, by month, state and partner.',
    returns: 'A page of invoices.',
  },
  'GET /invoices/:id': {
    scope: 'money',
    operationId: 'getInvoice',
    summary: 'Read an invoice',
    description: 'The invoice with its lines, credits and payments.',
    returns: 'The invoice.',
  },
  'GET /invoices/:id/document': {
    scope: 'money',
    operationId: 'getOperatorInvoiceDocument',
    summary: 'Read the document of an invoice',
    description: 'The PDF, or with `form=html` a page.',
    returns: 'The document.',
    files: ['application/pdf', 'text/html'],
  },
  'POST /invoices/:id/pay': {
    scope: 'money',
    operationId: 'payInvoice',
    summary: 'Record the payment of an invoice',
    description:
      'Posts the payment and settles the invoice with it; `amount` null settles it from the balance of the partner. Demands an `Idempotency-Key`.',
    returns: 'The invoice.',
    problems: ['invoice_void', 'invoice_paid', 'balance_too_low'],
  },
  'POST /invoices/:id/void': {
    scope: 'money',
    operationId: 'voidInvoice',
    summary: 'Void an invoice',
    description: 'Its lines can then be on another invoice. The number stays used.',
    returns: 'The invoice.',
    problems: ['invoice_void', 'invoice_has_payments', 'invoice_carried'],
  },
  'POST /invoices/run': {
    scope: 'money',
    operationId: 'runInvoices',
    summary: 'Issue the invoices of a month',
    description:
      'For all partners or for one, each in its own transaction; those that exist stay as they are, so a run can be repeated, and an `Idempotency-Key` is not read. With `dryRun` nothing is issued.',
    returns: `A line for each partner. ${LINES}`,
    hasLines: true,
    problems: ['not_found', 'month_not_over', 'already_running'],
  },
  'GET /billing-runs': {
    scope: 'money',
    operationId: 'listBillingRuns',
    summary: 'List the automatic runs',
    description: 'What the runs of invoices and statements on the set day did, what failed, and when the next one is.',
    returns: 'The runs, by routine.',
  },
  'POST /payments/import': {
    scope: 'money',
    operationId: 'importPayments',
    summary: 'Import payments from a CSV file of a bank',
    description:
      'Finds the invoice of each line by its number and posts the payment once, however often the file is imported; an `Idempotency-Key` is not read. With `dryRun` nothing is posted.',
    returns: `A line for each line of the file. ${LINES}`,
    hasLines: true,
    problems: ['already_running'],
  },
  'GET /supplier-balances': {
    scope: 'money',
    operationId: 'listSupplierBalances',
    summary: 'List what is owed to suppliers',
    description: 'Balance of every supplier, how much of it is held, and how much can be paid out.',
    returns: 'A page of balances.',
  },
  'POST /supplier-adjustments': {
    scope: 'money',
    operationId: 'adjustSupplier',
    summary: "Correct a supplier's balance",
    description:
      'Posts an adjustment, of either sign, to the account of a supplier; it is `adjusted` on the next statement. Demands an `Idempotency-Key`: one key posts once, however often the request is repeated.',
    returns: 'The adjustment.',
    problems: ['not_found'],
  },
  'GET /statements': {
    scope: 'money',
    operationId: 'listOperatorStatements',
    summary: 'List statements of suppliers',
    description: 'Newest first, by supplier and month.',
    returns: 'A page of statements.',
  },
  'GET /statements/:statementId': {
    scope: 'money',
    operationId: 'getOperatorStatement',
    summary: 'Read a statement of a supplier',
    description: 'With its sums by day, and the payouts of the month.',
    returns: 'The statement.',
  },
  'GET /statements/:statementId/document': {
    scope: 'money',
    operationId: 'getOperatorStatementDocument',
    summary: 'Read the document or the lines of a statement',
    description: 'The PDF, with `form=html` a page, or with `form=csv` a line for each entry.',
    returns: 'The document.',
    files: ['application/pdf', 'text/html', 'text/csv'],
  },
  'POST /statements/run': {
    scope: 'money',
    operationId: 'runStatements',
    summary: 'Issue the statements of a month',
    description:
      'For all suppliers or for one, each in its own transaction; those that exist stay as they are, so a run can be repeated, and an `Idempotency-Key` is not read. With `dryRun` nothing is issued.',
    returns: `A line for each supplier. ${LINES}`,
    hasLines: true,
    problems: ['not_found', 'month_not_over', 'already_running'],
  },
  'GET /payouts': {
    scope: 'money',
    operationId: 'listPayouts',
    summary: 'List payouts to suppliers',
    description: 'Newest first.',
    returns: 'A page of payouts.',
  },
  'POST /payouts': {
    scope: 'money',
    operationId: 'recordPayout',
    summary: 'Record a payout to a supplier',
    description: 'Posted once per supplier and reference, and never more than the balance.',
    returns: 'The payout.',
    problems: ['not_found'],
  },
};
