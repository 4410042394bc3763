// Tests issued invoices: payment, due date and voiding; everything else never changes (contract 6.19, 7.2).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '../../src/audit/read-audit.ts';
import { typeId } from '../../src/base/ids.ts';
import { checkInvoices } from '../../src/invoices/check-invoices.ts';
import { findInvoices } from '../../src/invoices/find-invoices.ts';
import type { Invoice } from '../../src/invoices/invoice.ts';
import { markOverdueInvoices } from '../../src/invoices/mark-overdue-invoices.ts';
import { returnTax } from '../../src/invoices/post-tax.ts';
import { readFunds } from '../../src/ledger/funds.ts';
import { type BillingMarket, openBillingMarket, type Partner } from './billing-market.ts';

const issuedAt = '2026-11-02T12:00:00.000Z';
const later = '2026-11-05T12:00:00.000Z';
const dueAt = '2026-11-16T12:00:00.000Z';

let market: BillingMarket;
let partner: Partner;
/** An October invoice of 45.00, all due. */
let invoice: Invoice;

beforeAll(async () => {
  market = await openBillingMarket();
});
beforeEach(async () => {
  partner = await market.partner();
  await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
  invoice = await market.issued(partner, '2026-10', issuedAt);
});
afterEach(() => market.expectNoFaults());
afterAll(() => market.close());

const audited = async (): Promise<Array<readonly [string, unknown]>> =>
  (await market.database.tx((tx) => listAudit(tx, partner.buyerKey, 20))).map(({ action, changes }) => [
    action,
    changes,
  ]);

describe('payInvoice', () => {
  it('leaves the rest due after a partial payment', async () => {
    const paid = await market.pay(invoice.number, 2000, later);
    expect(paid).toMatchObject({
      ok: true,
      value: { status: 'issued', paidCents: 2000, amountDueCents: 2500, paidAt: null },
    });
    expect((await market.detail(invoice)).payments).toEqual([
      { at: new Date(later), description: `Payment of ${invoice.number}`, amountCents: 2000 },
    ]);
    expect((await audited()).slice(0, 2)).toEqual([
      ['invoice.paid', { amountDue: { from: 45, to: 25 } }],
      ['payment.posted', { currentBalance: { from: -45, to: -25 } }],
    ]);
  });

  it('sets the status to paid after the last payment', async () => {
    await market.pay(invoice.number, 2000, later);
    const paid = await market.pay(typeId('invoice', invoice.invoiceId), 2500, dueAt);
    expect(paid).toMatchObject({ ok: true, value: { status: 'paid', paidCents: 4500, amountDueCents: 0 } });
    expect((await market.invoice(invoice.number, dueAt)).paidAt).toEqual(new Date(dueAt));
    expect((await audited())[0]?.[1]).toEqual({
      amountDue: { from: 25, to: 0 },
      status: { from: 'overdue', to: 'paid' },
    });
  });

  it('leaves an excess in the balance for the next invoice', async () => {
    expect(await market.pay(invoice.number, 6000, later)).toMatchObject({
      ok: true,
      value: { status: 'paid', paidCents: 4500 },
    });
    await market.post(partner, 'charge', 4500, later);
    const next = await market.issued(partner, '2026-11', '2026-12-02T12:00:00Z');
    expect(next).toMatchObject({ fromBalanceCents: 1500, amountDueCents: 3000 });
  });

  it('pays from the balance without an amount', async () => {
    expect(await market.pay(invoice.number, null, later)).toEqual({ ok: false, code: 'balance_too_low' });
    await market.post(partner, 'payment', 1500, later);
    await market.post(partner, 'charge', 9000, later);
    expect(await market.pay(invoice.number, null, later)).toMatchObject({
      ok: true,
      value: { status: 'issued', fromBalanceCents: 1500, amountDueCents: 3000 },
    });
    expect(await market.pay(invoice.number, null, later)).toEqual({ ok: false, code: 'balance_too_low' });
    await market.post(partner, 'payment', 5000, later);
    expect(await market.pay(invoice.number, null, later)).toMatchObject({ value: { status: 'paid', paidCents: 0 } });
  });

  it('rejects a payment if nothing is due, and posts nothing', async () => {
    await market.pay(invoice.number, 4500, later);
    expect(await market.pay(invoice.number, 4500, later)).toEqual({ ok: false, code: 'invoice_paid' });
    expect(await market.pay('INV-2026-999999', 4500, later)).toEqual({ ok: false, code: 'invoice_not_found' });
    expect(await market.pay('inv_what', 4500, later)).toEqual({ ok: false, code: 'invoice_not_found' });
    const [account] = await market.rows(`SELECT version FROM account WHERE account_key = 'buyer:${partner.buyerKey}'`);
    expect(account).toEqual({ version: 2 });
  });

  it('pays once for ten concurrent operators', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => market.pay(invoice.number, 4500, later)));
    expect(responses.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await market.detail(invoice)).payments).toHaveLength(1);
  });
});

describe('Overdue invoices', () => {
  it('are overdue from the due time on for every reader', async () => {
    const before = new Date(Date.parse(dueAt) - 1);
    expect((await market.invoice(invoice.number, before)).status).toBe('issued');
    expect((await market.invoice(invoice.number, dueAt)).status).toBe('overdue');
    expect((await market.invoices(partner, dueAt)).map(({ status }) => status)).toEqual(['overdue']);
    const overdue = { buyerKey: partner.buyerKey, status: 'overdue', after: null, limit: 5 } as const;
    expect(await market.database.tx((tx) => findInvoices(tx, overdue, before))).toEqual([]);
    expect(await market.database.tx((tx) => findInvoices(tx, overdue, new Date(dueAt)))).toHaveLength(1);
  });

  it('are recorded as overdue once', async () => {
    await market.database.tx((tx) => markOverdueInvoices(tx, new Date(Date.parse(dueAt) - 1)));
    expect((await audited()).map(([action]) => action)).not.toContain('invoice.overdue');
    await Promise.all(
      Array.from({ length: 5 }, () => market.database.tx((tx) => markOverdueInvoices(tx, new Date(dueAt)))),
    );
    expect(await market.database.tx((tx) => markOverdueInvoices(tx, new Date(dueAt)))).toBe(0);
    expect((await audited()).slice(0, 2)).toEqual([
      ['invoice.overdue', { status: { from: 'issued', to: 'overdue' } }],
      ['invoice.issued', expect.anything()],
    ]);
    expect(await market.pay(invoice.number, 1000, dueAt)).toMatchObject({ value: { status: 'overdue' } });
    expect(await market.pay(invoice.number, 3500, dueAt)).toMatchObject({ value: { status: 'paid' } });
  });
});

describe('The tax of an invoice', () => {
  const taxed = async (taxBasisPoints: number): Promise<Partner> => ({
    ...(await market.partner()),
    terms: { taxBasisPoints, address: ['1 Pier'], taxId: 'W-1', dueDays: 0 },
  });

  it('is in the balance, in the total and in what is due, and goes back when the invoice becomes void', async () => {
    const taxedPartner = await taxed(1925);
    await market.post(taxedPartner, 'charge', 10_001, '2026-10-05T12:00:00Z');
    const taxedInvoice = await market.issued(taxedPartner, '2026-10', issuedAt);
    expect(taxedInvoice).toMatchObject({
      ...{
        taxBasisPoints: 1925,
        taxCents: 1925,
        totalCents: 11_926,
        amountDueCents: 11_926,
        dueAt: taxedInvoice.issuedAt,
      },
      buyerDetails: { address: ['1 Pier'], taxId: 'W-1' },
    });
    const balance = async (): Promise<number | undefined> =>
      (await market.database.tx((tx) => readFunds(tx, [taxedPartner.buyerKey]))).get(taxedPartner.buyerKey)
        ?.balanceCents;
    expect(await balance()).toBe(-11_926);
    await market.expectNoFaults();
    expect((await market.void(taxedInvoice.number, later)).ok).toBe(true);
    expect(await balance()).toBe(-10_001);
    await market.expectNoFaults();
    const again = await market.issued(taxedPartner, '2026-10', later);
    expect([again.totalCents, await balance()]).toEqual([11_926, -11_926]);
    expect((await market.pay(again.number, 11_926, later)).ok).toBe(true);
    expect(await balance()).toBe(0);
  });

  it('is paid from an advance payment as far as that goes', async () => {
    const taxedPartner = await taxed(1000);
    await market.post(taxedPartner, 'payment', 10_500, '2026-10-05T12:00:00Z');
    await market.post(taxedPartner, 'charge', 10_000, '2026-10-05T12:00:00Z');
    const taxedInvoice = await market.issued(taxedPartner, '2026-10', issuedAt);
    expect(taxedInvoice).toMatchObject({ totalCents: 11_000, fromBalanceCents: 10_500, amountDueCents: 500 });
  });

  it('is noticed by the check when the ledger has another', async () => {
    const taxedPartner = await taxed(1000);
    await market.post(taxedPartner, 'charge', 10_000, '2026-10-05T12:00:00Z');
    const taxedInvoice = await market.issued(taxedPartner, '2026-10', issuedAt);
    const faulty = market.database.tx(async (tx) => {
      await returnTax(tx, taxedInvoice, new Date(later));
      const faults = await checkInvoices(tx);
      throw new Error(faults.join());
    });
    await expect(faulty).rejects.toThrow('1 invoices whose tax differs from the ledger');
  });
});

describe('voidInvoice', () => {
  it('keeps number, amounts and lines, stores the note, and leaves nothing due', async () => {
    const outcome = await market.void(invoice.number, later, 'Wrong zone; see lms_0123456789abcdef0123');
    expect(outcome).toEqual({
      ok: true,
      value: {
        ...invoice,
        status: 'void',
        amountDueCents: 0,
        voidedAt: new Date(later),
        voidNote: 'Wrong zone; see lms_…',
      },
    });
    expect((await market.detail(invoice)).items).toHaveLength(1);
    expect((await audited())[0]).toEqual([
      'invoice.voided',
      {
        status: { from: 'issued', to: 'void' },
        amountDue: { from: 45, to: 0 },
        note: { from: null, to: 'Wrong zone; see lms_…' },
      },
    ]);
  });

  it('releases charges and credits for a new invoice of the same month only', async () => {
    await market.post(partner, 'charge', 700, later);
    await market.void(invoice.number, '2026-12-02T12:00:00Z');
    const next = await market.issued(partner, '2026-11', '2026-12-02T12:00:00Z');
    expect(next.subtotalCents).toBe(700);
    const again = await market.issued(partner, '2026-10', '2026-12-02T12:00:00Z');
    expect([again.subtotalCents, again.number === invoice.number]).toEqual([4500, false]);
    expect((await market.invoices(partner, later)).map(({ status, month }) => `${month} ${status}`)).toEqual([
      '2026-10 issued',
      '2026-11 issued',
      '2026-10 void',
    ]);
  });

  it('releases the part paid from the balance', async () => {
    const payer = await market.partner();
    await market.post(payer, 'payment', 4500, '2026-10-01T12:00:00Z');
    await market.post(payer, 'charge', 4500, '2026-10-05T12:00:00Z');
    const paid = await market.issued(payer, '2026-10', issuedAt);
    expect(paid.status).toBe('paid');
    expect(await market.void(paid.number, later)).toMatchObject({ ok: true });
    expect(await market.issued(payer, '2026-10', later)).toMatchObject({ status: 'paid', fromBalanceCents: 4500 });
  });

  it('rejects payment and voiding of a void invoice, and voiding of one that is paid or unknown', async () => {
    const other = await market.partner();
    await market.post(other, 'charge', 100, '2026-10-05T12:00:00Z');
    const paid = await market.issued(other, '2026-10', issuedAt);
    await market.pay(paid.number, 1, later);
    await market.void(invoice.number, later);
    expect(await market.pay(invoice.number, 4500, later)).toEqual({ ok: false, code: 'invoice_void' });
    expect(await market.void(invoice.number, later)).toEqual({ ok: false, code: 'invoice_void' });
    expect(await market.void(paid.number, later)).toEqual({ ok: false, code: 'invoice_has_payments' });
    expect(await market.void('INV-2026-999999', later)).toEqual({ ok: false, code: 'invoice_not_found' });
  });

  it('voids once under concurrent voiding and issuing', async () => {
    const voids = Array.from({ length: 8 }, () => market.void(invoice.number, later));
    const issues = Array.from({ length: 8 }, () => market.issue(partner, '2026-10', later));
    expect((await Promise.all(voids)).filter(({ ok }) => ok)).toHaveLength(1);
    await Promise.all(issues);
    await market.issue(partner, '2026-10', later);
    const statuses = (await market.invoices(partner, later)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['issued', 'void']);
  });
});

const FREE = 'SELECT transfer_id FROM transfer WHERE transfer_id NOT IN (SELECT transfer_id FROM invoice_line) LIMIT 1';

describe('Invoice tables', () => {
  it('reject every change of an issued invoice', async () => {
    const paid = await market.partner();
    await market.post(paid, 'credit', 5, '2026-10-05T12:00:00Z');
    await market.issued(paid, '2026-10', issuedAt);
    const columns: Readonly<Record<string, string>> = {
      buyer_key: `'x'`,
      period: `'2026-09-01'`,
      time_zone: `'UTC'`,
      starts_at: `'2026-09-01'`,
      ends_at: `'2027-09-01'`,
      seller_name: `'x'`,
      buyer_name: `'x'`,
      currency: `'EUR'`,
      number: `'INV-2026-777777'`,
      subtotal_cents: 'subtotal_cents + 1, total_cents = total_cents + 1, amount_due_cents = amount_due_cents + 1',
      created_at: `'2026-09-01'`,
      issued_at: `'2026-09-01'`,
      due_at: `'2036-09-01'`,
    };
    const changes = Object.entries(columns).map(([column, value]) => `UPDATE invoice SET ${column} = ${value}`);
    const one = `invoice_id = '${invoice.invoiceId}'`;
    const refused = [
      ...changes,
      `UPDATE invoice SET status = 'draft', number = NULL, issued_at = NULL, due_at = NULL WHERE ${one}`,
      'DELETE FROM invoice',
      'TRUNCATE invoice CASCADE',
      'UPDATE invoice_line SET amount_cents = 1',
      'UPDATE invoice_line SET is_void = false',
      'UPDATE invoice_line SET account_version = 1',
      'DELETE FROM invoice_line',
      'TRUNCATE invoice_line',
      'UPDATE invoice_item SET quantity = 2',
      'DELETE FROM invoice_item',
      'TRUNCATE invoice_item',
      `INSERT INTO invoice_item VALUES ('${invoice.invoiceId}', 9, 'Another', 1, 1)`,
      `INSERT INTO invoice_line SELECT '${invoice.invoiceId}', (${FREE}), false, 'charge', 99, 1`,
    ];
    // Creates a transfer without an invoice.
    await market.post(paid, 'charge', 5, later);
    for (const text of refused) await expect(market.rows(text), text).rejects.toThrow(/append-only|nothing is added/);
  });

  it('reject reactivating a void invoice', async () => {
    await market.void(invoice.number, later);
    const one = `WHERE invoice_id = '${invoice.invoiceId}'`;
    await expect(market.rows(`UPDATE invoice SET void_note = 'another' ${one}`)).rejects.toThrow('append-only');
    await expect(
      market.rows(`UPDATE invoice SET status = 'paid', voided_at = NULL, void_note = NULL, paid_at = issued_at ${one}`),
    ).rejects.toThrow('append-only');
    await expect(market.rows(`UPDATE invoice_line SET is_void = false ${one}`)).rejects.toThrow('append-only');
  });

  it.each([
    ['invoice_paid_covered', `UPDATE invoice SET status = 'paid', paid_at = issued_at WHERE status = 'issued'`],
    ['invoice_due_right', `UPDATE invoice SET amount_due_cents = 1 WHERE status = 'issued'`],
    ['invoice_void_whole', `UPDATE invoice SET status = 'void', amount_due_cents = 0 WHERE status = 'issued'`],
    ['invoice_status_known', `UPDATE invoice SET status = 'sent' WHERE status = 'issued'`],
  ])('enforce %s', async (constraint, text) => {
    await expect(market.rows(text)).rejects.toThrow(constraint);
  });

  it('allow a transfer on only one invoice that is not void', async () => {
    const invoiceId = '0198a000-0000-7000-8000-000000000001';
    const draft = `INSERT INTO invoice (invoice_id, buyer_key, period, time_zone, starts_at, ends_at, seller_name, buyer_name, currency, status,
        created_at) SELECT '${invoiceId}', buyer_key, PERIOD, time_zone, starts_at, ends_at, seller_name, buyer_name, currency, 'draft', created_at
        FROM invoice WHERE number = '${invoice.number}'`;
    const lines = `INSERT INTO invoice_line SELECT '${invoiceId}', transfer_id, false, type, account_version, amount_cents FROM invoice_line
        WHERE invoice_id = '${invoice.invoiceId}'`;
    await expect(market.rows(draft.replace('PERIOD', 'period'))).rejects.toThrow('invoice_once_per_period');
    await expect(market.rows(`${draft.replace('PERIOD', `'2026-01-01'`)}; ${lines}`)).rejects.toThrow(
      'invoice_line_once',
    );
  });
});
