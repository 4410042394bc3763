// Schemas of a partner's billing: invoices, ledger entries and balance (contract 6.18).
import { Type } from 'typebox';

import { transferTypes } from '../ledger/transfer.rules.ts';
import { invoiceStatuses } from './invoice.ts';
import { orNull } from '../platform/http/values.schema.ts';

const money = (description: string) => Type.Number({ description: `${description} At most two decimals.` });
const timestamp = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string, example: string) => Type.String({ description, examples: [example] });

const invoiceExample = {
  invoiceId: 'inv_01m98xr6b2f4atk1q5p8dv3n7c',
  number: 'INV-2026-000001',
  periodStart: '2026-10-01T07:00:00.000Z',
  periodEnd: '2026-11-01T07:00:00.000Z',
  status: 'issued',
  subtotal: 90,
  credits: 45,
  carriedIn: 0,
  carriedOut: 0,
  net: 45,
  taxPercent: 0,
  tax: 0,
  total: 45,
  amountDue: 45,
  issuedAt: '2026-11-02T16:00:00.000Z',
  dueAt: '2026-11-16T16:00:00.000Z',
  paidAt: null,
};

const receiptExample = {
  receiptId: 'rcp_01m98xr6b2f4atk1q5p8dv3n7c',
  number: 'RCP-2026-000001',
  amount: 1000,
  description: 'Payment',
  paidAt: '2026-11-02T16:00:00.000Z',
  issuedAt: '2026-11-02T16:05:00.000Z',
};

const entryExample = {
  entryId: 'txn_01m84g0qeyfz5an2n1gby9v1t7',
  createdAt: '2026-10-23T16:02:40.000Z',
  type: 'credit',
  amount: 45,
  balanceAfter: -45,
  description: 'Return of Lead Sale LS-100042',
  deliveryId: 'dlv_01m7wyk0h2emp81qch4dvtyn6a',
  returnId: 'ret_01m84fyw0defhtj5kxq8g7cv3r',
  disputeId: null,
  invoiceId: 'inv_01m98xr6b2f4atk1q5p8dv3n7c',
};

export const InvoiceSchema = Type.Object(
  {
    invoiceId: id(
      'The id of the invoice, also the last part of the path of its document.',
      'inv_01m98xr6b2f4atk1q5p8dv3n7c',
    ),
    number: id('Counted without gaps in the year of issue.', 'INV-2026-000001'),
    periodStart: timestamp('The first instant of the month in your time zone.'),
    periodEnd: timestamp('The first instant of the next month.'),
    status: Type.Enum([...invoiceStatuses], {
      description:
        '`issued` until it is paid, or `overdue` from `dueAt` on. `paid` when nothing is due any more, which may be at issue if your balance covers it. The entries of a `void` invoice can appear on another invoice.',
    }),
    subtotal: money('The charges.'),
    credits: money('The credits posted in the month or before it, above 0. Later ones are on a later invoice.'),
    carriedIn: money('The amount carried over from earlier invoices.'),
    carriedOut: money(
      'The amount by which the credits exceed the charges. The next invoice has it as its `carriedIn`.',
    ),
    net: money('`subtotal` − `credits` − `carriedIn` + `carriedOut`.'),
    taxPercent: Type.Number({ description: 'The tax rate; 0 for none.' }),
    tax: money('The tax on `net`.'),
    total: money('`net` + `tax`.'),
    amountDue: money('The part of the total that is not paid yet.'),
    issuedAt: timestamp('When it was issued.'),
    dueAt: timestamp('When it has to be paid: 14 days after issue, if nothing else was agreed.'),
    paidAt: orNull(timestamp('When nothing was due any more.')),
  },
  {
    $id: 'Invoice',
    description: 'What you were charged and credited in one calendar month of your time zone.',
    examples: [invoiceExample],
  },
);

export const ReceiptSchema = Type.Object(
  {
    receiptId: id('The id of the receipt, whose document is in the portal.', 'rcp_01m98xr6b2f4atk1q5p8dv3n7c'),
    number: id('Counted without gaps in the year of issue.', 'RCP-2026-000001'),
    amount: money('What was paid.'),
    description: Type.String({ description: 'As in your ledger.', examples: ['Payment'] }),
    paidAt: timestamp('When the payment was posted.'),
    issuedAt: timestamp('When the receipt was issued.'),
  },
  { $id: 'Receipt', description: 'The document of one payment.', examples: [receiptExample] },
);

export const LedgerEntrySchema = Type.Object(
  {
    entryId: id(
      'The id of the entry. An entry never changes, except for its `invoiceId`.',
      'txn_01m84g0qeyfz5an2n1gby9v1t7',
    ),
    createdAt: timestamp('When it was posted.'),
    type: Type.Enum([...transferTypes]),
    amount: money('Negative for charges and tax, positive for credits and payments, either for adjustments.'),
    balanceAfter: money('Your balance after this entry.'),
    description: Type.String({ examples: ['Lead Sale LS-100042'] }),
    deliveryId: orNull(id('The delivery charged or credited.', 'dlv_01m7wyk0h2emp81qch4dvtyn6a')),
    returnId: orNull(id('The return that was approved.', 'ret_01m84fyw0defhtj5kxq8g7cv3r')),
    disputeId: orNull(id('The dispute that was approved.', 'dsp_01m84fyw0defhtj5kxq8g7cv3r')),
    invoiceId: orNull(
      id(
        'The invoice that lists a charge or credit, or that a payment was for; null while there is none.',
        'inv_01m98xr6b2f4atk1q5p8dv3n7c',
      ),
    ),
  },
  { $id: 'LedgerEntry', description: 'One movement of your money.', examples: [entryExample] },
);

const LedgerPageSchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100 }),
    total: Type.Integer({ minimum: 0, description: 'The exact number of all entries.' }),
    totalPages: Type.Integer({ minimum: 0 }),
    data: Type.Array(Type.Ref('LedgerEntry'), { description: 'Newest first.' }),
  },
  { description: 'One page of your ledger; `Link` leads to the others.' },
);

export const BillingSchema = Type.Object(
  {
    partnerKey: Type.String(),
    currency: Type.String({ description: 'The currency of all amounts.' }),
    currentBalance: money('Your balance: the sum of all entries. A negative balance is what you owe.'),
    creditLimit: orNull(money('The most that you may owe; 0 for prepaid, null for no limit.')),
    held: money('The amount held for deliveries that are not confirmed yet; it is still in the balance.'),
    invoices: Type.Array(Type.Ref('Invoice'), { description: 'All invoices, newest first.' }),
    receipts: Type.Array(Type.Ref('Receipt'), {
      description: 'For prepaid partners: the latest 100 receipts, newest first.',
    }),
    ledger: LedgerPageSchema,
  },
  {
    $id: 'Billing',
    description: 'Your balance, your invoices and a page of your ledger, all as of the same instant.',
    examples: [
      {
        partnerKey: 'summit',
        currency: 'USD',
        currentBalance: -45,
        creditLimit: 5000,
        held: 45,
        invoices: [invoiceExample],
        receipts: [],
        ledger: {
          page: 1,
          pageSize: 25,
          total: 3,
          totalPages: 1,
          data: [entryExample],
        },
      },
    ],
  },
);
