// Tests a worker whose decision uses what another worker sold meanwhile: it notices this under the lock, and decides again (contract 4.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createMarketReader } from '../../src/routing/market-reader.ts';
import { routeLeads, type RouteReport } from '../../src/routing/route-leads.ts';
import { StaleSnapshotError } from '../../src/routing/reserve-capacity.ts';
import { leadsByStatus, select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openPast, type Past } from '../simulation/past.ts';

// Midnight in the buyer's zone: at no sales so far, one is allowed.
const MIDNIGHT = '2026-11-20T00:00:00.000Z';

let home: TestDatabase;
let past: Past;

beforeAll(async () => {
  home = await createTestDatabase();
  past = openPast(home.database, MIDNIGHT);
});
afterAll(() => home.drop());

describe.each([
  ['an even pace', 'CA', 'caps: { daily: 1000 }, pacing: even', '10'],
  ['a cap', 'NV', 'caps: { weekly: 1 }', '20'],
  ['a budget', 'OR', 'budget: { monthly: 30 }', '30'],
])('Two workers that sell concurrently under %s', (_limit, state, limit, payout) => {
  it('sell one lead in total, not one each', async () => {
    const offer = `{ key: only-${payout}, eventType: Lead Sale, payout: ${payout}, filters: { states: [${state}] }, ${limit} }`;
    await past.apply(
      `marketplace: { holdMinutes: 0 }\npartners: [{ key: buyer-${payout}, timeZone: UTC, offers: [${offer}] }]`,
    );
    const serial = Number(payout);
    await past.submit({ serial, state }, { serial: serial + 1, state });
    const before = (await leadsByStatus(home.database))['Lead Sale'] ?? 0;
    const market = createMarketReader();
    const route = (lockFirst: boolean): Promise<RouteReport> =>
      home.database.tx((tx) => routeLeads(tx, { market, limit: 1, lockFirst }, past.clock.now()));

    const second = await home.database.tx(async (tx) => {
      await routeLeads(tx, { market, limit: 1, lockFirst: false }, past.clock.now());
      const ended = route(false).then(
        () => null,
        (error: unknown) => error,
      );
      await eventually('the second worker waits for the first', async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await select(home.database, waiting)).length > 0;
      });
      return { ended };
    });
    expect(await second.ended).toBeInstanceOf(StaleSnapshotError);
    expect((await route(true)).deliveries).toBe(0);
    const after = await leadsByStatus(home.database);
    expect((after['Lead Sale'] ?? 0) - before).toBe(1);
  });
});
