// Measures ingest over HTTP against row-by-row commits of the same database, against the same handler without a database, and against the
// plain program.
import { prepareBaseline } from '../support/insert-baseline.ts';
import { applyLoad } from '../support/load.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { PLAIN_NOTE, startPlain } from '../support/plain.ts';
import { postgresPids, processorMs } from '../support/proc.ts';
import { untilQuiet } from '../support/quiet.ts';
import type { Section } from '../support/report.ts';
import {
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  startFloor,
  startService,
  untilEmpty,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const CONNECTIONS: readonly number[] = [1, sized(64, 2), sized(256, 4)];
const VARIANTS = ['insert', 'api', 'all', 'plain', 'floor'] as const;
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
  /** Microseconds of processor time per request. */
  readonly processor: { readonly node: number; readonly postgres: number };
};
/** The processes whose processor time is counted. */
type Watched = { readonly node: () => readonly number[]; readonly postgres: () => readonly number[] };

const TITLES: Readonly<Record<Variant, string>> = {
  insert: 'one prepared INSERT per commit',
  api: 'ingest, `--role api`',
  all: 'ingest, `--role all` (routing at the same time)',
  plain: 'the plain program, without its jobs',
  floor: 'same handler, no database',
};
// The service's own default is 100, too few for 256 clients of the baseline; idle connections cost neither side anything.
const SETTINGS = { max_connections: '320' };
const DRAIN_SECONDS = 60;

export async function measureIngest(options: BenchOptions): Promise<Section> {
  const [apiWorkspace, allWorkspace] = [
    await makeWorkspace(options.directory, null),
    await makeWorkspace(options.directory, null),
  ];
  const [apiEngine, allEngine] = [await holdEngine(apiWorkspace, SETTINGS), await holdEngine(allWorkspace, SETTINGS)];
  const targets = {
    api: await startService(apiWorkspace, 'api'),
    all: await startService(allWorkspace, 'all'),
    plain: await startPlain(apiEngine, 'api', null),
    floor: await startFloor(),
  };
  const warmUp = { connections: sized(64, 4), seconds: sized(3, 1) };
  for (const target of Object.values(targets)) await applyLoad(target, warmUp);
  const { host, port, user, database } = apiEngine.connection;
  const insert = await prepareBaseline(apiEngine.client, { host, port, user, database });
  const none = (): readonly number[] => [];
  const watched: Readonly<Record<Variant, Watched>> = {
    insert: { node: none, postgres: () => postgresPids(apiWorkspace.dataDir) },
    api: { node: () => [targets.api.pid], postgres: () => postgresPids(apiWorkspace.dataDir) },
    all: { node: () => [targets.all.pid], postgres: () => postgresPids(allWorkspace.dataDir) },
    plain: { node: () => [targets.plain.pid], postgres: () => postgresPids(apiWorkspace.dataDir) },
    floor: { node: () => [targets.floor.pid], postgres: none },
  };
  const measurements: Measurement[] = [];
  // Interleaved, so that other load of the machine affects all of them alike.
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const connections of CONNECTIONS) {
      for (const variant of VARIANTS) {
        const apply = (): Promise<Measured> =>
          variant === 'insert'
            ? insert(connections, options.seconds)
            : applyLoad(targets[variant], { connections, seconds: options.seconds });
        await untilQuiet(options.patience);
        measurements.push({ round, connections, variant, ...(await timed(apply, watched[variant], options.seconds)) });
        if (variant === 'all') await untilEmpty(allEngine.client, 'routing_inbox', DRAIN_SECONDS);
        const perSecond = shown(measurements.at(-1)?.result.perSecond ?? 0);
        options.progress(`ingest ${round}/${options.rounds}: ${connections} × ${variant}: ${perSecond}/s`);
      }
    }
  }
  for (const target of Object.values(targets)) await target.stop();
  for (const engine of [apiEngine, allEngine]) await engine.release();
  for (const workspace of [apiWorkspace, allWorkspace]) removeWorkspace(workspace);
  return describe(measurements, options);
}

async function timed(
  apply: () => Promise<Measured>,
  { node, postgres }: Watched,
  seconds: number,
): Promise<Pick<Measurement, 'result' | 'processor'>> {
  const before = [processorMs(node()), processorMs(postgres())] as const;
  const result = await apply();
  const requests = result.perSecond * seconds;
  const perRequest = (pids: readonly number[], beforeMs: number): number =>
    ((processorMs(pids) - beforeMs) * 1000) / requests;
  return { result, processor: { node: perRequest(node(), before[0]), postgres: perRequest(postgres(), before[1]) } };
}

function describe(measurements: readonly Measurement[], { rounds, seconds }: BenchOptions): Section {
  const medianOf = (variant: Variant, connections: number, figure: (one: Measurement) => number): number =>
    median(measurements.filter((one) => one.variant === variant && one.connections === connections).map(figure));
  /** The other variant's measurement of the same round and number of connections. */
  const beside = (one: Measurement, variant: Variant): Measurement | undefined =>
    measurements.find(
      (other) => other.variant === variant && other.round === one.round && other.connections === one.connections,
    );
  const ratio = (variant: Variant, connections: number): number =>
    medianOf(
      variant,
      connections,
      (one) => one.result.perSecond / (beside(one, 'insert')?.result.perSecond ?? Number.NaN),
    );
  const overPlain = (connections: number, figure: (one: Measurement) => number): string =>
    shown(
      medianOf('api', connections, (one) => {
        const plain = beside(one, 'plain');
        return plain === undefined ? Number.NaN : figure(one) / figure(plain);
      }),
    );
  const delay = medianOf('api', 1, (one) => {
    const [floor, insert] = (['floor', 'insert'] as const).map(
      (variant) => beside(one, variant)?.result.p50Ms ?? Number.NaN,
    ) as [number, number];
    return one.result.p50Ms / (floor + insert);
  });
  const failed = measurements.reduce((sum, { result }) => sum + (result.failed ?? 0), 0);
  return {
    name: 'ingest',
    title: 'Ingest over HTTP, durable',
    notes: [
      `${rounds} rounds of ${seconds} s each, interleaved; medians of the rounds. Ratios are taken within a round, and then their median.`,
      'The baseline inserts the same row with the same checks and indexes on the same server with the same settings (`synchronous_commit` on, `max_connections` raised for 256 clients), but neither the routing job nor the count.',
      'The load generator, the service and PostgreSQL share the processors. Processor time is of the service alone, per request; other programs on the machine blur it least.',
      PLAIN_NOTE,
      `Answers other than 202: ${failed}.`,
    ],
    tables: [
      ...CONNECTIONS.map((connections) => ({
        title: `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        columns: ['', 'per second', 'ratio to INSERT', 'p50 ms', 'p99 ms', 'Node µs', 'PostgreSQL µs'],
        rows: VARIANTS.map((variant) => [
          TITLES[variant],
          shown(medianOf(variant, connections, ({ result }) => result.perSecond)),
          shown(ratio(variant, connections)),
          shown(medianOf(variant, connections, ({ result }) => result.p50Ms)),
          shown(medianOf(variant, connections, ({ result }) => result.p99Ms)),
          variant === 'insert' ? '' : shown(medianOf(variant, connections, ({ processor }) => processor.node)),
          variant === 'floor' ? '' : shown(medianOf(variant, connections, ({ processor }) => processor.postgres)),
        ]),
      })),
      {
        title: '`--role api` over the plain program',
        columns: ['', 'per second', 'p50', 'Node µs', 'PostgreSQL µs'],
        rows: CONNECTIONS.map((connections) => [
          `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
          overPlain(connections, ({ result }) => result.perSecond),
          overPlain(connections, ({ result }) => result.p50Ms),
          overPlain(connections, ({ processor }) => processor.node),
          overPlain(connections, ({ processor }) => processor.postgres),
        ]),
      },
      {
        title: 'Targets',
        columns: ['', 'measured', 'target', 'aim'],
        rows: [
          ['64 connections, ratio to INSERT', shown(ratio('api', 64)), '≥ 0.80', '1.00'],
          ['256 connections, ratio to INSERT', shown(ratio('api', 256)), '≥ 0.80', '1.00'],
          ['1 connection, p50 over that of floor plus one INSERT', shown(delay), '≤ 1.50', ''],
        ],
      },
    ],
    data: measurements,
  };
}
