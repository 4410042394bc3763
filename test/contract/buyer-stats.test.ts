// Tests GET /api/v1/buyer/stats of the running service: exact to the last delivery, and consistent at every instant (contract 6.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readBuyers } from '../../src/buyers/read-buyers.ts';
import { listDeliveries } from '../../src/deliveries/list-deliveries.ts';
import { buyerStats } from '../../src/reports/buyer-stats.ts';
import { cachedWindowDays } from '../../src/reports/offer-windows.rules.ts';
import { cachedSpans } from '../../src/routing/availability.rules.ts';
import { localDay } from '../../src/routing/local-day.rules.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { type ApiResponse, getAsBuyer, postLead, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { sampleLead } from './market.ts';

const PATH = '/api/v1/buyer/stats';
const WIDE = 'rateLimit: { perSecond: 100000, burst: 100000 }';

function yaml(offers: readonly string[], more = ''): string {
  return `
marketplace: { currency: EUR }
suppliers: [{ key: acme-media, name: Acme Media, status: approved, ${WIDE} }]
partners:
  - key: summit
    name: Summit Debt Relief
    timeZone: America/Los_Angeles
    channels: []
    ${WIDE}
    billing: { mode: postpaid }
    ${more}
    offers:
${offers.map((offer) => `      - ${offer}`).join('\n')}
  - { key: harbor, name: Harbor, channels: [], ${WIDE}, offers: [{ key: harbor-all, name: All, eventType: Lead Sale, payout: 40, filters: { states: [NY] } }] }
  - { key: frozen, name: Frozen, status: suspended, channels: [], ${WIDE} }
  - { key: resting, name: Resting, status: paused, channels: [], ${WIDE},
      offers: [{ key: resting-all, name: All, eventType: Lead Sale, payout: 40 }] }
`;
}

const WEST =
  '{ key: summit-west, name: West, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] }, caps: { daily: 3, monthly: 800 } }';

describe('The statistics', () => {
  let market: TestMarketplace;
  let token: string;
  const clock = handClock('2026-11-20T20:00:00.000Z');

  beforeAll(async () => {
    const offers = [
      WEST,
      '{ key: summit-closed, name: Closed, eventType: Lead Sale, payout: 1, status: closed }',
      '{ key: summit-night, name: Night, eventType: Lead Sale, payout: 20.50, status: paused, caps: { weekly: 0 } }',
    ];
    market = await startTestMarketplace({ yaml: yaml(offers), role: 'api', clock });
    token = await market.buyerToken('summit');
  });
  afterAll(() => market.close());

  const stats = (query = '', as = token): Promise<ApiResponse> => getAsBuyer(market.url, as, `${PATH}${query}`);

  it('of a partner without deliveries have every member, and zeros', async () => {
    const { status, json } = await stats('?days=2');
    const none = { deliveries: 0, confirmed: 0, pending: 0, failed: 0, returned: 0 };
    const resetsAt = {
      daily: '2026-11-21T08:00:00.000Z',
      weekly: '2026-11-23T08:00:00.000Z',
      monthly: '2026-12-01T08:00:00.000Z',
    };
    expect(status).toBe(200);
    expect(JSON.stringify(json)).toBe(
      JSON.stringify({
        days: 2,
        from: '2026-11-19',
        to: '2026-11-20',
        partnerKey: 'summit',
        currency: 'EUR',
        totals: none,
        revenue: { confirmed: 0, pending: 0, returned: 0 },
        byEventType: { 'Lead Sale': 0, 'Calendar Assigned': 0 },
        byDay: [
          { date: '2026-11-19', ...none, revenue: 0 },
          { date: '2026-11-20', ...none, revenue: 0 },
        ],
        pacing: [
          {
            offerKey: 'summit-night',
            window: 'weekly',
            ...{ cap: 0, used: 0, remaining: 0, expectedByNow: 0, projected: 0, state: 'capped' },
            resetsAt: resetsAt.weekly,
          },
          {
            offerKey: 'summit-west',
            window: 'daily',
            // Noon in Los Angeles.
            ...{ cap: 3, used: 0, remaining: 3, expectedByNow: 2, projected: 0, state: 'on_pace' },
            resetsAt: resetsAt.daily,
          },
          {
            offerKey: 'summit-west',
            window: 'monthly',
            // 19.5 of 30 days, one of which is an hour longer (the clocks are put back).
            ...{ cap: 800, used: 0, remaining: 800, expectedByNow: 520, projected: 0, state: 'behind' },
            resetsAt: resetsAt.monthly,
          },
        ],
        offers: [
          {
            ...{ offerKey: 'summit-closed', name: 'Closed', eventType: 'Lead Sale', payout: 1, status: 'closed' },
            caps: { daily: null, weekly: null, monthly: null },
          },
          {
            ...{ offerKey: 'summit-night', name: 'Night', eventType: 'Lead Sale', payout: 20.5, status: 'paused' },
            caps: {
              daily: null,
              weekly: { limit: 0, used: 0, remaining: 0, resetsAt: resetsAt.weekly },
              monthly: null,
            },
          },
          {
            ...{ offerKey: 'summit-west', name: 'West', eventType: 'Lead Sale', payout: 45, status: 'active' },
            caps: {
              daily: { limit: 3, used: 0, remaining: 3, resetsAt: resetsAt.daily },
              weekly: null,
              monthly: { limit: 800, used: 0, remaining: 800, resetsAt: resetsAt.monthly },
            },
          },
        ],
      }),
    );
  });

  it('cover UTC days, today included, by time of delivery and current status', async () => {
    const at = (text: string): Date => new Date(text);
    await plantDeliveries(market.database, 'summit', [
      { at: at('2025-11-20T23:59:59.999Z') },
      { at: at('2025-11-21T00:00:00.000Z'), status: 'Returned', payoutCents: 1001 },
      { at: at('2026-10-21T23:59:59.999Z') },
      { at: at('2026-10-22T00:00:00.000Z'), status: 'Failed' },
      { at: at('2026-11-19T23:59:59.999Z'), status: 'Pending', payoutCents: 250 },
      { at: at('2026-11-20T00:00:00.000Z') },
      {
        at: at('2026-11-20T12:00:00.000Z'),
        eventType: 'Calendar Assigned',
        payoutCents: 12_000,
        appointmentAt: at('2026-11-23T17:30:00.000Z'),
      },
    ]);
    await plantDeliveries(market.database, 'harbor', [{ at: at('2026-11-20T12:00:00.000Z') }]);
    const deliveries = async (days: number): Promise<number> => (await stats(`?days=${days}`)).json.totals.deliveries;
    for (const [days, expected] of [
      [1, 2],
      [2, 3],
      [29, 3],
      [30, 4],
      [31, 5],
      [364, 5],
      [365, 6],
    ] as const) {
      expect([days, await deliveries(days)]).toEqual([days, expected]);
    }
    const { json } = await stats('?days=365');
    expect(json.totals).toEqual({ deliveries: 6, confirmed: 3, pending: 1, failed: 1, returned: 1 });
    expect(json.revenue).toEqual({ confirmed: 210, pending: 2.5, returned: 10.01 });
    expect(json.byEventType).toEqual({ 'Lead Sale': 5, 'Calendar Assigned': 1 });
    expect(json.byDay).toHaveLength(365);
    expect([json.byDay[0], json.byDay.at(-1)]).toEqual([
      { date: '2025-11-21', deliveries: 1, confirmed: 0, pending: 0, failed: 0, returned: 1, revenue: 0 },
      { date: '2026-11-20', deliveries: 2, confirmed: 2, pending: 0, failed: 0, returned: 0, revenue: 165 },
    ]);
    expect((await stats()).json).toMatchObject({ days: 30, from: '2026-10-22', to: '2026-11-20' });
  });

  it('are readable for a paused partner, whose offers are paused then, and not for a suspended one', async () => {
    const resting = await stats('', await market.buyerToken('resting'));
    expect([resting.status, resting.json.partnerKey, resting.json.offers[0].status]).toEqual([
      200,
      'resting',
      'paused',
    ]);
    const frozen = await stats('', await market.buyerToken('frozen'));
    expect(problemFacts(frozen)).toEqual(problem(403, 'partner_suspended'));
  });

  it.each(['1', '30', '365'])('accept days=%s and return it', async (days) => {
    const { status, json } = await stats(`?days=${days}`);
    expect([status, json.days, json.byDay.length]).toEqual([200, Number(days), Number(days)]);
  });

  it.each([
    ['0', 'out_of_range'],
    ['366', 'out_of_range'],
    ['-1', 'out_of_range'],
    ['1.5', 'wrong_type'],
    ['1e1', 'wrong_type'],
    ['030', 'wrong_type'],
    ['%2B5', 'wrong_type'],
    ['thirty', 'wrong_type'],
    ['', 'empty'],
    ['7&days=7', 'repeated'],
  ])('reject days=%s', async (days, code) => {
    const response = await stats(`?days=${days}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect(response.json.errors).toEqual([{ field: 'days', code, message: expect.any(String) }]);
  });

  it('ignore unknown parameters', async () => {
    const { status, json } = await stats('?Days=0&partner=harbor&x=1&x=2&y=');
    expect([status, json.days, json.partnerKey]).toEqual([200, 30, 'summit']);
  });
});

describe('A cap', () => {
  it('is used by its sales, reports when it is full, and is empty in the next window', async () => {
    const clock = handClock('2026-11-20T20:00:00.000Z');
    const market = await startTestMarketplace({ yaml: yaml([WEST]), clock });
    const key = await market.supplierKey('acme-media');
    const token = await market.buyerToken('summit');
    const read = async (): Promise<Json> => (await getAsBuyer(market.url, token, `${PATH}?days=1`)).json;
    const lead = (serial: number) => sampleLead(serial, { consent_timestamp: '2026-11-20T17:03:11Z' });
    for (const serial of [1, 2]) await postLead(market.url, key, lead(serial));
    const two = await eventually('both are sold', async () => {
      const json = await read();
      return json.totals.confirmed === 2 ? json : null;
    });
    expect(two.offers[0]).toMatchObject({ status: 'active', caps: { daily: { limit: 3, used: 2, remaining: 1 } } });
    expect(two.pacing[0]).toMatchObject({ window: 'daily', used: 2, expectedByNow: 2, projected: 3, state: 'on_pace' });
    await postLead(market.url, key, lead(3));
    const full = await eventually('the cap is used up', async () => {
      const json = await read();
      return json.totals.confirmed === 3 ? json : null;
    });
    expect(full.offers[0]).toMatchObject({
      status: 'capped',
      caps: { daily: { used: 3, remaining: 0 }, monthly: { used: 3 } },
    });
    expect(full.pacing.map(({ window, state }: Json) => `${window} ${state}`)).toEqual([
      'daily capped',
      'monthly behind',
    ]);
    clock.set('2026-11-21T08:00:00.000Z');
    const next = await read();
    expect(next.offers[0]).toMatchObject({
      status: 'active',
      caps: { daily: { used: 0, remaining: 3 }, monthly: { used: 3 } },
    });
    expect(next.pacing[0].resetsAt).toBe('2026-11-22T08:00:00.000Z');
    // The UTC day had begun long before.
    expect(next.totals.deliveries).toBe(0);
    await market.close();
  });
});

describe('While leads are sold', () => {
  it('the statistics agree with each other at every instant, and with the list in the same snapshot', async () => {
    const offer =
      '{ key: summit-west, name: West, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] }, caps: { monthly: 100000 } }';
    // The clock stands still, so that no month ends meanwhile.
    const clock = handClock('2026-11-20T20:00:00.000Z');
    const market = await startTestMarketplace({ yaml: yaml([offer]), clock });
    const key = await market.supplierKey('acme-media');
    const token = await market.buyerToken('summit');
    const buyer = (await readBuyers(market.database)).get('summit');
    if (buyer === undefined) throw new Error('there is no summit');
    const calendar = { spanOf: cachedSpans(), daysOf: cachedWindowDays(localDay) };
    const everything = { page: 1, pageSize: 1, status: null, from: null, until: null };

    let isDone = false;
    const faults: unknown[] = [];
    let looks = 0;
    const check = (what: string, { totals, revenue, byDay, byEventType, offers }: Json): void => {
      looks += 1;
      const sum = (name: string): number => byDay.reduce((total: number, day: Json) => total + day[name], 0);
      const agrees =
        totals.deliveries === totals.confirmed + totals.pending + totals.failed + totals.returned &&
        totals.deliveries === sum('deliveries') &&
        totals.deliveries === byEventType['Lead Sale'] + byEventType['Calendar Assigned'] &&
        revenue.confirmed === 45 * totals.confirmed &&
        revenue.confirmed === sum('revenue') &&
        // All deliveries are of this month, and none failed.
        totals.deliveries === offers[0].caps.monthly.used;
      if (!agrees) faults.push({ what, totals, revenue, byEventType, caps: offers[0].caps });
    };
    const watchHttp = async (): Promise<void> => {
      while (!isDone) check('http', (await getAsBuyer(market.url, token, PATH)).json);
    };
    const watchSnapshots = async (): Promise<void> => {
      while (!isDone) {
        const [stats, list] = await market.database.tx(
          async (tx) => [
            await buyerStats(tx, { buyer, currency: 'EUR', days: 30, calendar }, clock.now()),
            await listDeliveries(tx, 'summit', everything),
          ],
          { snapshot: true },
        );
        check('snapshot', stats);
        if (list.total !== stats.totals.deliveries) faults.push({ total: list.total, totals: stats.totals });
      }
    };
    const watching = [watchHttp(), watchHttp(), watchSnapshots()];
    const bodies = Array.from({ length: 300 }, (_, serial) => sampleLead(serial, { consent_timestamp: null }));
    const send = async (): Promise<void> => {
      for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) await postLead(market.url, key, body);
    };
    await Promise.all(Array.from({ length: 8 }, send));
    await eventually('all are sold', async () => {
      const { totals } = (await getAsBuyer(market.url, token, PATH)).json;
      return totals.confirmed === 300;
    });
    isDone = true;
    await Promise.all(watching);
    await market.close();
    expect(faults).toEqual([]);
    expect(looks).toBeGreaterThan(10);
  });
});
