// Ingest over HTTP against what the same database commits row by row, and against the same handler without a database.
import { prepareBaseline } from '../support/insert-baseline.ts';
import { applyLoad } from '../support/load.ts';
import { median, shown } from '../support/numbers.ts';
import type { Section } from '../support/report.ts';
import { holdEngine, makePlace, removePlace, startFloor, startService, untilEmpty } from '../support/service.ts';
import type { BenchOptions } from '../support/options.ts';

const CONNECTIONS = [1, 64, 256] as const;
const VARIANTS = ['insert', 'api', 'all', 'floor'] as const;
type Variant = (typeof VARIANTS)[number];
type Measured = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed?: number;
};
type Measurement = {
  readonly round: number;
  readonly connections: number;
  readonly variant: Variant;
  readonly result: Measured;
};

const TITLES: Readonly<Record<Variant, string>> = {
  insert: 'one prepared INSERT per commit',
  api: 'ingest, `--role api`',
  all: 'ingest, `--role all` (routing at the same time)',
  floor: 'same handler, no database',
};
// The service's own default is 100, too few for 256 clients of the baseline; idle connections cost neither side anything.
const SETTINGS = { max_connections: '320' };
const DRAIN_SECONDS = 60;

export async function measureIngest(options: BenchOptions): Promise<Section> {
  const [apiPlace, allPlace] = [await makePlace(options.directory, null), await makePlace(options.directory, null)];
  const [apiEngine, allEngine] = [await holdEngine(apiPlace, SETTINGS), await holdEngine(allPlace, SETTINGS)];
  const targets = {
    api: await startService(apiPlace, 'api'),
    all: await startService(allPlace, 'all'),
    floor: await startFloor(),
  };
  const warmUp = { connections: 64, seconds: 3 };
  for (const target of Object.values(targets)) await applyLoad(target, warmUp);
  const { host, port, user, database } = apiEngine.connection;
  const insert = await prepareBaseline(apiEngine.client, { host, port, user, database });
  const load = { seconds: options.seconds };
  const measurements: Measurement[] = [];
  // Interleaved, so that whatever else the machine does meets all of them alike.
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const connections of CONNECTIONS) {
      for (const variant of VARIANTS) {
        const result =
          variant === 'insert'
            ? await insert(connections, options.seconds)
            : await applyLoad(targets[variant], { ...load, connections });
        if (variant === 'all') await untilEmpty(allEngine.client, 'routing_inbox', DRAIN_SECONDS);
        measurements.push({ round, connections, variant, result });
        options.progress(
          `ingest ${round}/${options.rounds}: ${connections} × ${variant}: ${shown(result.perSecond)}/s`,
        );
      }
    }
  }
  for (const target of Object.values(targets)) await target.stop();
  for (const engine of [apiEngine, allEngine]) await engine.release();
  for (const place of [apiPlace, allPlace]) removePlace(place);
  return describe(measurements, options);
}

function describe(measurements: readonly Measurement[], { rounds, seconds }: BenchOptions): Section {
  const of = (variant: Variant, connections: number): Measured[] =>
    measurements.filter((one) => one.variant === variant && one.connections === connections).map((one) => one.result);
  const middle = (variant: Variant, connections: number, figure: 'perSecond' | 'p50Ms' | 'p99Ms'): number =>
    median(of(variant, connections).map((result) => result[figure]));
  const ratio = (variant: Variant, connections: number): number => {
    const baseline = of('insert', connections);
    return median(
      of(variant, connections).map((result, index) => result.perSecond / (baseline[index]?.perSecond ?? Number.NaN)),
    );
  };
  const failed = measurements.reduce((sum, { result }) => sum + (result.failed ?? 0), 0);
  const [ours, floor, single] = (['api', 'floor', 'insert'] as const).map((variant) => middle(variant, 1, 'p50Ms')) as [
    number,
    number,
    number,
  ];
  return {
    name: 'ingest',
    title: 'Ingest over HTTP, durable',
    notes: [
      `${rounds} rounds of ${seconds} s each, interleaved; medians of the rounds. Ratios are taken within a round and then their median.`,
      'The baseline inserts the same row with the same checks and indexes on the same server with the same settings (`synchronous_commit` on), but neither the routing job nor the count.',
      'The load generator, the service and PostgreSQL share the processors.',
      `Answers other than 202: ${failed}.`,
    ],
    tables: [
      ...CONNECTIONS.map((connections) => ({
        title: `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        columns: ['', 'per second', 'ratio to INSERT', 'p50 ms', 'p99 ms'],
        rows: VARIANTS.map((variant) => [
          TITLES[variant],
          shown(middle(variant, connections, 'perSecond')),
          shown(ratio(variant, connections)),
          shown(middle(variant, connections, 'p50Ms')),
          shown(middle(variant, connections, 'p99Ms')),
        ]),
      })),
      {
        title: 'Targets',
        columns: ['', 'measured', 'target', 'aim'],
        rows: [
          ['64 connections, ratio to INSERT', shown(ratio('api', 64)), '≥ 0.80', '1.00'],
          ['256 connections, ratio to INSERT', shown(ratio('api', 256)), '≥ 0.80', '1.00'],
          ['1 connection, p50 over that of floor plus one INSERT', shown(ours / (floor + single)), '≤ 1.50', ''],
        ],
      },
    ],
    data: measurements,
  };
}
