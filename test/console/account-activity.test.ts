// What the lists of partners and suppliers say of the present: funds, the last lead, the endpoint, today against the caps, and the trend.
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

describe('the figures of the last 28 days in the lists', () => {
  it.each([
    // One lead was received at 19:00 of November 20 in Los Angeles, two at noon of the 21st.
    ['start after the UTC day, west of it', 'America/Los_Angeles', '2026-12-18T20:00:00.000Z', 2],
    ['still have the first day until it is over', 'America/Los_Angeles', '2026-12-18T07:59:00.000Z', 3],
    // 20:00 UTC of November 21 is 1:00 of the 22nd in Karachi.
    ['start before the UTC day, east of it', 'Asia/Karachi', '2026-12-19T10:00:00.000Z', 2],
    ['are over at midnight', 'Asia/Karachi', '2026-12-19T19:00:00.000Z', 0],
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
