// The limits of requests hold over all API processes, within a tenth (contract 1.12; decision 054).
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { createCharger } from '../../src/platform/http/charge-buckets.ts';
import type { Charge } from '../../src/platform/http/shared-bucket.rules.ts';
import type { Rate } from '../../src/platform/http/token-bucket.rules.ts';
import { createLog } from '../../src/platform/log.ts';
import { createProcessCounts } from '../../src/platform/processes/process-counts.ts';
import { startProcessReport } from '../../src/platform/processes/report-process.ts';
import { marketYaml } from '../contract/market.ts';
import { getAsSupplier } from '../support/api-client.ts';
import { chance } from '../support/chance.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import {
  type Admission,
  admittedByOne,
  type Arrival,
  type Exchange,
  memoryExchange,
  mostOver,
  runProcesses,
} from '../support/shared-limits.ts';

const PROCESSES = 4;
const SUPPLIER = { perSecond: 100, burst: 200 };
const STATS = '/api/v1/supplier/stats';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

type Stretch = { readonly ms: number; readonly perSecond: number; readonly processOf: (atMs: number) => number };

/** Streams of as many requests as in the mean, at times of their own, one after the other. */
function stream(stretches: readonly Stretch[]): Arrival[] {
  const { below } = chance(17);
  let fromMs = 0;
  return stretches.flatMap(({ ms, perSecond, processOf }) => {
    const started = fromMs;
    fromMs += ms;
    return Array.from({ length: Math.floor((ms * perSecond) / 1000) }, (_, index) => {
      const atMs = started + ((index + below(1000) / 1000) * 1000) / perSecond;
      return { atMs, process: processOf(atMs) };
    });
  });
}

const admitted = (found: readonly Admission[]): Admission[] => found.filter((one) => one.retryAfterSeconds === 0);
const timesOf = (found: readonly Admission[]): number[] => admitted(found).map(({ atMs }) => atMs);

/** Neither more than a tenth over the limit in any three seconds nor a tenth less than one process would admit. */
function expectWithinTenth(rate: Rate, arrivals: readonly Arrival[], found: readonly Admission[]): void {
  expect(found).toHaveLength(arrivals.length);
  // Of the smallest limits a tenth is less than one request of each process.
  expect(mostOver(rate, timesOf(found), { leastMs: 3000, factor: 1.1 })).toBeLessThanOrEqual(PROCESSES);
  expect(timesOf(found).length).toBeGreaterThanOrEqual(0.9 * admittedByOne(rate, arrivals) - PROCESSES);
}

const evenly = (atMs: number): number => Math.floor(atMs * 1000) % PROCESSES;

/** Buckets in a database, charged by a program of its own for each process. */
function databaseExchange(aheadMs: readonly number[] = []): Exchange {
  const chargers = Array.from({ length: PROCESSES }, (_, process) =>
    createCharger({ database: home.database, clockAheadMs: () => aheadMs[process] ?? null }),
  );
  return (charges, nowMs, process) => (chargers[process] as (typeof chargers)[number])(charges, nowMs);
}

describe('The limit of a key over four processes and one database', () => {
  it.each([
    { name: 'evenly to all', processOf: evenly },
    { name: 'all to one', processOf: () => 0 },
    { name: 'to one after the other', processOf: (atMs: number) => Math.floor(atMs / 1700) % PROCESSES },
  ])('is what is admitted when three times as many come, $name', async ({ processOf }) => {
    expect.hasAssertions();
    await home.database.pool.query('TRUNCATE rate_bucket');
    const arrivals = stream([{ ms: 8000, perSecond: 300, processOf }]);
    const found = await runProcesses({
      ...{ rate: SUPPLIER, processes: PROCESSES, arrivals },
      exchange: databaseExchange(),
    });
    expectWithinTenth(SUPPLIER, arrivals, found);
  });

  it('holds, with a share for each process, where clocks differ by seconds', async () => {
    await home.database.pool.query('TRUNCATE rate_bucket');
    const aheadMs = [0, 4000, -3000, 500];
    const arrivals = stream([{ ms: 8000, perSecond: 300, processOf: evenly }]);
    const exchange = databaseExchange(aheadMs);
    const found = await runProcesses({ ...{ rate: SUPPLIER, processes: PROCESSES, arrivals, aheadMs }, exchange });
    expectWithinTenth(SUPPLIER, arrivals, found);
    const shares = Map.groupBy(admitted(found), ({ process }) => process);
    for (let process = 0; process < PROCESSES; process += 1) expect(shares.get(process)?.length).toBeGreaterThan(100);
  });

  it('is granted once however many ask for a new bucket at the same time', async () => {
    const charge: Charge = {
      ...{ bucket: 'asked by many', perTokenMs: 10, capacityMs: 2000, debtMs: 2040 },
      ...{ admitted: 0, wanted: 60 },
    };
    const exchange = databaseExchange();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => exchange([charge], 1_800_000_000_000, index % PROCESSES)),
    );
    const granted = answers.map(([charged]) => charged?.granted ?? Number.NaN).toSorted((one, other) => one - other);
    expect(granted).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 20, 60, 60, 60]);
  });

  it('is charged by the statement as by the rules that the next tests run on', async () => {
    const { below } = chance(11);
    const [inMemory, inDatabase] = [memoryExchange(), databaseExchange()];
    let nowMs = 1_800_000_000_000;
    for (let step = 0; step < 150; step += 1) {
      nowMs += below(700) - 100;
      const charges = ['a', 'b', 'c'].slice(0, 1 + below(3)).map((bucket): Charge => {
        const rate = [SUPPLIER, { perSecond: 0.15, burst: 1 }, { perSecond: 7, burst: 10 }][below(3)] as Rate;
        const perTokenMs = 1000 / rate.perSecond;
        const debtMs = perTokenMs * (rate.burst + PROCESSES);
        return {
          bucket,
          perTokenMs,
          capacityMs: perTokenMs * rate.burst,
          debtMs,
          admitted: below(30),
          wanted: below(40),
        };
      });
      const byName = async (exchange: Exchange): Promise<Array<[string, number, number]>> =>
        (await exchange(charges, nowMs, 0))
          .map(({ bucket, fullAtMs, granted }): [string, number, number] => [bucket, Math.round(fullAtMs), granted])
          .toSorted(([one], [other]) => one.localeCompare(other));
      expect(await byName(inDatabase)).toEqual(await byName(inMemory));
    }
  });

  it('is forgotten when it has long been full', async () => {
    const exchange = databaseExchange();
    const charge = { ...{ bucket: 'old', perTokenMs: 10, capacityMs: 2000, debtMs: 0 }, admitted: 1, wanted: 0 };
    await exchange([charge], 1_800_000_000_000, 0);
    await exchange([{ ...charge, bucket: 'new' }], 1_800_000_000_000 + 7_200_000, 0);
    const { rows } = await home.database.pool.query(`SELECT bucket FROM rate_bucket WHERE bucket IN ('old', 'new')`);
    expect(rows).toEqual([{ bucket: 'new' }]);
  });
});

describe('Limits over several processes', () => {
  it('hold within a tenth under any load, and delay requests by milliseconds', async () => {
    const rates = [
      SUPPLIER,
      { perSecond: 10, burst: 20 },
      { perSecond: 100, burst: 100 },
      { perSecond: 2, burst: 5 },
    ] as const;
    const stretch = fc.record({
      ms: fc.integer({ min: 50, max: 3000 }),
      times: fc.constantFrom(0, 0.5, 0.9, 2, 10),
      spread: fc.constantFrom('one', 'two', 'all'),
      first: fc.integer({ min: 0, max: PROCESSES - 1 }),
    });
    const scenarios = fc.tuple(fc.constantFrom(...rates), fc.array(stretch, { minLength: 1, maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(scenarios, async ([rate, stretches]) => {
        const width = { one: 1, two: 2, all: PROCESSES };
        const arrivals = stream(
          stretches.map(({ ms, times, spread, first }) => ({
            ...{ ms, perSecond: times * rate.perSecond },
            processOf: (atMs) => (first + (evenly(atMs) % width[spread])) % PROCESSES,
          })),
        );
        const found = await runProcesses({ ...{ rate, processes: PROCESSES, arrivals }, exchange: memoryExchange() });
        expectWithinTenth(rate, arrivals, found);
        expect(Math.max(0, ...found.map(({ waitedMs }) => waitedMs))).toBeLessThan(150);
      }),
      { numRuns: 20, seed: 3 },
    );
  });

  it.each([{ processOf: evenly }, { processOf: () => 0 }])(
    'delay no request of a client that stays below them',
    async ({ processOf }) => {
      const arrivals = stream([{ ms: 20_000, perSecond: 90, processOf }]);
      const found = await runProcesses({
        ...{ rate: SUPPLIER, processes: PROCESSES, arrivals },
        exchange: memoryExchange(),
      });
      expect(admitted(found)).toHaveLength(arrivals.length);
      expect(found.filter(({ waitedMs }) => waitedMs > 0.1)).toEqual([]);
    },
  );

  it.each([{ perSecond: 900 }, { perSecond: 3000 }])('charge many requests at a time', async ({ perSecond }) => {
    let charged = 0;
    const exchange = memoryExchange();
    const arrivals = stream([{ ms: 10_000, perSecond, processOf: evenly }]);
    await runProcesses({
      ...{ rate: { perSecond: 1000, burst: 2000 }, processes: PROCESSES, arrivals },
      exchange(...charges) {
        charged += 1;
        return exchange(...charges);
      },
    });
    expect(charged).toBeLessThan(arrivals.length / 40);
  });

  it('give each process its share while the database is away, and take no revenge when it is back', async () => {
    const exchange = memoryExchange();
    const start = Date.UTC(2026, 10, 20, 12);
    const arrivals = stream([{ ms: 20_000, perSecond: 300, processOf: evenly }]);
    const found = await runProcesses({
      ...{ rate: SUPPLIER, processes: PROCESSES, arrivals },
      exchange: async (charges, nowMs, process) => {
        if (nowMs < start + 12_000) throw new Error('away');
        return exchange(charges, nowMs, process);
      },
    });
    expectWithinTenth(SUPPLIER, arrivals, found);
    const back = timesOf(found).filter((atMs) => atMs >= 13_000 && atMs < 18_000);
    expect(back.length).toBeGreaterThan(450);
    // Those that waited when it went away, and then nobody.
    expect(Math.max(...found.map(({ waitedMs }) => waitedMs))).toBeLessThan(300);
    expect(found.filter(({ atMs, waitedMs }) => waitedMs > 0.1 && atMs > 1000 && atMs < 12_000)).toEqual([]);
  });
});

describe('A process', () => {
  it('counts the others that serve requests and are alive by the database’s clock', async () => {
    const now = new Date();
    const report = (role: string, seenMsAgo: number, aheadMs: number | null): Promise<unknown> =>
      home.database.pool.query(
        `INSERT INTO process_report (process_id, role, started_at, seen_at, clock_ahead_ms) VALUES ($1, $2, $3, $3, $4)`,
        [newUuid(), role, new Date(now.getTime() - seenMsAgo), aheadMs],
      );
    await report('api', 1000, null);
    await report('all', 20_000, null);
    await report('worker', 1000, null);
    await report('api', 60_000, null);
    await report('api', 60_000, -55_000);
    await report('api', -20_000, 60_000);
    const clock = { now: () => now };
    const started = await startProcessReport({
      ...{ database: home.database, clock, role: 'api', counts: createProcessCounts(clock) },
      ...{ log: createLog('silent'), onFault: (error) => expect(error).toBeNull() },
    });
    expect(started.serving()).toBe(4);
    await started.stop();
    await home.database.pool.query('TRUNCATE process_report');
  });
});

describe('Two API processes of a marketplace', () => {
  const clock = handClock('2026-11-20T18:00:00.000Z');
  const yaml = marketYaml({ acmeRate: '{ perSecond: 10, burst: 100 }' });
  const markets: TestMarketplace[] = [];

  beforeAll(async () => {
    await home.database.pool.query(
      `INSERT INTO process_report (process_id, role, started_at, seen_at) VALUES (gen_random_uuid(), 'api', $1, $1)`,
      [clock.now()],
    );
    for (let count = 0; count < 2; count += 1) {
      markets.push(await startTestMarketplace({ yaml, role: 'api', clock, on: home }));
    }
  });
  afterAll(async () => {
    for (const market of markets) await market.close();
  });

  const [statusOf, waitOf] = [
    ({ status }: { status: number }) => status,
    ({ headers }: { headers: Headers }) => headers.get('retry-after'),
  ];

  it('admit the burst of a key once', async () => {
    const key = await (markets[0] as TestMarketplace).supplierKey('acme-media');
    const ask = (index: number) => getAsSupplier((markets[index % 2] as TestMarketplace).url, key, STATS);
    const responses = await Promise.all(Array.from({ length: 240 }, (_, index) => ask(index)));
    const count = responses.map(statusOf).filter((status) => status === 200).length;
    expect(count).toBeGreaterThanOrEqual(100);
    // At one instant, before the processes hear of each other; what is above the burst is owed.
    expect(count).toBeLessThanOrEqual(125);
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(240 - count);
    expect(new Set(rejected.map(waitOf))).not.toContain(null);
    expect(new Set(rejected.map(({ headers }) => headers.get('ratelimit-remaining')))).toEqual(new Set(['0']));
  });

  it('know within a moment what the other one has admitted', async () => {
    const [first, second] = markets as [TestMarketplace, TestMarketplace];
    const key = await first.supplierKey('acme-media');
    for (let count = 0; count < 60; count += 1) expect((await getAsSupplier(first.url, key, STATS)).status).toBe(200);
    let asked = 0;
    await eventually('the second process knows of the sixty', async () => {
      asked += 1;
      const { headers } = await getAsSupplier(second.url, key, STATS);
      return Number(headers.get('ratelimit-remaining')) <= Math.max(0, 40 - asked);
    });
  });
});

describe('A process without others', () => {
  it('writes nothing to limit requests', async () => {
    const market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    const key = await market.supplierKey('acme-media');
    for (let count = 0; count < 20; count += 1) await getAsSupplier(market.url, key, STATS);
    const { rows } = await market.database.pool.query(`SELECT bucket FROM rate_bucket`);
    await market.close();
    expect(rows).toEqual([]);
  });
});
