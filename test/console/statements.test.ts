// Suppliers' money at the console: balances, the run of a month with a preview, statements, and payouts (contract 11.3).
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { type EarningMarket, earningMarket, earningYaml } from '../supplier-statements/earning-market.ts';

const clock = handClock('2026-11-05T12:00:00.000Z');
let market: TestMarketplace;
let money: EarningMarket;
let operator: SignedIn;
let reader: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: earningYaml, role: 'api', clock });
  money = earningMarket(market.database);
  await money.cost('east', 1200, '2026-10-05T16:00:00.000Z', 60);
  await money.cost('east', 800, '2026-10-06T16:00:00.000Z');
  await money.cost('west', 500, '2026-10-07T16:00:00.000Z');
  operator = await market.signedIn.operator();
  reader = await market.signedIn.operator('reader', 'read-only');
});
afterAll(() => market.close());

async function run(month: string, dryRun: boolean): Promise<Json[]> {
  const { text } = await operator.send('POST', '/console/api/statements/run', { month, dryRun });
  return text
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line))
    .filter(({ kind }) => kind !== 'progress');
}
const end = { kind: 'end', isWhole: true, suppliers: 4 };

describe('The run of a month', () => {
  it('previews without issuing, issues once, and finds what exists when repeated', async () => {
    const preview = await run('2026-10', true);
    expect(preview).toMatchObject([
      { outcome: 'due', supplier: 'east', number: null, earned: 20, total: 20, payable: 8 },
      { outcome: 'due', supplier: 'west', earned: 5, payable: 5 },
      { ...end, statements: 2, existed: 0, earned: 25, payable: 13 },
    ]);
    expect((await operator.get('/console/api/statements')).json.total).toBe(0);
    expect((await run('2026-10', false)).at(-1)).toMatchObject({ ...end, statements: 2, existed: 0 });
    expect(await run('2026-10', false)).toMatchObject([
      { outcome: 'exists', number: 'ST-2026-000001' },
      { outcome: 'exists', number: 'ST-2026-000002' },
      { ...end, statements: 0, existed: 2, earned: 0 },
    ]);
  });

  it('is refused for a month that is not over, and to operators without the permission', async () => {
    const body = { month: '2026-11', dryRun: true };
    const early = await operator.send('POST', '/console/api/statements/run', body);
    expect([early.status, early.json.code, early.json.detail]).toEqual([
      409,
      'month_not_over',
      expect.stringContaining('America/Los_Angeles'),
    ]);
    expect((await reader.send('POST', '/console/api/statements/run', body)).status).toBe(403);
  });
});

describe('Statements', () => {
  it('are listed by supplier and month, read by number, and downloaded', async () => {
    const list = (await operator.get('/console/api/statements?supplier=east&month=2026-10')).json;
    expect(list).toMatchObject({
      total: 1,
      earned: 20,
      data: [{ number: 'ST-2026-000001', supplierName: 'East <b>' }],
    });
    const supplier = await market.signedIn.supplier('east');
    expect((await supplier.get('/portal/api/supplier/statements/sums')).json).toEqual({
      ...{ rows: 1, isAll: true, counts: {}, amounts: { earned: 20 }, currency: 'EUR' },
    });
    const path = '/console/api/statements/ST-2026-000001';
    expect((await operator.get(path)).json).toMatchObject({ supplier: 'east', days: [{ day: 5 }, { day: 6 }] });
    for (const [form, begin] of [
      ['pdf', '%PDF-'],
      ['html', '<!doctype html>'],
      ['csv', 'externalId,'],
    ] as const) {
      const { text, headers } = await operator.get(`${path}/document?form=${form}`);
      expect(text.toLowerCase().startsWith(begin.toLowerCase())).toBe(true);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="ST-2026-000001.${form}"`);
    }
    for (const other of ['ST-2026-999999', 'x'])
      expect((await operator.get(`/console/api/statements/${other}/document`)).status).toBe(404);
  });
});

describe('Payouts', () => {
  const pay = (body: object) => operator.send('POST', '/console/api/payouts', body);

  it('are recorded once per reference, and change the balance', async () => {
    const before = (await reader.get('/console/api/supplier-balances?search=east')).json;
    expect(before.data).toMatchObject([{ supplier: 'east', balance: 20, held: 12, payable: 8 }]);
    const payout = { supplier: 'east', amount: 8, reference: ' SEPA 1 ' };
    const [one, other] = await Promise.all([pay(payout), pay(payout)]);
    expect([one.status, one.json]).toEqual([200, other.json]);
    expect(one.json).toMatchObject({ reference: 'SEPA 1', amount: 8, balanceAfter: 12, supplierName: 'East <b>' });
    const after = (await reader.get('/console/api/supplier-balances?search=east')).json;
    expect(after.data).toMatchObject([{ balance: 12, held: 12, payable: 0 }]);
    expect((await reader.get('/console/api/payouts?supplier=east')).json).toMatchObject({ total: 1, data: [one.json] });
  });

  it.each([
    ['amount', { amount: 12.01, reference: 'SEPA 2' }],
    ['amount', { amount: 0, reference: 'SEPA 2' }],
    ['amount', { amount: 1.001, reference: 'SEPA 2' }],
    ['reference', { amount: 9, reference: 'SEPA 1' }],
    ['reference', { amount: 1, reference: ' ' }],
  ])('are refused with a text for %s: %j', async (field, body) => {
    const { status, json } = await pay({ supplier: 'east', ...body });
    expect([status, json.errors[0].field, json.errors[0].message]).toEqual([422, field, expect.stringMatching(/\w/)]);
  });

  it('are refused to nobody, and by operators without the permission', async () => {
    expect((await pay({ supplier: 'nobody', amount: 1, reference: 'x' })).status).toBe(404);
    const body = { supplier: 'east', amount: 1, reference: 'x' };
    expect((await reader.send('POST', '/console/api/payouts', body)).status).toBe(403);
  });
});

describe('The order of statements and balances', () => {
  beforeAll(async () => {
    // As much as is owed to `west`.
    await money.cost('many', 200, '2026-08-05T16:00:00.000Z');
    await money.issue('many', '2026-08', '2026-09-02T12:00:00.000Z');
    await money.cost('many', 300, '2026-09-05T16:00:00.000Z');
    await money.issue('many', '2026-09', '2026-10-02T12:00:00.000Z');
  });

  const rowsOf = async (path: string): Promise<Json[]> => (await operator.get(`/console/api/${path}`)).json.data;
  const linesOf = async (list: string, query: string): Promise<ReadonlyArray<Record<string, string>>> => {
    const { text } = await operator.get(`/console/api/exports/${list}?query=${encodeURIComponent(query)}`);
    return parse(text, { columns: true });
  };

  it.each([
    ['issued', 'issuedAt', '', 4],
    ['earned', 'earned', '', 4],
    ['total', 'total', '', 4],
    ['payable', 'payable', '', 4],
    ['total', 'total', 'supplier=many&', 2],
    ['earned', 'earned', 'month=2026-10&', 2],
  ])('of statements is by %s in both directions, each once on pages and in the file', async (by, member, of, count) => {
    const numbersOf = (rows: readonly Json[]): string[] => rows.map(({ number }) => number as string);
    const up = await rowsOf(`statements?${of}sort=${by}`);
    const down = await rowsOf(`statements?${of}sort=-${by}`);
    const values = up.map((row) => row[member] as number | string);
    expect(values).toEqual(values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
    expect(new Set(numbersOf(up)).size).toBe(count);
    expect(numbersOf(down)).toEqual(numbersOf(up).toReversed());
    const pages = up.map((_row, index) => rowsOf(`statements?${of}sort=-${by}&pageSize=1&page=${index + 1}`));
    expect(numbersOf((await Promise.all(pages)).flat())).toEqual(numbersOf(down));
    expect((await linesOf('statements', `${of}sort=-${by}`)).map((line) => line['number'])).toEqual(numbersOf(down));
    expect(numbersOf(await rowsOf(`statements?${of}`))).toEqual(
      numbersOf(await rowsOf(`statements?${of}sort=-issued`)),
    );
  });

  it.each([
    ['sort=name', ['east', 'idle', 'many', 'west']],
    ['sort=-name', ['west', 'many', 'idle', 'east']],
    ['sort=owed', ['idle', 'many', 'west', 'east']],
    ['sort=-owed', ['east', 'many', 'west', 'idle']],
    ['sort=held', ['idle', 'many', 'west', 'east']],
    ['sort=-held', ['east', 'idle', 'many', 'west']],
    ['sort=payable', ['east', 'idle', 'many', 'west']],
    ['sort=-payable', ['many', 'west', 'east', 'idle']],
  ])('of balances is by name or by an amount, equal ones by name (%s)', async (query, suppliers) => {
    const keysOf = (rows: readonly Json[]): string[] => rows.map(({ supplier }) => supplier as string);
    expect(keysOf(await rowsOf(`supplier-balances?${query}`))).toEqual(suppliers);
    const pages = suppliers.map((_key, index) => rowsOf(`supplier-balances?pageSize=1&page=${index + 1}&${query}`));
    expect(keysOf((await Promise.all(pages)).flat())).toEqual(suppliers);
    const lines = await linesOf('supplier-balances', query);
    expect(lines.map((line) => line['supplier_key'])).toEqual(suppliers);
  });

  it('of balances is that of the amounts that are shown, whether entries are folded yet or not', async () => {
    const shown = async (): Promise<Json[]> => {
      const rows = await rowsOf('supplier-balances?sort=-held');
      for (const by of ['balance', 'held', 'payable']) {
        const sorted = await rowsOf(`supplier-balances?sort=${by === 'balance' ? 'owed' : by}`);
        const amounts = sorted.map((row) => row[by] as number);
        expect([by, amounts]).toEqual([by, amounts.toSorted((one, other) => one - other)]);
      }
      return rows;
    };
    // On hold until the end of the day after the next in Los Angeles.
    const held = await money.cost('west', 1900, '2026-11-05T07:00:00.000Z', 2);
    const before = await shown();
    expect(before.map(({ supplier, held: amount }) => [supplier, amount]).slice(0, 2)).toEqual([
      ['west', 19],
      ['east', 12],
    ]);
    for (const supplier of ['east', 'west', 'many']) await money.fold(supplier);
    expect(await shown()).toEqual(before);
    await money.clawback('west', held, 1900, '2026-11-05T08:00:00.000Z');
    expect((await shown()).find(({ supplier }) => supplier === 'west')).toMatchObject({ held: 0 });
  });

  it('of payouts is by time or amount, of all suppliers or of one, on all pages', async () => {
    await money.pay('many', 100, 'one', '2026-11-05T10:00:00.000Z');
    await money.pay('west', 300, 'two', '2026-11-05T10:00:00.000Z');
    await money.pay('many', 200, 'three', '2026-11-05T11:00:00.000Z');
    const refsOf = async (query: string): Promise<string[]> =>
      (await rowsOf(`payouts?${query}`)).map(({ reference }) => reference as string);
    expect(await refsOf('supplier=many&sort=amount')).toEqual(['one', 'three']);
    for (const by of ['recorded', 'amount']) {
      const [up, down] = [await refsOf(`sort=${by}`), await refsOf(`sort=-${by}`)];
      expect(down).toEqual(up.toReversed());
      const pages = up.map((_ref, index) => refsOf(`sort=${by}&pageSize=1&page=${index + 1}`));
      expect((await Promise.all(pages)).flat()).toEqual(up);
      const values = (await rowsOf(`payouts?sort=${by}`)).map((row) =>
        by === 'amount' ? (row['amount'] as number) : Date.parse(row['recordedAt'] as string),
      );
      expect(values).toEqual(values.toSorted((one, other) => one - other));
    }
    expect(await refsOf('')).toEqual(await refsOf('sort=-recorded'));
  });

  it.each(['issued', 'earned', 'total', 'payable'])('of a supplier’s own statements is by %s too', async (by) => {
    const many = await market.signedIn.supplier('many');
    const numbersOf = async (query: string): Promise<string[]> => {
      const { json, headers } = await many.get(`/portal/api/v1/supplier/statements?${query}`);
      expect(headers.get('link')).toContain(query.split('&')[0]);
      return (json.data as Json[]).map(({ number }) => number as string);
    };
    const [up, down] = [await numbersOf(`sort=${by}`), await numbersOf(`sort=-${by}`)];
    expect([up.length, down]).toEqual([2, up.toReversed()]);
    expect([
      ...(await numbersOf(`sort=${by}&pageSize=1`)),
      ...(await numbersOf(`sort=${by}&pageSize=1&page=2`)),
    ]).toEqual(up);
    const ofOperator = await rowsOf(`statements?supplier=many&sort=${by}`);
    expect(up).toEqual(ofOperator.map(({ number }) => number as string));
    const query = encodeURIComponent(`sort=${by}`);
    const { text } = await many.get(`/portal/api/supplier/exports/statements?query=${query}`);
    expect(parse(text, { columns: true }).map((line: Json) => line['number'])).toEqual(up);
  });

  it('is that of the names if the balances are asked for without one', async () => {
    expect(await rowsOf('supplier-balances')).toEqual(await rowsOf('supplier-balances?sort=name'));
  });

  it.each(['statements?sort=leads', 'supplier-balances?sort=rate', 'payouts?sort=reference'])(
    'is no other: %s',
    async (path) => {
      expect((await operator.get(`/console/api/${path}`)).json).toMatchObject({ status: 400, code: 'invalid_query' });
    },
  );
});
