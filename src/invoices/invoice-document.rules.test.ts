import { describe, expect, it } from 'vitest';

import { invoiceDocument } from './invoice-document.rules.ts';
import type { InvoiceId } from '../base/ids.ts';
import type { Invoice, InvoiceDetail } from './invoice.ts';

const invoice: Invoice = {
  invoiceId: '0198a000-0000-7000-8000-000000000001' as InvoiceId,
  number: 'INV-2026-000001',
  buyerKey: 'summit',
  month: '2026-10',
  timeZone: 'America/Los_Angeles',
  startsAt: new Date('2026-10-01T07:00:00.000Z'),
  endsAt: new Date('2026-11-01T07:00:00.000Z'),
  sellerName: 'Lead Marketplace',
  buyerName: 'Summit Debt Relief',
  sellerDetails: {},
  buyerDetails: {},
  currency: 'USD',
  status: 'issued',
  subtotalCents: 1_234_500,
  creditsCents: 4500,
  carriedInCents: 0,
  carriedOutCents: 0,
  carriedTo: null,
  taxBasisPoints: 0,
  taxCents: 0,
  totalCents: 1_230_000,
  fromBalanceCents: 0,
  paidCents: 0,
  amountDueCents: 1_230_000,
  issuedAt: new Date('2026-11-02T02:00:00.000Z'),
  dueAt: new Date('2026-11-16T02:00:00.000Z'),
  paidAt: null,
  voidedAt: null,
  voidNote: null,
};
const detail: InvoiceDetail = {
  invoice,
  items: [
    { day: 0, what: 'Lead Sale', unitCents: 4500, quantity: 1 },
    { day: 5, what: 'Calendar Assigned', unitCents: 12_000, quantity: 100 },
    { day: 5, what: 'Lead Sale', unitCents: 4500, quantity: 6 },
    { day: 31, what: 'Lead Sale', unitCents: 3000, quantity: 1 },
  ],
  credits: [
    { at: new Date('2026-10-10T06:59:59.999Z'), description: 'Return of Lead Sale LS-100042', amountCents: 4500 },
  ],
  creditCount: 1,
  payments: [],
};

const with_ = (part: Partial<Invoice>) => invoiceDocument({ ...detail, invoice: { ...invoice, ...part } });

describe('invoiceDocument', () => {
  it('contains parties, period and due day in the time zone of the partner', () => {
    const { title, stamp, parties, facts, notes } = invoiceDocument(detail);
    expect([title, stamp]).toEqual(['Invoice INV-2026-000001', null]);
    expect(parties).toEqual([
      { label: 'From', lines: ['Lead Marketplace'] },
      { label: 'Billed to', lines: ['Summit Debt Relief', 'Account summit'] },
    ]);
    expect(facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      'Invoice number: INV-2026-000001',
      'Period: 2026-10-01 to 2026-10-31 (America/Los_Angeles)',
      'Issued: 2026-11-01',
      'Due: 2026-11-15',
      'Amount due: 12,300.00 USD',
    ]);
    expect(notes).toEqual(['Please pay by 2026-11-15 and quote INV-2026-000001 with your payment.']);
  });

  it('sums charges by kind and price and by day, and lists credits', () => {
    const tables = invoiceDocument(detail).tables.map(({ title, rows, note }) => ({ title, rows, note }));
    expect(tables).toEqual([
      {
        title: 'Charges',
        rows: [
          ['Lead Sale', '7', '45.00', '315.00'],
          ['Calendar Assigned', '100', '120.00', '12,000.00'],
          ['Lead Sale', '1', '30.00', '30.00'],
        ],
        note: null,
      },
      {
        title: 'Charges by day',
        rows: [
          ['Before the period', '1', '45.00'],
          ['2026-10-05', '106', '12,270.00'],
          ['2026-10-31', '1', '30.00'],
        ],
        note: 'Charges before the period were posted after the invoice of their own month.',
      },
      { title: 'Credits', rows: [['2026-10-09', 'Return of Lead Sale LS-100042', '-45.00']], note: null },
    ]);
  });

  it('counts the credits that are not listed', () => {
    const { tables } = invoiceDocument({
      ...detail,
      invoice: { ...invoice, creditsCents: 1_000_000 },
      creditCount: 1201,
    });
    expect(tables.at(-1)?.note).toBe('1,200 more credits, 9,955.00 in total, are in the ledger.');
  });
});

describe('invoiceDocument totals', () => {
  const totals = (part: Partial<Invoice>): string[] =>
    with_(part).totals.map(({ label, amount }) => `${label}: ${amount}`);

  it('end with the amount due', () => {
    expect(totals({})).toEqual([
      'Subtotal: 12,345.00',
      'Credits: -45.00',
      'Total: 12,300.00',
      'Amount due in USD: 12,300.00',
    ]);
  });

  it('include carried amounts', () => {
    expect(totals({ carriedInCents: 4500, totalCents: 1_225_500 }).slice(1, 4)).toEqual([
      'Credits: -45.00',
      'Carried over from an earlier invoice: -45.00',
      'Total: 12,255.00',
    ]);
    expect(totals({ subtotalCents: 0, carriedOutCents: 4500, totalCents: 0 }).slice(1, 4)).toEqual([
      'Credits: -45.00',
      'Carried over to the next invoice: 45.00',
      'Total: 0.00',
    ]);
  });

  it('include payments', () => {
    const paid = { fromBalanceCents: 230_000, paidCents: 999_999, amountDueCents: 1 };
    expect(totals(paid).slice(2)).toEqual([
      'Total: 12,300.00',
      'Paid from your balance: -2,300.00',
      'Paid: -9,999.99',
      'Amount due in USD: 0.01',
    ]);
  });

  it('have no sign for 0', () => {
    expect(totals({ creditsCents: 0 })[1]).toBe('Credits: 0.00');
  });
});

describe('invoiceDocument stamp and notes', () => {
  it.each<[string, Partial<Invoice>, string | null, string[]]>([
    ['show that it is paid', { status: 'paid', amountDueCents: 0 }, 'PAID', ['Paid in full. Thank you.']],
    [
      'show that it is overdue',
      { status: 'overdue' },
      'OVERDUE',
      ['Please pay by 2026-11-15 and quote INV-2026-000001 with your payment.'],
    ],
    [
      'show that it is void',
      { status: 'void', voidedAt: new Date('2026-11-05T12:00:00Z'), voidNote: 'Wrong\u0007 zone' },
      'VOID',
      ['Voided on 2026-11-05: Wrong\ufffd zone', 'No payment is due.'],
    ],
    [
      'show that it is a credit',
      { status: 'paid', totalCents: -4500, amountDueCents: 0 },
      'NOTHING DUE',
      ['More was credited than charged: 45.00 stays in your balance. No payment is due.'],
    ],
  ])('%s', (_case, part, stamp, notes) => {
    const document = with_(part);
    expect([document.stamp, document.notes]).toEqual([stamp, notes]);
  });
});

describe('invoiceDocument with user texts', () => {
  it('replaces control characters, and drops direction characters', () => {
    const { parties } = with_({ buyerName: 'a\u202eb\u0000c\nd\u2066e李' });
    expect(parties[1]?.lines[0]).toBe('ab\ufffdc de李');
  });
});
