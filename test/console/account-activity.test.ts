// What the lists of partners and suppliers say of the present: funds, the last lead, the endpoint, today against the caps, and the trend.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const YESTERDAY_EVENING = '2026-11-21T03:00:00.000Z';
/** The same day by UTC, the next one in Los Angeles. */
const NOON = '2026-11-21T20:00:00.000Z';

const YAML = `
marketplace: { currency: USD, timeZone: America/Los_Angeles }
suppliers:
  - { key: acme, name: Acme Media, status: approved }
  - { key: idle, name: Idle Forms, status: approved }
partners:
  - { key: capped, name: A, timeZone: America/Los_Angeles, channels: [], billing: { mode: postpaid, creditLimit: 500 },
      offers: [{ key: capped-ca, eventType: Lead Sale, payout: 45, caps: { daily: 60 }, filters: { states: [CA] } },
               { key: capped-tx, eventType: Lead Sale, payout: 45, caps: { daily: 40 }, filters: { states: [TX] } },
               { key: capped-old, status: paused, eventType: Lead Sale, payout: 45, filters: { states: [TX] } }] }
  - { key: free, name: B, channels: [webhook], settings: { webhookUrl: "https://crm.free.example/leads" },
      offers: [{ key: free-ny, eventType: Lead Sale, payout: 45, caps: { daily: 9 }, filters: { states: [NY] } },
               { key: free-fl, eventType: Lead Sale, payout: 45, filters: { states: [FL] } }] }
  - { key: unset, name: C, channels: [email, webhook], settings: { notificationEmail: leads@unset.example } }
`;

const clock = handClock(YESTERDAY_EVENING);
let market: TestMarketplace;
let supplierKey: string;
let posted = 0;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: YAML, clock });
  supplierKey = await market.supplierKey('acme');
  await sell(1);
  clock.set(NOON);
  await sell(2);
});
afterAll(() => market.close());

async function sell(leads: number): Promise<void> {
  for (let index = 0; index < leads; index += 1) {
    posted += 1;
    await postLead(market.url, supplierKey, leadBody(posted, { state: 'CA' }));
  }
  const confirmed = `SELECT count(*)::int AS confirmed FROM delivery WHERE status = 'Confirmed'`;
  await eventually('all leads are sold', async () => {
    const { rows } = await market.database.pool.query<{ confirmed: number }>(confirmed);
    return rows[0]?.confirmed === posted ? true : null;
  });
}

// A new session each time: with a frozen clock rate limits never refill.
async function listed(list: string): Promise<Json[]> {
  const { status, json } = await (await market.signedIn.operator('ada')).get(`/console/api/${list}`);
  expect(status).toBe(200);
  return json.data as Json[];
}

const activities = async (list: string): Promise<Json[]> => (await listed(list)).map(({ activity }) => activity);

const NO_DAYS = Array<number>(14).fill(0);

describe('the activity in the list of partners', () => {
  it('has funds, the last lead, today against the daily caps of active offers and the days of the marketplace', async () => {
    const [capped, free, unset] = await activities('partners');
    expect(capped).toEqual({
      availableFunds: 500 - 3 * 45,
      lastLeadAt: NOON,
      endpoint: 'none',
      today: { sold: 2, cap: 100 },
      trend: [...NO_DAYS.slice(2), 1, 2],
    });
    const none = { lastLeadAt: null, trend: NO_DAYS };
    expect(free).toEqual({ ...none, availableFunds: null, endpoint: 'healthy', today: { sold: 0, cap: null } });
    expect(unset).toEqual({ ...none, availableFunds: null, endpoint: 'not_set', today: null });
  });

  it.each([
    ['unsteady', 1, null],
    ['failing', 7, NOON],
  ])('calls an endpoint %s after %i failures', async (endpoint, failures, openedAt) => {
    await market.database.pool.query(
      `INSERT INTO endpoint_health VALUES ('buyer', 'free', 'webhook', $1, $2, $2, 'HTTP 503', $3)`,
      [failures, openedAt, NOON],
    );
    expect((await activities('partners'))[1]).toMatchObject({ endpoint });
    await market.database.pool.query('DELETE FROM endpoint_health');
  });

  it('calls an endpoint disabled, and ignores failures of a channel that is not in use', async () => {
    await market.database.pool.query(
      `INSERT INTO endpoint_health VALUES ('buyer', 'free', 'sms', 7, $1, $1, 'HTTP 503', $1)`,
      [NOON],
    );
    expect((await activities('partners'))[1]).toMatchObject({ endpoint: 'healthy' });
    await market.database.pool.query(`UPDATE buyer SET endpoint_disabled_at = $1 WHERE buyer_key = 'free'`, [NOON]);
    expect((await activities('partners'))[1]).toMatchObject({ endpoint: 'disabled' });
    await market.database.pool.query('UPDATE buyer SET endpoint_disabled_at = NULL');
    await market.database.pool.query('DELETE FROM endpoint_health');
  });

  it('is in its CSV file', async () => {
    const { text } = await (
      await market.signedIn.operator('ada')
    ).get('/console/api/exports/partners?columns=available,last,endpoint,today,trend');
    expect(text).toContain(`365.00,${NOON},none,2,100,0 0 0 0 0 0 0 0 0 0 0 0 1 2`);
  });
});

describe('the activity in the list of suppliers', () => {
  it('has the last submission and the days of the marketplace', async () => {
    expect(await activities('suppliers')).toEqual([
      { lastLeadAt: NOON, trend: [...NO_DAYS.slice(2), 1, 2] },
      { lastLeadAt: null, trend: NO_DAYS },
    ]);
  });
});

describe('the order of the lists of partners and suppliers', () => {
  type Value = (row: Json) => number | string;
  const time: Value = ({ activity }) => activity.lastLeadAt ?? '';

  it.each<[list: string, by: string, valueOf: Value, distinct: number]>([
    ['partners', 'name', ({ name }) => name, 3],
    ['partners', 'available', ({ activity }) => activity.availableFunds ?? Infinity, 2],
    ['partners', 'last', time, 2],
    ['partners', 'today', ({ activity }) => activity.today?.sold ?? -1, 3],
    ['partners', 'activeOffers', ({ figures }) => figures.activeOffers, 2],
    ['partners', 'sold', ({ figures }) => figures.sold, 2],
    ['partners', 'revenue', ({ figures }) => figures.revenue, 2],
    ['partners', 'returned', ({ figures }) => figures.returned, 1],
    ['suppliers', 'name', ({ name }) => name, 2],
    ['suppliers', 'last', time, 2],
    ['suppliers', 'today', ({ activity }) => activity.trend.at(-1), 2],
    ['suppliers', 'submitted', ({ figures }) => figures.submitted, 2],
    ['suppliers', 'routed', ({ figures }) => figures.routed, 2],
    ['suppliers', 'rate', ({ figures }) => figures.acceptanceRate, 2],
    ['suppliers', 'score', ({ figures }) => figures.avgScore, 2],
  ])('of %s by %s has each of them once, on pages and in the file', async (list, by, valueOf, distinct) => {
    const ada = await market.signedIn.operator('ada');
    const rowsOf = async (query: string): Promise<Json[]> => (await ada.get(`/console/api/${list}?${query}`)).json.data;
    const keysOf = (rows: readonly Json[]): string[] => rows.map(({ key }) => key as string);
    const byName = keysOf(await rowsOf(''));
    expect(keysOf(await rowsOf('sort=name'))).toEqual(byName);
    for (const [sort, sign] of [
      [by, 1],
      [`-${by}`, -1],
    ] as const) {
      const rows = await rowsOf(`sort=${sort}`);
      expect(new Set(rows.map(valueOf)).size).toBe(distinct);
      // Equal ones are in the order of their names.
      const sorted = (await rowsOf('')).toSorted((one, other) => {
        const [a, b] = [valueOf(one), valueOf(other)];
        return a === b ? 0 : a < b ? -sign : sign;
      });
      expect(keysOf(rows)).toEqual(keysOf(sorted));
      const pages = await Promise.all(byName.map((_key, index) => rowsOf(`sort=${sort}&pageSize=1&page=${index + 1}`)));
      expect(keysOf(pages.flat())).toEqual(keysOf(rows));
      const { text } = await ada.get(`/console/api/exports/${list}?query=${encodeURIComponent(`sort=${sort}`)}`);
      const lines: ReadonlyArray<Record<string, string>> = parse(text, { columns: true });
      expect(lines.map((line) => line['key'])).toEqual(keysOf(rows));
    }
  });

  it.each(['partners?sort=payout', 'suppliers?sort=available', 'partners?sort=--name'])(
    'is no other: %s',
    async (list) => {
      const { status, json } = await (await market.signedIn.operator('ada')).get(`/console/api/${list}`);
      expect([status, json.code]).toEqual([400, 'invalid_query']);
    },
  );

  it('obeys the search and the status', async () => {
    const ada = await market.signedIn.operator('ada');
    const { json } = await ada.get('/console/api/partners?sort=-sold&search=e&status=active&pageSize=1&page=2');
    expect([json.total, json.data.length]).toEqual([3, 1]);
    expect((await ada.get('/console/api/partners?sort=-sold&status=paused')).json).toMatchObject({
      total: 0,
      data: [],
    });
  });
});

describe('the figures of the last 28 days in the lists', () => {
  it.each([
    // One lead was received at 19:00 of November 20 in Los Angeles, two at noon of the 21st.
    ['begin at midnight of a zone west of UTC', 'America/Los_Angeles', '2026-12-18T20:00:00.000Z', 2],
    ['keep their first day until midnight of that zone', 'America/Los_Angeles', '2026-12-18T07:59:00.000Z', 3],
    // 20:00 UTC of November 21 is 1:00 of the 22nd in Karachi.
    ['begin at midnight of a zone east of UTC', 'Asia/Karachi', '2026-12-19T10:00:00.000Z', 2],
    ['drop their first day at midnight of that zone', 'Asia/Karachi', '2026-12-19T19:00:00.000Z', 0],
  ])('%s', async (_title, timeZone, now, leads) => {
    await market.apply(YAML.replace('USD, timeZone: America/Los_Angeles', `USD, timeZone: ${timeZone}`));
    clock.set(now);
    const [capped] = await listed('partners');
    expect(capped?.figures).toMatchObject({ sold: leads, revenue: leads * 45 });
    const offer = (await listed('offers')).find(({ key }) => key === 'capped-ca');
    expect(offer?.figures).toMatchObject({ sold: leads, revenue: leads * 45 });
    const [acme] = await listed('suppliers');
    expect(acme?.figures).toMatchObject({
      submitted: leads,
      routed: leads,
      avgScore: leads === 0 ? 0 : expect.any(Number),
    });
  });
});
