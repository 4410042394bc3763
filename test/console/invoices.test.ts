// The console's invoices: preview, run, list, document, payment, voiding (contract 6.19, 7.2).
import { randomUUID } from 'node:crypto';

import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { checkInvoices } from '../../src/invoices/check-invoices.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import type { TransferType } from '../../src/ledger/transfer.rules.ts';
import { select } from '../support/ledger-faults.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

const partner = (key: string, name: string, zone: string): string =>
  `  - { key: ${key}, name: ${name}, timeZone: ${zone}, channels: [], billing: { mode: postpaid } }`;
const yaml = `
marketplace: { currency: USD }
partners:
${partner('amber', 'Amber Ltd', 'America/New_York')}
${partner('birch', 'Birch', 'America/Los_Angeles')}
${partner('cedar', 'Cedar', 'UTC')}
`;
const INVOICES = '/console/api/invoices';
const NOW = '2026-11-20T18:00:00.000Z';

let clock: HandClock;
let market: TestMarketplace;
// A new session each time: the tests advance the clock by weeks, and sessions end after twelve hours.
const ada = (): Promise<SignedIn> => market.signedIn.operator('ada');
const get = async (path: string) => (await ada()).get(`${INVOICES}${path}`);
const send = async (path: string, body: object, key: string = randomUUID()) =>
  (await ada()).send('POST', `${INVOICES}${path}`, body, { 'idempotency-key': key });

beforeAll(async () => {
  clock = handClock(NOW);
  market = await startTestMarketplace({ yaml, role: 'api', clock });
});
afterAll(() => market.close());

let sales = 0;
async function post(buyerKey: string, type: TransferType, amountCents: number, at: string): Promise<void> {
  sales += 1;
  const description = type === 'charge' ? `Lead Sale LS-${100_000 + sales}` : `Some ${type}`;
  const transfer = { businessKey: `${type}:${newUuid()}`, type, buyerKey, amountCents, description };
  await market.database.tx((tx) => postTransfers(tx, [transfer], new Date(at)));
}

function linesOf(text: string): Json[] {
  const lines = text.trimEnd().split('\n');
  return lines.map((line): Json => JSON.parse(line)).filter(({ kind }) => kind !== 'beat');
}

async function run(body: object): Promise<{ lines: Json[]; end: Json }> {
  const { text } = await send('/run', body);
  const lines = linesOf(text);
  return { lines: lines.filter(({ kind }) => kind === 'line'), end: lines.at(-1) };
}

describe('the monthly invoice run', () => {
  it('previews the month per partner without issuing anything', async () => {
    await post('amber', 'charge', 4500, '2026-10-05T12:00:00.000Z');
    await post('amber', 'charge', 4500, '2026-10-06T12:00:00.000Z');
    await post('amber', 'credit', 1000, '2026-10-07T12:00:00.000Z');
    await post('birch', 'charge', 2000, '2026-10-05T12:00:00.000Z');
    await post('birch', 'payment', 500, '2026-10-05T13:00:00.000Z');
    const { lines, end } = await run({ month: '2026-10', dryRun: true });
    const amber = {
      partner: 'amber',
      partnerName: 'Amber Ltd',
      subtotal: 90,
      credits: 10,
      total: 80,
      amountDue: 80,
      unprintable: '',
    };
    expect(lines).toEqual([
      { kind: 'line', outcome: 'due', number: null, ...amber },
      {
        kind: 'line',
        outcome: 'due',
        number: null,
        partner: 'birch',
        partnerName: 'Birch',
        unprintable: '',
        ...{ subtotal: 20, credits: 0, total: 20, amountDue: 15 },
      },
    ]);
    expect(end).toEqual({
      kind: 'end',
      isWhole: true,
      partners: 3,
      invoices: 2,
      existed: 0,
      total: 100,
      amountDue: 95,
    });
    expect((await get('?month=2026-10')).json).toMatchObject({ total: 0, sum: { invoices: 0 } });
  });

  it('issues invoices with progress, and leaves them alone when repeated', async () => {
    const { text } = await send('/run', { month: '2026-10', dryRun: false });
    const all = linesOf(text);
    expect(all.filter(({ kind }) => kind === 'progress').map(({ done, of }) => `${done}/${of}`)).toEqual([
      '1/3',
      '2/3',
      '3/3',
    ]);
    expect(all.filter(({ kind }) => kind === 'line').map(({ outcome, number }) => `${outcome} ${number}`)).toEqual([
      'issued INV-2026-000001',
      'issued INV-2026-000002',
    ]);
    const again = await run({ month: '2026-10', dryRun: false });
    expect(again.lines.map(({ outcome }) => outcome as string)).toEqual(['exists', 'exists']);
    expect(again.end).toMatchObject({ invoices: 0, existed: 2, total: 0 });
    const [event] = await select<Json>(
      market.database,
      `SELECT actor_name, ip FROM audit_event WHERE action = 'invoice.issued' ORDER BY audit_id LIMIT 1`,
    );
    expect(event).toEqual({ actor_name: 'ada', ip: '127.0.0.1' });
    expect(await market.database.tx(checkInvoices)).toEqual([]);
  });

  it.each([
    ['that is not over', { month: '2026-11', dryRun: true }, 409, 'month_not_over'],
    ['that is none', { month: '2026-13', dryRun: true }, 422, 'validation_failed'],
    ['without saying whether', { month: '2026-10' }, 422, 'validation_failed'],
    ['for an unknown partner', { month: '2026-10', partner: 'nobody', dryRun: true }, 404, 'not_found'],
  ])('is refused %s', async (_what, body, status, code) => {
    const response = await send('/run', body);
    expect([response.status, response.json.code]).toEqual([status, code]);
  });

  it('can be limited to one partner', async () => {
    await post('cedar', 'charge', 700, '2026-09-10T12:00:00.000Z');
    await post('amber', 'charge', 900, '2026-09-10T12:00:00.000Z');
    const { lines, end } = await run({ month: '2026-09', partner: 'cedar', dryRun: false });
    expect(lines.map((line) => line.partner as string)).toEqual(['cedar']);
    expect(end).toMatchObject({ partners: 1, invoices: 1, total: 7 });
  });
});

const sums = async (query: string): Promise<Json> => (await get(`/sums?${query}`)).json;
async function sumsOfFile(query: string): Promise<object> {
  const file = await (
    await ada()
  ).get(`/console/api/exports/invoices${query === '' ? '' : `?query=${encodeURIComponent(query)}`}`);
  const lines: ReadonlyArray<Record<string, string>> = parse(file.text, { columns: true });
  const amount = lines.reduce((sum, line) => sum + Number(line['amount_due']), 0);
  return { rows: lines.length, isAll: true, counts: {}, amounts: { due: amount }, currency: 'USD' };
}

describe('the console’s invoices', () => {
  const numbers = async (query: string): Promise<string[]> =>
    ((await get(query)).json.data as Json[]).map(({ number }) => number as string);

  it('are listed newest first and filtered by month, status and partner', async () => {
    expect(await numbers('')).toEqual(['INV-2026-000003', 'INV-2026-000002', 'INV-2026-000001']);
    expect(await numbers('?month=2026-10')).toEqual(['INV-2026-000002', 'INV-2026-000001']);
    expect(await numbers('?partner=amber')).toEqual(['INV-2026-000001']);
    expect(await numbers('?partner=amber&month=2026-09')).toEqual([]);
    expect(await numbers('?status=open&month=2026-10&partner=birch')).toEqual(['INV-2026-000002']);
    expect(await numbers('?status=paid')).toEqual([]);
    expect(await numbers('?page=2')).toEqual([]);
    const { json } = await get('?month=2026-10');
    expect(json).toMatchObject({
      ...{ total: 2, totalPages: 1, hasMore: false, currency: 'USD' },
      sum: { invoices: 2, subtotal: 110, credits: 10, total: 100, amountDue: 95 },
    });
    expect(json.data[0]).toMatchObject({ partner: 'birch', partnerName: 'Birch', status: 'issued', fromBalance: 5 });
  });

  it.each([
    '',
    'month=2026-10',
    'partner=amber',
    'month=2026-10&partner=birch&status=open',
    'status=paid',
    'month=2020-01',
  ])('have sums that agree with their file under "%s"', async (query) =>
    expect(await sums(query)).toEqual(await sumsOfFile(query)),
  );

  it.each([
    ['issued', 'issuedAt', ['', 'month=2026-10', 'partner=amber', 'status=issued']],
    ['due', 'dueAt', ['month=2026-10', 'partner=amber', 'month=2026-10&status=issued']],
    ['total', 'total', ['month=2026-10', 'partner=amber']],
    ['amountDue', 'amountDue', ['month=2026-10', 'partner=amber&month=2026-10']],
  ] as const)('come in the order %s once each, in both directions', async (by, member, queries) => {
    for (const query of queries) {
      const rows = async (sort: string): Promise<Json[]> => (await get(`?${query}&sort=${sort}`)).json.data;
      const [up, down] = [await rows(by), await rows(`-${by}`)];
      const ids = (await numbers(`?${query}`)).toSorted();
      expect(up.map(({ number }) => number as string).toSorted()).toEqual(ids);
      expect(down).toEqual(up.toReversed());
      const values = up.map((row) => row[member] as string | number);
      expect(values).toEqual(values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
      const file = await (
        await ada()
      ).get(`/console/api/exports/invoices?query=${encodeURIComponent(`${query}&sort=-${by}`)}`);
      const lines: ReadonlyArray<Record<string, string>> = parse(file.text, { columns: true });
      expect(lines.map((line) => line['number'])).toEqual(down.map(({ number }) => number as string));
    }
  });

  it('come by time of issue in every other order of all months and partners', async () => {
    expect(await numbers('?sort=total')).toEqual(await numbers(''));
    expect((await get('?sort=name')).json.code).toBe('invalid_query');
  });

  it('are overdue from the instant they are due', async () => {
    clock.set('2026-12-04T18:00:00.000Z');
    expect(await numbers('?status=overdue')).toHaveLength(3);
    expect(await numbers('?status=issued')).toEqual([]);
    clock.set('2026-12-04T17:59:59.000Z');
    expect(await numbers('?status=overdue')).toEqual([]);
    expect(await numbers('?status=issued')).toHaveLength(3);
    clock.set(NOW);
  });

  it('show items, credits, payments and the available balance', async () => {
    const { json } = await get('/INV-2026-000001');
    expect(json).toMatchObject({
      ...{ number: 'INV-2026-000001', timeZone: 'America/New_York', amountDue: 80, free: 0 },
      items: [
        { day: 5, what: 'Lead Sale', unit: 45, quantity: 1 },
        { day: 6, what: 'Lead Sale', unit: 45, quantity: 1 },
      ],
      credited: [{ at: '2026-10-07T12:00:00.000Z', description: 'Some credit', amount: 10 }],
      creditCount: 1,
      payments: [],
    });
    expect((await get(`/${json.invoiceId}`)).json).toEqual(json);
    expect((await get('/INV-2026-999999')).json.code).toBe('not_found');
  });

  it('can be downloaded as PDF and HTML', async () => {
    const [pdf, html] = [await get('/INV-2026-000001/document'), await get('/INV-2026-000001/document?form=html')];
    expect([pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
    expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="INV-2026-000001.pdf"');
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(html.text).toContain('INV-2026-000001');
    expect((await get('/INV-2026-000001/document?form=doc')).json.code).toBe('invalid_query');
    expect((await get('/nothing/document')).status).toBe(404);
  });

  it('are refused to partners and suppliers', async () => {
    const buyer = await market.signedIn.buyer('amber');
    for (const path of ['', '/INV-2026-000001', '/INV-2026-000001/document'])
      expect((await buyer.get(`${INVOICES}${path}`)).status).toBe(401);
  });
});

describe('paying and voiding an invoice', () => {
  it('requires an Idempotency-Key for a payment', async () => {
    const bare = await (await ada()).send('POST', `${INVOICES}/INV-2026-000001/pay`, { amount: 1 });
    expect([bare.status, bare.json.code]).toEqual([400, 'idempotency_key_invalid']);
  });

  it('accepts part payments, then the balance, and refuses more', async () => {
    const key = randomUUID();
    const paid = await send('/INV-2026-000001/pay', { amount: 50.5 }, key);
    expect(paid.json).toMatchObject({ status: 'issued', paid: 50.5, amountDue: 29.5 });
    expect((await send('/INV-2026-000001/pay', { amount: 50.5 }, key)).text).toBe(paid.text);
    expect((await send('/INV-2026-000001/pay', { amount: null })).json).toMatchObject({ code: 'balance_too_low' });
    await post('amber', 'payment', 10_000, NOW);
    expect((await get('/INV-2026-000001')).json).toMatchObject({
      free: 100,
      payments: [{ amount: 50.5, description: 'Payment of INV-2026-000001' }],
    });
    const rest = await send('/INV-2026-000001/pay', { amount: null });
    expect(rest.json).toMatchObject({ status: 'paid', amountDue: 0, fromBalance: 29.5, paidAt: NOW });
    expect((await send('/INV-2026-000001/pay', { amount: 5 })).json).toMatchObject({ code: 'invoice_paid' });
    const events = await select<Json>(
      market.database,
      `SELECT actor_name, ip IS NOT NULL AS has_ip FROM audit_event WHERE target = $1 AND action = 'invoice.paid'`,
      [rest.json.invoiceId],
    );
    expect(events).toEqual([
      { actor_name: 'ada', has_ip: true },
      { actor_name: 'ada', has_ip: true },
    ]);
  });

  it.each([[0], [-5], [0.001], ['5'], [undefined]])('refuses a payment of %j', async (amount) => {
    const response = await send('/INV-2026-000002/pay', { amount });
    expect([response.status, response.json.code]).toEqual([422, 'validation_failed']);
  });

  it('voids with a reason, but not after a payment', async () => {
    expect((await send('/INV-2026-000001/void', { note: 'Wrong.' })).json).toMatchObject({
      status: 409,
      code: 'invoice_has_payments',
    });
    expect((await send('/INV-2026-000002/void', { note: ' ' })).json.code).toBe('validation_failed');
    expect((await send('/INV-2026-000002/void', {})).json.code).toBe('validation_failed');
    const { json } = await send('/INV-2026-000002/void', { note: ' Wrong month. ' });
    expect(json).toMatchObject({ status: 'void', voidNote: 'Wrong month.', voidedAt: NOW });
    expect((await send('/INV-2026-000002/void', { note: 'Again.' })).json.code).toBe('invoice_void');
    expect((await send('/INV-2026-000002/pay', { amount: 5 })).json.code).toBe('invoice_void');
    expect((await get('?status=void')).json.data).toHaveLength(1);
    expect((await get('?month=2026-10')).json.sum.invoices).toBe(1);
    expect(await sums('status=void')).toMatchObject({ rows: 1, amounts: { due: 0 } });
    expect(await sums('')).toEqual(await sumsOfFile(''));
    expect((await sums('')).amounts.due).toBeGreaterThan(0);
    expect((await send('/INV-2026-999999/void', { note: 'x' })).status).toBe(404);
  });
});
