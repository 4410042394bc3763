// The console's ledger: accounts, entries, manual postings, recount (contract 4.7, 7.7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../src/ledger/accounts.ts';
import { sumEntries } from '../../src/ledger/entries.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

const partner = (key: string, name: string, more: string): string =>
  `  - { key: ${key}, name: ${name}, timeZone: UTC, channels: [], ${more} }`;
const many = Array.from({ length: 60 }, (_, index) => partner(`many-${index}`, `Many ${index}`, 'status: paused'));
const yaml = `
marketplace: { currency: USD }
partners:
${partner('amber', 'Amber Ltd', 'billing: { mode: prepaid }')}
${partner('birch', 'Birch', 'billing: { mode: postpaid, creditLimit: 1000.00 }')}
${partner('cedar', 'Cedar', 'billing: { mode: postpaid }')}
  - { key: dune, name: Dune, timeZone: America/Denver, channels: [], billing: { mode: postpaid } }
${many.join('\n')}
`;
const ACCOUNTS = '/console/api/ledger/accounts';
const ENTRIES = '/console/api/ledger/entries';

let market: TestMarketplace;
let operator: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, role: 'api' });
  operator = await market.signedIn.operator('ada');
  await market.database.tx((tx) => openAccounts(tx, ['amber', 'birch', 'cedar', 'dune']));
});
afterAll(() => market.close());

let keys = 0;
function post(body: object, key = `key-${(keys += 1)}`) {
  return operator.send('POST', ENTRIES, body, { 'idempotency-key': key });
}
const payment = (more: object = {}) => ({
  partner: 'amber',
  type: 'payment',
  amount: 100,
  description: 'Wire',
  ...more,
});

async function account(key: string): Promise<Json> {
  return (await operator.get(`${ACCOUNTS}/${key}`)).json;
}

describe('the console’s accounts', () => {
  it('show balance, held and available funds', async () => {
    await post({ partner: 'birch', type: 'adjustment', amount: -250.5, description: 'Opening balance' });
    const { json } = await operator.get(`${ACCOUNTS}?search=birch`);
    expect(json).toMatchObject({ page: 1, total: 1, totalPages: 1, currency: 'USD' });
    expect(json.data).toEqual([
      {
        partner: 'birch',
        name: 'Birch',
        status: 'active',
        mode: 'postpaid',
        timeZone: 'UTC',
        balance: -250.5,
        held: 0,
        creditLimit: 1000,
        available: 749.5,
      },
    ]);
    expect((await account('cedar')).account).toMatchObject({ creditLimit: null, available: null });
  });

  it('are searched by part of the key or name, ignoring case, and paged', async () => {
    const found = async (query: string): Promise<string[]> =>
      ((await operator.get(`${ACCOUNTS}${query}`)).json.data as Json[]).map((row) => row.partner as string);
    expect(await found('?search=AMBER%20l')).toEqual(['amber']);
    expect(await found('?search=nobody')).toEqual([]);
    const pages = [await found(''), await found('?page=2'), await found('?page=3')];
    expect(pages.map(({ length }) => length)).toEqual([50, 14, 0]);
    expect(new Set(pages.flat()).size).toBe(64);
    expect((await found('?order=balance'))[0]).toBe('birch');
  });

  it('respond 404 to an unknown partner', async () => {
    expect((await operator.get(`${ACCOUNTS}/nobody`)).json.code).toBe('not_found');
  });
});

describe('the entries of an account', () => {
  it('are listed newest first with their purpose', async () => {
    const transfers = Array.from({ length: 55 }, (_, index) => {
      return {
        businessKey: `sale:${index}`,
        type: 'charge',
        buyerKey: 'cedar',
        amountCents: 100,
        description: 'Sale',
      } as const;
    });
    await market.database.tx((tx) => postTransfers(tx, transfers, new Date()));
    const { entries, account: cedar } = await account('cedar');
    expect(entries).toMatchObject({ page: 1, pageSize: 50, total: 55, totalPages: 2 });
    expect(entries.data[0]).toEqual({
      entryId: expect.stringMatching(/^txn_/),
      createdAt: expect.any(String),
      type: 'charge',
      amount: -1,
      balanceAfter: -55,
      description: 'Sale',
      deliveryId: null,
      returnId: null,
      disputeId: null,
      invoiceId: null,
    });
    expect(cedar.balance).toBe(-55);
    const { json } = await operator.get(`${ACCOUNTS}/cedar?page=2`);
    expect((json.entries.data as Json[]).map(({ balanceAfter }) => balanceAfter as number)).toEqual([
      -5, -4, -3, -2, -1,
    ]);
  });

  it('are added up on all pages', async () => {
    await post(payment({ partner: 'cedar', amount: 12.5 }));
    await post({ partner: 'cedar', type: 'adjustment', amount: -2, description: 'Fee' });
    const sums = async (key: string): Promise<Json> => (await operator.get(`${ACCOUNTS}/${key}/sums`)).json;
    const { balance } = (await account('cedar')).account;
    expect(await sums('cedar')).toEqual({
      ...{ rows: 57, isAll: true, counts: {}, amounts: { debited: 57, credited: 12.5 }, currency: 'USD' },
    });
    expect(balance).toBe(12.5 - 57);
    const cedar = await market.signedIn.buyer('cedar');
    expect((await cedar.get('/portal/api/buyer/ledger/sums')).json).toEqual(await sums('cedar'));
    expect(await sums('many-1')).toMatchObject({ rows: 0, amounts: { debited: 0, credited: 0 } });
    const counted = await market.database.tx((tx) => sumEntries(tx, 'cedar', { atMost: 56 }));
    expect(counted).toEqual({ rows: 57, debitCents: 0, creditCents: 0 });
  });

  it('are filtered by type and time with their sums and their file, for the operator and for the partner alike', async () => {
    // In the partner's zone the day of the first two is the 20th, of the third the 21st.
    const times = ['2020-01-20T12:00:00Z', '2020-01-21T06:59:59Z', '2020-01-21T07:00:00Z'];
    for (const [index, time] of times.entries()) {
      const common = { buyerKey: 'dune' };
      await market.database.tx((tx) =>
        postTransfers(
          tx,
          [
            { ...common, businessKey: `dune-sale:${index}`, type: 'charge', amountCents: 4500, description: 'Sale' },
            {
              ...common,
              businessKey: `dune-credit:${index}`,
              type: 'credit',
              amountCents: 1500,
              description: 'Return',
            },
          ],
          new Date(time),
        ),
      );
    }
    const dune = await market.signedIn.buyer('dune');
    const lastOf = (json: Json): unknown[] =>
      (json.data as Json[]).map(({ type, createdAt }) => [type, Date.parse(createdAt as string)]);
    const expected = (type: string, upTo: number): unknown[] =>
      times
        .slice(0, upTo)
        .map((time) => [type, Date.parse(time)])
        .toReversed();
    const span = { from: '2020-01-20T07:00:00Z', to: '2020-01-21T07:00:00Z' };
    for (const [type, amounts] of [
      ['charge', { debited: 90, credited: 0 }],
      ['credit', { debited: 0, credited: 30 }],
    ] as const) {
      const query = `?type=${type}&from=${span.from}&to=${span.to}`;
      const own = `?type=${type}&from=2020-01-20&to=2020-01-20`;
      const { entries } = (await operator.get(`${ACCOUNTS}/dune${query}`)).json;
      expect([entries.total, lastOf(entries)]).toEqual([2, expected(type, 2)]);
      const { ledger, currentBalance } = (await dune.get(`/portal/api/buyer/billing${own}`)).json;
      expect([ledger.total, lastOf(ledger), currentBalance]).toEqual([2, expected(type, 2), -90]);
      const sums = { rows: 2, isAll: true, counts: {}, amounts, currency: 'USD' };
      expect((await operator.get(`${ACCOUNTS}/dune/sums${query}`)).json).toEqual(sums);
      expect((await dune.get(`/portal/api/buyer/ledger/sums${own}`)).json).toEqual(sums);
      const file = `/portal/api/buyer/exports/ledger?query=${encodeURIComponent(own.slice(1))}&columns=at,type`;
      expect((await dune.get(file)).text.trim().split('\r\n').length).toBe(3);
    }
    expect(lastOf((await operator.get(`${ACCOUNTS}/dune?type=credit`)).json.entries)).toEqual(expected('credit', 3));
    expect((await operator.get(`${ACCOUNTS}/dune?type=tax`)).json.entries.total).toBe(0);
  });

  it.each(['type=cost', 'type=', 'from=yesterday', 'to=2020-02-30', 'from=2020-01-21&to=2020-01-20'])(
    'are refused to a partner for the filter %s',
    async (query) => {
      const cedar = await market.signedIn.buyer('cedar');
      for (const path of ['billing', 'ledger/sums'])
        expect((await cedar.get(`/portal/api/buyer/${path}?${query}`)).status).toBe(400);
    },
  );
});

describe('a manual posting', () => {
  it('posts once for repeated requests, with the balance before and after', async () => {
    const { balance } = (await account('amber')).account;
    const [first, second] = [await post(payment(), 'double-click'), await post(payment(), 'double-click')];
    expect(first.json).toEqual({
      entryId: expect.stringMatching(/^txn_/),
      partner: 'amber',
      type: 'payment',
      amount: 100,
      balanceBefore: balance,
      balanceAfter: balance + 100,
      description: 'Wire',
      createdAt: expect.any(String),
    });
    expect(second.text).toBe(first.text);
    expect((await account('amber')).account.balance).toBe(balance + 100);
    const [event] = await select<Json>(
      market.database,
      `SELECT actor_type, actor_name, action, ip, request_id FROM audit_event WHERE target = $1`,
      [first.json.entryId],
    );
    expect(event).toEqual({
      actor_type: 'operator',
      actor_name: 'ada',
      action: 'payment.posted',
      ip: '127.0.0.1',
      request_id: first.headers.get('x-request-id'),
    });
  });

  it('posts once for concurrent requests and for a repetition by another operator', async () => {
    const { balance } = (await account('amber')).account;
    const body = payment({ amount: 7 });
    await Promise.all([post(body, 'at-once'), post(body, 'at-once')]);
    const grace = await market.signedIn.operator('grace');
    await grace.send('POST', ENTRIES, body, { 'idempotency-key': 'at-once' });
    expect((await account('amber')).account.balance).toBe(balance + 7);
  });

  it.each([
    ['without a key for repeats', payment(), null, 400, 'idempotency_key_invalid'],
    ['for an unknown partner', payment({ partner: 'nobody' }), 'n1', 404, 'not_found'],
    ['of nothing', payment({ amount: 0 }), 'n2', 422, 'validation_failed'],
    ['of a part of a cent', payment({ amount: 0.005 }), 'n3', 422, 'validation_failed'],
    ['of more than there is', payment({ amount: 1e12 }), 'n4', 422, 'validation_failed'],
    ['of a negative payment', payment({ amount: -1 }), 'n5', 422, 'validation_failed'],
    ['of an amount that is text', payment({ amount: '100' }), 'n6', 422, 'validation_failed'],
    ['without a word', payment({ description: ' ' }), 'n7', 422, 'validation_failed'],
    ['in two lines', payment({ description: 'one\ntwo' }), 'n8', 422, 'validation_failed'],
    ['of a charge', payment({ type: 'charge' }), 'n9', 422, 'validation_failed'],
    ['with something unknown', payment({ when: 'now' }), 'n10', 422, 'validation_failed'],
    ['under a key that stands for another', payment({ amount: 1 }), 'double-click', 422, 'idempotency_key_reused'],
  ])('is refused %s', async (_what, body, key, status, code) => {
    const before = await account('amber');
    const response = await operator.send('POST', ENTRIES, body, key === null ? {} : { 'idempotency-key': key });
    expect([response.status, response.json.code]).toEqual([status, code]);
    expect((await account('amber')).account).toEqual(before.account);
  });

  it('is refused to partners', async () => {
    const buyer = await market.signedIn.buyer('amber');
    const response = await buyer.send('POST', ENTRIES, payment(), { 'idempotency-key': 'mine' });
    expect(response.status).toBe(401);
  });
});

describe('the recount of the ledger', () => {
  const linesOf = (text: string): Json[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line): Json => JSON.parse(line))
      .filter(({ kind }) => kind !== 'beat');

  const check = () => operator.send('POST', '/console/api/ledger/check');

  it('streams its steps and finds a correct ledger', async () => {
    const response = await check();
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = linesOf(response.text);
    expect(lines.map(({ kind, step }) => step ?? kind)).toEqual(['ledger', 'holds', 'invoices', 'statements', 'end']);
    expect(lines.at(-1)).toMatchObject({ ok: true, difference: 0, faults: [], accounts: expect.any(Number) });
  });

  it('reports errors, also in holds', async () => {
    const { pool } = market.database;
    await pool.query(`UPDATE account SET held_cents = 5 WHERE account_key = 'buyer:amber'`);
    const response = await check();
    await pool.query(`UPDATE account SET held_cents = 0 WHERE account_key = 'buyer:amber'`);
    expect(linesOf(response.text).at(-1)).toMatchObject({
      kind: 'end',
      ok: false,
      faults: ['1 partners whose held money differs from their pending deliveries'],
    });
  });

  it('runs once at a time', async () => {
    // The recount waits for this lock.
    const client = await market.database.connect();
    await client.query('BEGIN; LOCK TABLE invoice_progress IN ACCESS EXCLUSIVE MODE');
    const both = [check(), check()];
    const early = await Promise.race(both);
    await client.query('COMMIT');
    await client.end();
    expect([early.status, early.json.code]).toEqual([409, 'already_running']);
    const late = (await Promise.all(both)).find((response) => response !== early);
    expect(linesOf(late?.text ?? '').at(-1)).toMatchObject({ kind: 'end', ok: true });
    expect((await check()).status).toBe(200);
  });

  it('ends with a problem document on failure, and can be repeated', async () => {
    const { pool } = market.database;
    await pool.query('ALTER TABLE invoice_counter RENAME TO counter_away');
    const response = await check();
    await pool.query('ALTER TABLE counter_away RENAME TO invoice_counter');
    expect(linesOf(response.text).at(-1)).toMatchObject({ kind: 'problem', code: 'internal_error', status: 500 });
    expect(linesOf((await check()).text).at(-1)?.kind).toBe('end');
  });
});
