// All figures of one page agree while leads flow: tiles, charts, tables, lists and files, each in the time zone that the page names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

// Its day begins at 08:00 UTC in Los Angeles, at 05:00 UTC in New York, and at 18:30 UTC in Kolkata.
const yaml = `
marketplace: { timeZone: America/New_York }
suppliers:
  - { key: acme, name: Acme, status: approved, timeZone: Asia/Kolkata, pay: { model: fixed, amount: 10 } }
  - { key: brightform, name: Brightform, status: approved }
partners:
  - { key: summit, name: Summit, timeZone: America/Los_Angeles, channels: [],
      offers: [{ key: west, eventType: Lead Sale, payout: 45.00, filters: { states: [CA, NV] } }] }
`;
/** Leads are posted at each, so that some are of today in one zone and of yesterday in another. */
const TIMES = ['2026-11-19T04:50:00Z', '2026-11-19T07:30:00Z', '2026-11-19T18:40:00Z', '2026-11-20T02:00:00Z'];
const NOW = '2026-11-20T07:30:00Z';
const DAYS = { newYork: '2026-11-20', losAngeles: '2026-11-19', kolkata: '2026-11-20' };

const clock = handClock(TIMES[0] ?? NOW);
let market: TestMarketplace;
let acme: Supplier;
let brightform: Supplier;
let pages: Readonly<Record<'operator' | 'summit' | 'acme', SignedIn>>;
let posted = 0;

/** Sold, without a buyer, rejected, and sold again to nobody. */
const someLeads = (): object[] =>
  [{}, { state: 'NV' }, { state: 'TX' }, { email: undefined, phone: undefined }].map((more) =>
    leadBody((posted += 1), more),
  );

const get = async (who: keyof typeof pages, path: string): Promise<Json> => {
  const { status, json } = await pages[who].get(path);
  expect([path, status]).toEqual([path, 200]);
  return json;
};
const sum = (rows: readonly Json[], name: string): number =>
  rows.reduce((total: number, row) => total + (row[name] as number), 0);

const allDecided = () =>
  eventually('every lead is decided', async () => {
    const { rows } = await market.database.pool.query(
      `SELECT count(*)::int AS waiting FROM lead WHERE state IN ('received', 'held')`,
    );
    return rows[0]?.waiting === 0 ? true : null;
  });

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, clock, overviewMaxAgeMs: 0 });
  acme = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 2 });
  brightform = connectSupplier(market.url, { key: await market.supplierKey('brightform'), connections: 2 });
  for (const time of TIMES) {
    clock.set(time);
    await acme.postAll(someLeads());
    await brightform.postAll(someLeads());
    await allDecided();
  }
  clock.set(NOW);
  pages = {
    operator: await market.signedIn.operator(),
    summit: await market.signedIn.buyer('summit'),
    acme: await market.signedIn.supplier('acme'),
  };
});
afterAll(async () => {
  await acme.close();
  await brightform.close();
  await market.close();
});

/** What one page says about the deliveries or leads of one day, in the order in which the page's parts are read. */
type Counted = readonly number[];

async function partnersToday(): Promise<Counted> {
  const today = `from=${DAYS.losAngeles}&to=${DAYS.losAngeles}`;
  const { today: tile, days } = await get('summit', '/portal/api/buyer/overview');
  const stats = await get('summit', '/portal/api/buyer/stats?period=today');
  const month = await get('summit', '/portal/api/buyer/stats?period=30d');
  const list = await get('summit', `/portal/api/buyer/deliveries?${today}`);
  const report = await get('summit', '/portal/api/buyer/reports?measures=deliveries&span=today');
  // Within one answer all parts are of one instant.
  expect(tile.deliveries).toBe(tile.confirmed + tile.pending + tile.failed + tile.returned);
  expect(days.at(-1)).toEqual({ date: DAYS.losAngeles, deliveries: tile.deliveries, revenue: tile.revenue });
  expect(sum(stats.byDay, 'deliveries')).toBe(stats.totals.deliveries);
  expect(
    sum(
      Object.values(stats.byEventType).map((deliveries) => ({ deliveries })),
      'deliveries',
    ),
  ).toBe(stats.totals.deliveries);
  expect(sum(month.byDay, 'deliveries')).toBe(month.totals.deliveries);
  expect([stats.timeZone, stats.from, stats.to]).toEqual(['America/Los_Angeles', DAYS.losAngeles, DAYS.losAngeles]);
  expect(report).toMatchObject({ timeZone: 'America/Los_Angeles', from: DAYS.losAngeles });
  return [tile.deliveries, stats.totals.deliveries, month.byDay.at(-1).deliveries, list.total];
}

async function suppliersToday(): Promise<Counted> {
  const today = await get('acme', '/portal/api/supplier/overview?period=today');
  const month = await get('acme', '/portal/api/supplier/overview?period=30d');
  const report = await get('acme', '/portal/api/supplier/reports?measures=submitted,refused&span=today');
  for (const overview of [today, month]) {
    const { totals, byDay, byStatus, scores, rejections } = overview;
    expect(totals.submitted).toBe(totals.routed + totals.rejected + totals.pending);
    expect(sum(byDay, 'submitted')).toBe(totals.submitted);
    expect(sum(byStatus, 'leads')).toBe(totals.submitted);
    expect(sum(scores, 'leads')).toBe(totals.accepted);
    expect(sum(rejections.afterwards, 'leads') + totals.submitted - totals.accepted).toBe(totals.rejected);
  }
  expect([today.from, today.to, report.from, report.timeZone]).toEqual([
    ...[DAYS.kolkata, DAYS.kolkata, DAYS.kolkata, 'Asia/Kolkata'],
  ]);
  return [today.totals.submitted, month.byDay.at(-1).submitted, report.totals.submitted];
}

async function operatorsToday(): Promise<Counted> {
  const reports = '/console/api/reports?measures=submitted,sold,deliveries,revenue&span=today';
  const totals = await get('operator', reports);
  const bySupplier = await get('operator', `${reports}&by=supplier`);
  const { today } = await get('operator', '/console/api/health');
  expect(today.submitted).toBe(today.refused + today.sold + today.unsold + today.pending);
  const rows = (bySupplier.rows as Json[]).map(({ values }) => values);
  for (const name of ['submitted', 'sold', 'deliveries', 'revenue'])
    expect([name, sum(rows, name)]).toEqual([name, bySupplier.totals[name]]);
  expect([totals.timeZone, totals.from, today.day]).toEqual(['America/New_York', DAYS.newYork, DAYS.newYork]);
  return [totals.totals.submitted, bySupplier.totals.submitted, today.submitted];
}

describe('the overview of a supplier with a pay agreement', () => {
  it('asks for the earnings of this month', async () => {
    const { monthDays } = await get('acme', '/portal/api/supplier/overview?period=yesterday');
    expect(monthDays).toBe(20);
    const earnings = await get('acme', `/portal/api/v1/supplier/earnings?days=${monthDays}`);
    expect(earnings).toMatchObject({ from: '2026-11-01', to: DAYS.kolkata, currency: 'USD' });
    const { totals } = await get('acme', '/portal/api/supplier/reports?measures=sold,cost&span=this-month');
    expect(earnings.totals).toMatchObject({ leads: totals.sold, earned: totals.cost, clawedBack: 0 });
    expect(earnings.totals.earned).toBeGreaterThan(0);
    const unpaid = await market.signedIn.supplier('brightform');
    expect((await unpaid.get('/portal/api/supplier/overview')).json.monthDays).toBeNull();
  });
});

describe('the page of a submission', () => {
  it('shows what the lead earned, which is nothing of unsold leads, and not what leads of others earned', async () => {
    const list = async (state: string): Promise<Json[]> =>
      (await get('acme', `/portal/api/supplier/submissions?state=${state}&limit=100`)).data;
    const earnedWith = (leadId: string) => get('acme', `/portal/api/supplier/submissions/${leadId}/earnings`);
    const sold = await list('routed');
    const earnings = await Promise.all(sold.map(({ leadId }) => earnedWith(leadId)));
    expect(earnings[0]).toEqual({
      ...{ currency: 'USD', total: 10 },
      lines: [{ at: expect.stringMatching(/^2026-11-20T/), kind: 'earned', amount: 10 }],
    });
    const { totals } = await get('acme', '/portal/api/v1/supplier/earnings?days=30');
    expect(sum(earnings, 'total')).toBe(totals.earned);
    const nothing = { currency: 'USD', total: 0, lines: [] };
    const [unsold] = await list('no_buyer');
    expect(await earnedWith(unsold?.['leadId'])).toEqual(nothing);
    const other = await market.signedIn.supplier('brightform');
    const { status } = await other.get(`/portal/api/supplier/submissions/${sold[0]?.['leadId']}/earnings`);
    expect(status).toBe(404);
  });
});

describe.each([
  ['a partner', partnersToday, 4],
  ['a supplier', suppliersToday, 3],
  ['an operator', operatorsToday, 3],
] as const)('The pages of %s', (_, read, parts) => {
  it('agree while leads flow, and exactly once they rest', async () => {
    let isFlowing = true;
    const flow = (async () => {
      for (let round = 0; round < 20; round += 1) {
        await acme.postAll(someLeads());
        await brightform.postAll(someLeads());
      }
      isFlowing = false;
    })();
    let before: Counted = Array.from({ length: parts }, () => 0);
    do {
      const counted = await read();
      // Counts of today only grow, so parts that are read one after the other are in this order if they are right.
      expect(counted).toEqual(counted.toSorted((one, other) => one - other));
      expect(counted[0]).toBeGreaterThanOrEqual(before.at(-1) ?? 0);
      before = counted;
    } while (isFlowing);
    await flow;
    await allDecided();
    const counted = await read();
    expect(new Set(counted).size).toBe(1);
    expect(counted[0]).toBeGreaterThan(0);
  });
});
