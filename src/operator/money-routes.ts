// Money in the operator's API: accounts, ledger entries, and invoices of partners (contract 10).
import type { MountedRoutes } from './mount-console-routes.ts';

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
};
