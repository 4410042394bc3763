// Measures how well the rate limit of a key holds over several API processes, and what limiting over processes costs.
import { setTimeout as sleep } from 'node:timers/promises';

import { Pool } from 'undici';

import { leadBody, newRun } from '../support/lead-body.ts';
import { applyLoad, type LoadResult } from '../support/load.ts';
import { marketYaml } from '../support/market.ts';
import { median, percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { postgresPids, processorMs } from '../support/proc.ts';
import { untilQuiet } from '../support/quiet.ts';
import type { Section } from '../support/report.ts';
import {
  asExternal,
  type Engine,
  holdEngine,
  issueKey,
  makeWorkspace,
  removeWorkspace,
  type Service,
  startService,
  type Workspace,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const PROCESSES = sized(4, 2);
const RATE = { perSecond: 100, burst: 200 } as const;
const SECONDS = sized(20, 2);
/** The shorter span in which the limit is checked as well. */
const SPAN_SECONDS = sized(5, 1);
const COST = { connections: sized(64, 4), seconds: sized(10, 1) } as const;
/** Processes report every two seconds when they are in use, and thereby hear of each other. */
const HEARD_MS = sized(5000, 2500);
/** Statistics of tables are a second behind. */
const STATISTICS_MS = 1500;

type Spread = { readonly name: string; readonly perSecond: number; processOf(turn: number, atMs: number): number };
const SPREADS: readonly Spread[] = [
  { name: 'three times the limit, evenly', perSecond: 300, processOf: (turn) => turn % PROCESSES },
  { name: 'three times the limit, all to one', perSecond: 300, processOf: () => 0 },
  {
    name: 'three times the limit, to another one every 2 s',
    perSecond: 300,
    processOf: (_, atMs) => Math.floor(atMs / 2000) % PROCESSES,
  },
  {
    name: 'three times the limit, to another one every 0.3 s',
    perSecond: 300,
    processOf: (_, atMs) => Math.floor(atMs / 300) % PROCESSES,
  },
  { name: '0.9 of the limit, evenly', perSecond: 90, processOf: (turn) => turn % PROCESSES },
  { name: '0.9 of the limit, all to one', perSecond: 90, processOf: () => 0 },
];

type Run = {
  readonly name: string;
  readonly sent: number;
  readonly admitted: number;
  readonly rejected: number;
  /** Neither 202 nor 429 with Retry-After. */
  readonly others: number;
  /** What the limit allows from the first request to the last response, and in any `SPAN_SECONDS`. */
  readonly limit: number;
  readonly mostInSpan: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly charges: number;
};

type Cost = {
  readonly shared: boolean;
  readonly result: LoadResult;
  readonly nodeMicros: number;
  readonly postgresMicros: number;
  readonly charges: number;
};

export async function measureLimits(options: BenchOptions): Promise<Section> {
  const limited = `  - { key: limited, name: limited, status: approved, rateLimit: { perSecond: ${RATE.perSecond}, burst: ${RATE.burst} } }`;
  const market = marketYaml(null).replace('suppliers:\n', `suppliers:\n${limited}\n`);
  const workspace = await makeWorkspace(options.directory, null, market);
  const engine = await holdEngine(workspace);
  const key = await issueKey(workspace, 'limited');
  const external = asExternal(workspace, engine);
  const services: Service[] = [];
  for (let count = 0; count < PROCESSES; count += 1) services.push(await startService(external, 'api'));
  for (const { url } of services) await applyLoad({ url, key: workspace.key }, { connections: 8, seconds: 2 });
  await sleep(HEARD_MS);
  const runs: Run[] = [];
  for (const spread of SPREADS) {
    await untilQuiet(options.patience);
    runs.push(await measureSpread(services, engine, { key, spread }));
    options.progress(`limits: ${JSON.stringify(runs.at(-1))}`);
  }
  for (const service of services) await service.stop();
  const costs = await measureCosts(external, engine, options);
  await engine.release();
  removeWorkspace(workspace);
  return describe(runs, costs, options.rounds);
}

type Order = { readonly key: string; readonly spread: Spread };

async function measureSpread(services: readonly Service[], engine: Engine, { key, spread }: Order): Promise<Run> {
  // Until the bucket is full again.
  await sleep((RATE.burst / RATE.perSecond) * 1000 + 1000);
  const chargesBefore = await chargesOf(engine);
  const pools = services.map(({ url }) => new Pool(url, { connections: 32 }));
  const total = SECONDS * spread.perSecond;
  const { run, first } = newRun(total);
  const admittedAt: number[] = [];
  const latencies: number[] = [];
  let [rejected, others] = [0, 0];
  const began = performance.now();
  const sendOne = async (turn: number): Promise<void> => {
    const atMs = (turn * 1000) / spread.perSecond;
    await sleep(Math.max(0, began + atMs - performance.now()));
    const startedAt = performance.now();
    const { statusCode, headers, body } = await (pools[spread.processOf(turn, atMs)] as Pool).request({
      path: '/api/v1/ingest',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: leadBody(run, first + turn),
    });
    await body.dump();
    if (statusCode === 202) {
      admittedAt.push(startedAt - began);
      latencies.push(performance.now() - startedAt);
    } else if (statusCode === 429 && headers['retry-after'] !== undefined) rejected += 1;
    else others += 1;
  };
  await Promise.all(Array.from({ length: total }, (_, turn) => sendOne(turn)));
  const seconds = (performance.now() - began) / 1000;
  for (const pool of pools) await pool.close();
  await sleep(STATISTICS_MS);
  return {
    ...{ name: spread.name, sent: total, admitted: admittedAt.length, rejected, others },
    limit: RATE.perSecond * seconds + RATE.burst,
    mostInSpan: mostWithin(admittedAt, SPAN_SECONDS * 1000),
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    charges: (await chargesOf(engine)) - chargesBefore,
  };
}

/** The largest number of these times that lie within a span. */
function mostWithin(times: readonly number[], spanMs: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  let [from, most] = [0, 0];
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[from] as number) > spanMs) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

/** How often any bucket was charged. */
async function chargesOf({ client }: Engine): Promise<number> {
  const { rows } = await client.query<{ updates: string }>(
    `SELECT n_tup_upd AS updates FROM pg_stat_user_tables WHERE relname = 'rate_bucket'`,
  );
  return Number(rows[0]?.updates ?? 0);
}

/** One process with and without another one beside it, which exists only in the reports. */
async function measureCosts(workspace: Workspace, engine: Engine, options: BenchOptions): Promise<Cost[]> {
  const service = await startService(workspace, 'api');
  const costs: Cost[] = [];
  await applyLoad(service, { ...COST, seconds: sized(3, 1) });
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const shared of round % 2 === 0 ? [true, false] : [false, true]) {
      await engine.client.query(
        shared
          ? `INSERT INTO process_report (process_id, role, started_at, seen_at) VALUES (gen_random_uuid(), 'api', '2100-01-01', '2100-01-01')`
          : `DELETE FROM process_report WHERE seen_at = '2100-01-01'`,
      );
      await applyLoad(service, { connections: 8, seconds: 1 });
      await sleep(HEARD_MS);
      await untilQuiet(options.patience);
      const pids = (): readonly [readonly number[], readonly number[]] => [
        [service.pid],
        postgresPids(workspace.dataDir),
      ];
      const [before, chargesBefore] = [pids().map(processorMs), await chargesOf(engine)];
      const result = await applyLoad(service, COST);
      const micros = pids().map(
        (one, index) => ((processorMs(one) - (before[index] as number)) * 1000) / (result.perSecond * COST.seconds),
      );
      await sleep(STATISTICS_MS);
      const charges = (await chargesOf(engine)) - chargesBefore;
      costs.push({ shared, result, nodeMicros: micros[0] as number, postgresMicros: micros[1] as number, charges });
      options.progress(`limits: ${JSON.stringify(costs.at(-1))}`);
    }
  }
  await service.stop();
  return costs;
}

function describe(runs: readonly Run[], costs: readonly Cost[], rounds: number): Section {
  const spanLimit = RATE.perSecond * SPAN_SECONDS + RATE.burst;
  const row = (shared: boolean): string[] => {
    const of = costs.filter((cost) => cost.shared === shared);
    const column = (value: (cost: Cost) => number): string => shown(median(of.map(value)));
    return [
      shared ? 'one process beside another, which exists in the reports only' : 'one process',
      ...[
        column(({ result }) => result.perSecond),
        column(({ result }) => result.p50Ms),
        column(({ result }) => result.p99Ms),
      ],
      ...[column(({ nodeMicros }) => nodeMicros), column(({ postgresMicros }) => postgresMicros)],
      column(({ charges }) => charges),
    ];
  };
  return {
    name: 'limits',
    title: 'A rate limit over four API processes',
    notes: [
      `Four processes with \`--role api\` on one PostgreSQL. A supplier key with ${RATE.perSecond} requests a second and ${RATE.burst} at once posts leads for ${SECONDS} s, at fixed instants and from a full bucket. The limit is what the bucket allows from the first request to the last response, and ${spanLimit} in any ${SPAN_SECONDS} s.`,
      'Times are of accepted leads. Charges are updates of the bucket in the database, by all processes together.',
      `Cost: ${COST.connections} connections post as fast as they can for ${COST.seconds} s, without reaching a limit; medians of ${rounds} rounds, interleaved. Processor time is per lead. Load generator, service and PostgreSQL share the processors.`,
    ],
    tables: [
      {
        title: 'Admitted requests',
        columns: [
          'load',
          'sent',
          '202',
          '429',
          'others',
          'limit',
          '202 / limit',
          `most in ${SPAN_SECONDS} s / ${spanLimit}`,
          'p50 ms',
          'p99 ms',
          'charges',
        ],
        rows: runs.map((run) => [
          run.name,
          ...[run.sent, run.admitted, run.rejected, run.others, Math.round(run.limit)].map(String),
          ...[shown(run.admitted / run.limit), shown(run.mostInSpan / spanLimit), shown(run.p50Ms), shown(run.p99Ms)],
          String(run.charges),
        ]),
      },
      {
        title: 'Cost of limits over processes',
        columns: ['', 'leads/s', 'p50 ms', 'p99 ms', 'Node µs', 'PostgreSQL µs', `charges in ${COST.seconds} s`],
        rows: [row(false), row(true)],
      },
    ],
    data: { runs, costs },
  };
}
