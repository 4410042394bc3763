// Measures what one process sustains beside what the database itself can do, what two workers add, and what a lead costs in statements.
import { loadavg } from 'node:os';

import { type Baseline, prepareBaseline } from '../support/insert-baseline.ts';
import { type Journey, measureJourney } from '../support/journey.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { untilQuiet } from '../support/quiet.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import {
  type Engine,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  type Service,
  startService,
  untilAllSent,
  type Workspace,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const SECONDS = sized(10, 2);
const SATURATED = { connections: sized(64, 4), seconds: SECONDS, rate: null } as const;
const CLIENTS = sized(16, 2);
const PATIENCE_SECONDS = 120;

type Layout = 'one process' | 'api and two workers';
type Run = Journey & { readonly statements: number; readonly commits: number; readonly walBytes: number };
type Round = {
  readonly inserts: number;
  readonly one: Run;
  readonly several: Run;
  readonly half: Run;
};
type Stage = { readonly workspace: Workspace; readonly engine: Engine; readonly receiver: Receiver };

export async function measureProcesses(options: BenchOptions): Promise<Section> {
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(options.directory, receiver.origin);
  // Counts statements; that costs each of them a microsecond or two.
  const engine = await holdEngine(workspace, { shared_preload_libraries: 'pg_stat_statements' });
  await engine.client.query('CREATE EXTENSION pg_stat_statements');
  const stage = { workspace, engine, receiver };
  // The first run warms up, and stores the lead that the baseline copies.
  await runWith(stage, 'one process', { ...SATURATED, seconds: sized(3, 1) });
  const baseline = await prepareBaseline(engine.client, engine.connection);
  const rounds: Round[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    await untilQuiet(options.patience);
    rounds.push(await measureRound(stage, baseline));
    options.progress(`processes: ${JSON.stringify(rounds.at(-1))}`);
  }
  await engine.release();
  await receiver.stop();
  removeWorkspace(workspace);
  return describe(rounds);
}

async function measureRound(stage: Stage, baseline: Baseline): Promise<Round> {
  const { perSecond } = await baseline(CLIENTS, SECONDS / 2);
  const one = await runWith(stage, 'one process', SATURATED);
  const several = await runWith(stage, 'api and two workers', SATURATED);
  const rate = Math.round(one.deliveredPerSecond / 2);
  const half = await runWith(stage, 'one process', { ...SATURATED, rate });
  return { inserts: perSecond, one, several, half };
}

async function runWith(
  stage: Stage,
  layout: Layout,
  load: { readonly connections: number; readonly seconds: number; readonly rate: number | null },
): Promise<Run> {
  const { workspace, engine, receiver } = stage;
  const [target, ...workers] = await startLayout(workspace, engine, layout);
  if (target === undefined) throw new Error('nothing was started');
  const all = [target, ...workers];
  const before = await counted(engine);
  const journey = await measureJourney(
    {
      ...{ target, workspace, receiver, pids: all.map(({ pid }) => pid) },
      untilDone: async () => void (await untilAllSent(engine.client, PATIENCE_SECONDS)),
    },
    load,
  );
  const after = await counted(engine);
  await Promise.all(all.map((service) => service.stop()));
  const perLead = (of: (counts: Counts) => number): number => (of(after) - of(before)) / journey.leads;
  return {
    ...journey,
    statements: perLead(({ statements }) => statements),
    commits: perLead(({ commits }) => commits),
    walBytes: perLead(({ wal }) => wal),
  };
}

async function startLayout(workspace: Workspace, { connection }: Engine, layout: Layout): Promise<Service[]> {
  if (layout === 'one process') return [await startService(workspace, 'all')];
  const { user, database, host, port } = connection;
  // Several processes share a database, but not a data directory.
  const url = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`;
  const named = { ...workspace, env: { ...workspace.env, DATABASE_URL: url } };
  return [
    await startService(named, 'api'),
    ...(await Promise.all([startService(named, 'worker'), startService(named, 'worker')])),
  ];
}

type Counts = { readonly statements: number; readonly commits: number; readonly wal: number };

async function counted({ client }: Engine): Promise<Counts> {
  const { rows } = await client.query<Record<keyof Counts, string>>(
    `SELECT (SELECT sum(calls) FROM pg_stat_statements) AS statements,
            (SELECT sum(calls) FROM pg_stat_statements WHERE query = 'COMMIT') AS commits,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal`,
  );
  const row = rows[0];
  return { statements: Number(row?.statements), commits: Number(row?.commits), wal: Number(row?.wal) };
}

function describe(rounds: readonly Round[]): Section {
  const of = (pick: (round: Round) => number): string => shown(median(rounds.map(pick)));
  const figures = (title: string, run: (round: Round) => Run): string[] => [
    title,
    of((round) => run(round).deliveredPerSecond),
    of((round) => run(round).deliveredPerSecond / round.inserts),
    of((round) => run(round).p50Ms),
    of((round) => run(round).p99Ms),
    of((round) => run(round).nodeMicros),
    of((round) => run(round).postgresMicros),
    String(rounds.reduce((sum, round) => sum + run(round).notReceived, 0)),
  ];
  const costs = (title: string, run: (round: Round) => Run): string[] => [
    title,
    of((round) => run(round).statements),
    of((round) => run(round).commits),
    of((round) => run(round).walBytes),
  ];
  return {
    name: 'processes',
    title: 'One process and several',
    notes: [
      `Ten partners with a webhook each; ${SATURATED.connections} connections post for ${SECONDS} s. Everything is on the same processors: services, PostgreSQL, load generator and receiver. Medians of ${rounds.length} rounds; ratios are taken within a round.`,
      `A row of the baseline is inserted and committed by itself, by pgbench with ${CLIENTS} clients: ${of(({ inserts }) => inserts)} per second. Half of the rate is half of what one process sustained in the same round.`,
      `The load average was ${shown(loadavg()[0] ?? 0)} at the end.`,
    ],
    tables: [
      {
        title: 'From response to webhook',
        columns: [
          '',
          'received/s',
          'to single-row INSERT',
          'p50 ms',
          'p99 ms',
          'Node µs',
          'PostgreSQL µs',
          'not received',
        ],
        rows: [
          figures('one process', ({ one }) => one),
          figures('api and two workers', ({ several }) => several),
          figures('one process at half of its rate', ({ half }) => half),
        ],
      },
      {
        title: 'Several processes to one',
        columns: ['', 'received/s'],
        rows: [['api and two workers', of(({ one, several }) => several.deliveredPerSecond / one.deliveredPerSecond)]],
      },
      {
        title: 'Per lead, from POST to confirmed webhook',
        columns: ['', 'statements', 'commits of several statements', 'bytes of write-ahead log'],
        rows: [
          costs('one process, saturated', ({ one }) => one),
          costs('one process at half of its rate', ({ half }) => half),
          costs('api and two workers, saturated', ({ several }) => several),
        ],
      },
    ],
    data: rounds,
  };
}
