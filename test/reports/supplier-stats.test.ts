import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type LeadId, newUuid } from '../../src/base/ids.ts';
import { foldLeadCountsSql } from '../../src/leads/lead.sql.ts';
import { settleLeads } from '../../src/leads/settle-leads.ts';
import type { PublicStatus } from '../../src/leads/stored-lead.ts';
import { storeSubmissions } from '../../src/leads/store-submissions.ts';
import { namedPeriod } from '../../src/reports/local-days.rules.ts';
import { readSupplierOverview } from '../../src/reports/supplier-stats.ts';
import { registerSupplierStats } from '../../src/reports/supplier-stats.route.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openScopeApp, type ScopeApp } from '../support/scope-app.ts';

const now = new Date('2026-11-20T18:00:00.000Z');
const PATH = '/api/v1/supplier/stats';

let home: TestDatabase;
let app: ScopeApp;

beforeAll(async () => {
  home = await createTestDatabase();
  app = await openScopeApp({
    name: 'supplier',
    now,
    routes: (scope) => registerSupplierStats(scope, { database: home.database, clock: { now: () => now } }),
  });
});
afterAll(async () => {
  await app.close();
  await home.drop();
});

type Sent = { at: string; score: number | null; becomes?: PublicStatus; isTest?: boolean };

/** Submits leads one by one, and decides on those that become something. */
async function submit(supplierKey: string, leads: readonly Sent[]): Promise<void> {
  for (const { at, score, becomes, isTest = false } of leads) {
    const leadId: LeadId = newUuid();
    const isAccepted = score !== null;
    await home.database.tx((tx) =>
      storeSubmissions(tx, [
        {
          leadId,
          supplierKey,
          externalId: null,
          isTest,
          receivedAt: new Date(at),
          score,
          scoreFactors: isAccepted ? '{}' : null,
          contentHash: isAccepted ? '\0' : null,
          fields: isAccepted ? '{}' : null,
          consent: isAccepted ? '{}' : null,
          reason: isAccepted ? null : 'name required',
          rawBody: '{}',
          rawBodyBytes: null,
        },
      ]),
    );
    if (becomes === undefined) continue;
    const state =
      becomes === 'Pending'
        ? 'held'
        : becomes === 'Lead Sale' || becomes === 'Calendar Assigned'
          ? 'routed'
          : 'rejected';
    const settlement = { leadId, from: 'Pending', state, publicStatus: becomes, reason: null } as const;
    await home.database.tx((tx) => settleLeads(tx, [settlement], now));
  }
}

describe('GET supplier/stats', () => {
  it('counts every lead once, under its outcome', async () => {
    const at = '2026-11-20T09:00:00.000Z';
    await submit('acme-media', [
      { at, score: 80, becomes: 'Lead Sale' },
      { at, score: 71, becomes: 'Calendar Assigned' },
      { at, score: 60, becomes: 'Duplicate' },
      { at, score: 50, becomes: 'No Buyer' },
      { at, score: 40, becomes: 'Pending' },
      { at, score: 33 },
      { at, score: null },
      { at, score: 99, becomes: 'Lead Sale', isTest: true },
    ]);
    await submit('rival', [{ at, score: 1 }]);
    const { status, headers, json } = await app.get('acme-media', PATH);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(json).toEqual({
      days: 30,
      supplierKey: 'acme-media',
      totals: { submitted: 7, routed: 2, rejected: 3, pending: 2, acceptanceRate: 28.6, avgScore: 55.7 },
      byStatus: { 'Lead Sale': 1, 'Calendar Assigned': 1, Pending: 2, Duplicate: 1, 'No Buyer': 1, Invalid: 1 },
    });
  });

  it('is all zeros before the first lead', async () => {
    expect((await app.get('newcomer', `${PATH}?days=365`)).json).toEqual({
      days: 365,
      supplierKey: 'newcomer',
      totals: { submitted: 0, routed: 0, rejected: 0, pending: 0, acceptanceRate: 0, avgScore: 0 },
      byStatus: {},
    });
  });

  it.each([
    [1, 1],
    [2, 3],
    [29, 3],
    [30, 4],
    [31, 5],
    [364, 5],
    [365, 6],
  ])('over %i UTC days, today included, counts %i of the leads of these days', async (days, submitted) => {
    const supplierKey = `days-${days}`;
    await submit(supplierKey, [
      { at: '2026-11-20T00:00:00.000Z', score: 1 },
      { at: '2026-11-19T23:59:59.999Z', score: 1 },
      { at: '2026-11-19T00:00:00.000Z', score: 1 },
      { at: '2026-10-22T00:00:00.000Z', score: 1 },
      { at: '2026-10-21T23:59:59.999Z', score: 1 },
      { at: '2025-11-21T00:00:00.000Z', score: 1 },
      { at: '2025-11-20T23:59:59.999Z', score: 1 },
    ]);
    const { json } = await app.get(supplierKey, `${PATH}?days=${days}`);
    expect([json.days, json.totals.submitted]).toEqual([days, submitted]);
  });

  it('returns the same before and after its counts were folded', async () => {
    const kinds = ['Lead Sale', 'Duplicate', 'No Buyer', 'Pending'] as const;
    await submit(
      'folded',
      Array.from({ length: 30 }, (_, index) => ({
        at: `2026-11-${15 + (index % 2)}T12:00:00.000Z`,
        score: index,
        becomes: kinds[index % 4] ?? 'Pending',
      })),
    );
    const before = await app.get('folded', PATH);
    const rows = await rowsOf('folded');
    await home.database.tx((tx) => tx.query(foldLeadCountsSql, { daysPerCall: 1000, day: '2000-01-01' }));
    expect(await rowsOf('folded')).toBeLessThan(rows);
    expect((await app.get('folded', PATH)).text).toBe(before.text);
    expect(before.json.totals.submitted).toBe(30);
  });

  async function rowsOf(supplierKey: string): Promise<number> {
    const text = 'SELECT count(*)::int AS n FROM lead_count WHERE supplier_key = $1';
    return (await home.database.pool.query(text, [supplierKey])).rows[0].n;
  }

  it.each(['days=0', 'days=366', 'days=-1', 'days=30.0', 'days=', 'days=1&days=2', 'days=all'])(
    'rejects %s',
    async (query) => {
      const { status, json } = await app.get('acme-media', `${PATH}?${query}`);
      expect([status, json.code, json.errors[0].field]).toEqual([400, 'invalid_query', 'days']);
    },
  );

  it('responds 401 without a key', async () => {
    expect((await app.get(null, PATH)).json).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('is in the OpenAPI document', async () => {
    const document = await app.openapi();
    expect(document['paths'][PATH].get.operationId).toBe('getSupplierStats');
    expect(document['components'].schemas.SupplierStats.examples[0].totals.submitted).toBe(1250);
  });
});

describe('the overview of a supplier in its own time zone', () => {
  // Around the beginnings of days in Los Angeles (08:00 UTC), Kolkata (18:30 UTC the day before) and UTC.
  const hours = ['00:10', '07:50', '08:10', '18:20', '18:40', '23:50'];
  const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
  const outcomes = ['Lead Sale', 'No Buyer', 'Duplicate', 'Pending', 'Suppressed', null] as const;
  const sent: Sent[] = days.flatMap((day, dayIndex) =>
    hours.flatMap((hour, hourIndex): Sent[] => {
      const becomes = outcomes[(dayIndex + hourIndex) % outcomes.length] ?? null;
      const at = `${day}T${hour}:00.000Z`;
      return new Date(at) > now
        ? []
        : [becomes === null ? { at, score: null } : { at, score: 15 * hourIndex, becomes }];
    }),
  );
  beforeAll(() => submit('zoned', [...sent, { at: '2026-11-19T08:05:00.000Z', score: 50, isTest: true }]));

  it.each(['UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'])(
    'counts every lead on its day, and all parts agree: %s',
    async (timeZone) => {
      const period = namedPeriod('yesterday', { now, timeZone });
      const week = namedPeriod('7d', { now, timeZone });
      for (const { unit, periods } of [period, week]) {
        const overview = await home.database.tx((tx) => readSupplierOverview(tx, 'zoned', { unit, periods }));
        const within = (from: number, until: number): Sent[] =>
          sent.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < until);
        expect(overview.byDay.map(({ date, submitted, routed }) => [date, submitted, routed])).toEqual(
          periods.map(({ date, from, until }) => {
            const leads = within(from, until);
            return [date, leads.length, leads.filter(({ becomes }) => becomes === 'Lead Sale').length];
          }),
        );
        const all = within(periods[0]?.from ?? 0, periods.at(-1)?.until ?? 0);
        const refused = all.filter(({ score }) => score === null).length;
        expect(overview.totals).toMatchObject({ submitted: all.length, accepted: all.length - refused });
        expect(overview.scores.map(({ leads }) => leads)).toEqual(
          Array.from(
            { length: 10 },
            (_, ten) => all.filter(({ score }) => score !== null && Math.min(9, Math.trunc(score / 10)) === ten).length,
          ),
        );
        const { atIngest, afterwards } = overview.rejections;
        expect(atIngest.reduce((sum, { leads }) => sum + leads, 0)).toBe(refused);
        expect(Object.fromEntries(afterwards.map(({ status, leads }) => [status, leads]))).toEqual(
          Object.fromEntries(
            (['Duplicate', 'No Buyer', 'Suppressed'] as const)
              .map((status) => [status, all.filter(({ becomes }) => becomes === status).length] as const)
              .filter(([, leads]) => leads > 0),
          ),
        );
      }
    },
  );
});
