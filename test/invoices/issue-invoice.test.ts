// Tests which charges and credits an invoice includes, its number and the amount due (contract 6.19).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '../../src/audit/read-audit.ts';
import { typeId } from '../../src/base/ids.ts';
import { previewInvoice } from '../../src/invoices/preview-invoice.ts';
import { type BillingMarket, openBillingMarket, type Partner } from './billing-market.ts';

let market: BillingMarket;
let partner: Partner;

beforeAll(async () => {
  market = await openBillingMarket();
});
beforeEach(async () => {
  partner = await market.partner();
});
afterEach(() => market.expectNoFaults());
afterAll(() => market.close());

/** An instant of November 2026 in UTC. */
const november = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;

describe('issueInvoice', () => {
  it('returns parties, period, amounts and due date, and writes an audit event', async () => {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    await market.post(partner, 'charge', 4500, '2026-10-05T13:00:00Z');
    await market.post(partner, 'credit', 4500, '2026-10-09T12:00:00Z');
    const invoice = await market.issued(partner, '2026-10', '2026-11-02T16:00:00.000Z');
    expect(invoice).toEqual({
      invoiceId: invoice.invoiceId,
      number: expect.stringMatching(/^INV-2026-\d{6}$/) as string,
      buyerKey: partner.buyerKey,
      month: '2026-10',
      timeZone: 'America/Los_Angeles',
      startsAt: new Date('2026-10-01T07:00:00.000Z'),
      endsAt: new Date('2026-11-01T07:00:00.000Z'),
      sellerName: 'Lead Marketplace',
      buyerName: partner.name,
      sellerDetails: { address: [], taxId: null },
      buyerDetails: { address: [], taxId: null },
      currency: 'USD',
      status: 'issued',
      subtotalCents: 9000,
      creditsCents: 4500,
      carriedInCents: 0,
      carriedOutCents: 0,
      carriedTo: null,
      taxBasisPoints: 0,
      taxCents: 0,
      totalCents: 4500,
      fromBalanceCents: 0,
      paidCents: 0,
      amountDueCents: 4500,
      issuedAt: new Date('2026-11-02T16:00:00.000Z'),
      dueAt: new Date('2026-11-16T16:00:00.000Z'),
      paidAt: null,
      voidedAt: null,
      voidNote: null,
    });
    const [event, ...others] = await market.database.tx((tx) => listAudit(tx, partner.buyerKey, 10));
    expect([event?.action, event?.target, event?.changes, others]).toEqual([
      'invoice.issued',
      typeId('invoice', invoice.invoiceId),
      {
        number: { from: null, to: invoice.number },
        status: { from: null, to: 'issued' },
        total: { from: null, to: 45 },
        amountDue: { from: null, to: 45 },
      },
      [],
    ]);
  });

  it('includes the charges of the month to the millisecond, in the time zone of the partner', async () => {
    await market.post(partner, 'charge', 1, '2026-10-01T06:59:59.999Z');
    await market.post(partner, 'charge', 20, '2026-10-01T07:00:00.000Z');
    await market.post(partner, 'charge', 300, '2026-11-01T06:59:59.999Z');
    await market.post(partner, 'charge', 4000, '2026-11-01T07:00:00.000Z');
    const october = await market.issued(partner, '2026-10', november(2));
    expect(october.subtotalCents).toBe(320);
    const september = await market.issued(partner, '2026-09', november(3));
    expect(september.subtotalCents).toBe(1);
    const last = await market.issued(partner, '2026-11', '2026-12-01T08:00:00.000Z');
    expect(last.subtotalCents).toBe(4000);
  });

  it('rejects a month that is not over, and issues from its end on', async () => {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    await expect(market.issue(partner, '2026-10', '2026-11-01T06:59:59.999Z')).rejects.toThrow('month_not_over');
    const early = market.database.tx((tx) =>
      previewInvoice(tx, { buyer: partner, month: '2026-10' }, new Date('2026-11-01T06:59:59.999Z')),
    );
    expect(await early).toEqual({ ok: false, code: 'month_not_over' });
    expect((await market.issue(partner, '2026-10', '2026-11-01T07:00:00.000Z')).kind).toBe('issued');
  });

  it('issues nothing and stores nothing if there is nothing to invoice', async () => {
    await market.post(partner, 'payment', 10_000, '2026-10-05T12:00:00Z');
    await market.post(partner, 'adjustment', -100, '2026-10-05T12:00:00Z');
    await market.post(partner, 'charge', 4500, '2026-11-01T12:00:00Z');
    expect(await market.issue(partner, '2026-10', november(2))).toEqual({ kind: 'none', invoice: null });
    expect(await market.invoices(partner, november(2))).toEqual([]);
  });

  it('issues one invoice per partner and month when repeated', async () => {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    const first = await market.issued(partner, '2026-10', november(2));
    await market.post(partner, 'credit', 4500, november(3));
    expect(await market.issue(partner, '2026-10', november(4))).toEqual({ kind: 'exists', invoice: first });
    expect(await market.invoices(partner, november(4))).toEqual([first]);
  });

  it('issues one invoice per partner and month for twenty concurrent calls', async () => {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => market.issue(partner, '2026-10', november(2))),
    );
    expect(responses.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array.from({ length: 19 }, () => 'exists'),
      'issued',
    ]);
    expect(new Set(responses.map(({ invoice }) => invoice?.number)).size).toBe(1);
  });

  it('posts no transfers and blocks none', async () => {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    const account = `SELECT * FROM account WHERE account_key = 'buyer:${partner.buyerKey}'`;
    const [before] = await market.rows(account);
    await market.database.tx(async (tx) => {
      await market.issueIn(tx, partner, '2026-10', november(2));
      expect(await market.rows(account)).toEqual([before]);
      // From another connection before the commit: it would block forever if the account were locked.
      await market.post(partner, 'charge', 100, november(2));
    });
    expect(await market.rows(account)).toEqual([{ ...before, balance_cents: -4600, version: 2 }]);
  });

  it('aggregates charges by day, kind and price', async () => {
    const east = await market.partner('Asia/Kolkata');
    await market.post(east, 'charge', 4500, '2026-09-30T18:30:00.000Z');
    await market.post(east, 'charge', 4500, '2026-10-01T18:29:59.999Z');
    await market.post(east, 'charge', 4000, '2026-10-01T18:29:59.999Z');
    await market.post(east, 'charge', 4500, '2026-10-01T18:30:00.000Z');
    await market.post(east, 'charge', 4500, '2026-10-31T18:29:59.999Z');
    const { items } = await market.detail(await market.issued(east, '2026-10', november(1)));
    expect(items).toEqual([
      { day: 1, what: 'Lead Sale', unitCents: 4500, quantity: 2 },
      { day: 1, what: 'Lead Sale', unitCents: 4000, quantity: 1 },
      { day: 2, what: 'Lead Sale', unitCents: 4500, quantity: 1 },
      { day: 31, what: 'Lead Sale', unitCents: 4500, quantity: 1 },
    ]);
  });
});

describe('Invoice numbers', () => {
  const numbers = async (): Promise<string[]> =>
    (await market.rows('SELECT number FROM invoice ORDER BY number')).map(({ number }) => String(number));

  it('have no gaps under concurrency and failures', async () => {
    const partners = await Promise.all(Array.from({ length: 12 }, () => market.partner()));
    await Promise.all(partners.map((one) => market.post(one, 'charge', 4500, '2026-10-05T12:00:00Z')));
    class Killed extends Error {}
    const run = (one: Partner, index: number): Promise<unknown> => {
      const work = market.database.tx(async (tx) => {
        await market.issueIn(tx, one, '2026-10', november(2));
        if (index % 3 === 0) throw new Killed();
      });
      return index % 3 === 0 ? expect(work).rejects.toThrow(Killed) : work;
    };
    await Promise.all(partners.map(run));
    // Includes the partners whose transaction was rolled back.
    const again = await Promise.all(partners.map((one) => market.issue(one, '2026-10', november(2))));
    expect(again.map(({ kind }) => kind)).toEqual(
      partners.map((_one, index) => (index % 3 === 0 ? 'issued' : 'exists')),
    );
    const all = await numbers();
    expect(all).toEqual(all.map((_number, index) => `INV-2026-${String(index + 1).padStart(6, '0')}`));
  });

  it('restart with every year in UTC', async () => {
    const other = await market.partner('Pacific/Kiritimati');
    for (const one of [partner, other]) await market.post(one, 'charge', 4500, '2030-12-05T12:00:00Z');
    const early = await market.issued(other, '2030-12', '2030-12-31T23:59:59.999Z');
    const late = await market.issued(partner, '2030-12', '2031-01-01T08:00:00.000Z');
    expect([early.number, late.number]).toEqual(['INV-2030-000001', 'INV-2031-000001']);
  });
});

describe('A credit', () => {
  it('is on the invoice of its month, or of the first later month that is issued', async () => {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    await market.post(partner, 'credit', 300, '2026-10-20T12:00:00Z');
    await market.post(partner, 'charge', 4500, november(1));
    await market.post(partner, 'credit', 1000, november(2));
    const october = await market.issued(partner, '2026-10', november(2));
    await market.post(partner, 'credit', 700, november(3));
    const last = await market.issued(partner, '2026-11', '2026-12-02T12:00:00Z');
    expect([october.creditsCents, last.creditsCents]).toEqual([300, 1700]);
    const { credits, creditCount } = await market.detail(last);
    expect([creditCount, credits]).toEqual([
      2,
      [
        { at: new Date(november(2)), description: 'Some credit', amountCents: 1000 },
        { at: new Date(november(3)), description: 'Some credit', amountCents: 700 },
      ],
    ]);
  });

  it('of a later month causes no invoice for a month without sales', async () => {
    await market.post(partner, 'charge', 4500, november(1));
    await market.post(partner, 'credit', 4500, november(2));
    expect(await market.issue(partner, '2026-10', november(3))).toEqual({ kind: 'none', invoice: null });
  });

  it('in excess of the charges leaves a total of 0 and is carried to the next invoice', async () => {
    await market.post(partner, 'charge', 4500, '2026-09-05T12:00:00Z');
    const september = await market.issued(partner, '2026-09', '2026-10-02T12:00:00Z');
    await market.pay(september.number, 4500, '2026-10-03T12:00:00Z');
    await market.post(partner, 'credit', 4500, '2026-10-04T12:00:00Z');
    const october = await market.issued(partner, '2026-10', november(2));
    expect(october).toMatchObject({
      subtotalCents: 0,
      totalCents: 0,
      carriedOutCents: 4500,
      amountDueCents: 0,
      status: 'paid',
    });
    await market.post(partner, 'charge', 6000, november(5));
    const last = await market.issued(partner, '2026-11', '2026-12-02T12:00:00Z');
    expect(last).toMatchObject({ carriedInCents: 4500, totalCents: 1500, fromBalanceCents: 0, amountDueCents: 1500 });
    // Charges less credits.
    expect(september.totalCents + october.totalCents + last.totalCents).toBe(4500 + 6000 - 4500);
  });

  it('can be carried repeatedly, and such invoices are voided from the last one back', async () => {
    await market.post(partner, 'credit', 4500, '2026-09-05T12:00:00Z');
    const september = await market.issued(partner, '2026-09', '2026-10-02T12:00:00Z');
    await market.post(partner, 'charge', 1000, '2026-10-05T12:00:00Z');
    const october = await market.issued(partner, '2026-10', november(2));
    expect(october).toMatchObject({ carriedInCents: 4500, carriedOutCents: 3500, totalCents: 0, status: 'paid' });
    expect(await market.void(september.number, november(3))).toMatchObject({ ok: false, code: 'invoice_carried' });
    expect(await market.void(october.number, november(3))).toMatchObject({ ok: true });
    const again = await market.issued(partner, '2026-10', november(4));
    expect(again).toMatchObject({ carriedInCents: 4500, carriedOutCents: 3500 });
    expect(await market.void(again.number, november(5))).toMatchObject({ ok: true });
    expect(await market.void(september.number, november(5))).toMatchObject({ ok: true });
    await market.expectNoFaults();
  });
});

describe('A late charge', () => {
  it('is on the next invoice if its month is already invoiced', async () => {
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    await market.issued(partner, '2026-10', november(2));
    await market.post(partner, 'charge', 600, '2026-10-31T12:00:00Z');
    await market.post(partner, 'charge', 4000, november(5));
    const last = await market.issued(partner, '2026-11', '2026-12-02T12:00:00Z');
    expect(last.subtotalCents).toBe(4600);
    expect((await market.detail(last)).items.map(({ day, unitCents }) => [day, unitCents])).toEqual([
      [0, 600],
      [5, 4000],
    ]);
  });

  it('waits for the invoice of its month if there is none', async () => {
    await market.post(partner, 'charge', 600, '2026-10-31T12:00:00Z');
    await market.post(partner, 'charge', 4000, november(5));
    expect((await market.issued(partner, '2026-11', '2026-12-02T12:00:00Z')).subtotalCents).toBe(4000);
    expect((await market.issued(partner, '2026-10', '2026-12-02T12:00:00Z')).subtotalCents).toBe(600);
  });
});

describe('A change of the partner’s time zone', () => {
  it('invoices no charge twice and omits none', async () => {
    // October ends at 07:00 in the first zone and at 04:00 in the second.
    const times = ['03:59:59.999Z', '04:00:00.000Z', '06:59:59.999Z', '07:00:00.000Z'];
    for (const [index, time] of times.entries())
      await market.post(partner, 'charge', 10 ** index, `2026-11-01T${time}`);
    expect((await market.issued(partner, '2026-10', november(2))).subtotalCents).toBe(111);
    const moved = { ...partner, timeZone: 'America/New_York' };
    expect((await market.issued(moved, '2026-11', '2026-12-02T12:00:00Z')).subtotalCents).toBe(1000);
  });

  it('includes charges between two months on the next invoice', async () => {
    const east = { ...partner, timeZone: 'America/New_York' };
    const times = ['03:59:59.999Z', '04:00:00.000Z', '06:59:59.999Z', '07:00:00.000Z'];
    for (const [index, time] of times.entries()) await market.post(east, 'charge', 10 ** index, `2026-11-01T${time}`);
    expect((await market.issued(east, '2026-10', november(2))).subtotalCents).toBe(1);
    expect((await market.issued(partner, '2026-11', '2026-12-02T12:00:00Z')).subtotalCents).toBe(1110);
  });
});

describe('The amount due', () => {
  it('is 0 if the balance covers the total', async () => {
    await market.post(partner, 'payment', 10_000, '2026-10-01T12:00:00Z');
    await market.post(partner, 'charge', 4500, '2026-10-05T12:00:00Z');
    const invoice = await market.issued(partner, '2026-10', november(2));
    expect(invoice).toMatchObject({ status: 'paid', fromBalanceCents: 4500, amountDueCents: 0 });
    expect(invoice.paidAt).toEqual(new Date(november(2)));
  });

  it('is the part that the balance does not cover, regardless of later sales', async () => {
    await market.post(partner, 'payment', 5000, '2026-10-01T12:00:00Z');
    await market.post(partner, 'charge', 6000, '2026-10-05T12:00:00Z');
    await market.post(partner, 'charge', 9000, november(1));
    const invoice = await market.issued(partner, '2026-10', november(2));
    expect(invoice).toMatchObject({ status: 'issued', fromBalanceCents: 5000, amountDueCents: 1000 });
  });

  it('is paid from the balance only once', async () => {
    await market.post(partner, 'payment', 5000, '2026-09-01T12:00:00Z');
    await market.post(partner, 'charge', 4000, '2026-09-05T12:00:00Z');
    await market.post(partner, 'charge', 4000, '2026-10-05T12:00:00Z');
    const september = await market.issued(partner, '2026-09', november(2));
    const october = await market.issued(partner, '2026-10', november(2));
    expect([september.amountDueCents, october.amountDueCents]).toEqual([0, 3000]);
  });
});
