// Measures reports over a year, on roll-ups of few and of many deliveries.
import { strict as assert } from 'node:assert';
import { performance } from 'node:perf_hooks';

import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { foldSome } from '../../src/reports/fold-reports.ts';
import { readReport } from '../../src/reports/read-report.ts';
import type { ReportQuery } from '../../src/reports/report.schema.ts';
import { median, percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { postgresPids, processorMs } from '../support/proc.ts';
import { untilQuiet } from '../support/quiet.ts';
import { cellsDigest, fillCells } from '../support/report-cells.ts';
import { liveThrough, switchLog } from '../support/report-log.ts';
import { plantFacts, plantWaitingFacts, REPORT_DAYS, REPORT_MARKET } from '../support/report-past.ts';
import type { Section } from '../support/report.ts';
import { type Engine, holdEngine, makeWorkspace, removeWorkspace, type Workspace } from '../support/service.ts';
import { sized } from '../support/size.ts';

const FEW = sized(100_000, 1000);
const DAY_MS = 86_400_000;
const ZONE = 'America/New_York';
const OTHER_ZONE = 'America/Los_Angeles';
const WARM = 2;
/** More facts at once than the job adds. */
const PARTS = { changes: sized(10_000, 100), rows: sized(5000, 50), facts: sized(1_000_000, 1000) };
const OPERATOR = { kind: 'operator' } as const;

type Question = readonly [name: string, query: Partial<ReportQuery>];

const MONEY = ['revenue', 'cost', 'margin'] as const;
const QUESTIONS: readonly Question[] = [
  ['totals, compared', { dimensions: [], measures: [...MONEY, 'sellThrough', 'submitted'], compare: 'previous' }],
  ['day', { dimensions: ['day'], measures: ['submitted', 'sold', 'sellThrough'] }],
  ['day, money', { dimensions: ['day'], measures: [...MONEY, 'deliveries'], compare: 'previous' }],
  ['week, supplier', { dimensions: ['week', 'supplier'], measures: [...MONEY] }],
  ['month, partner, offer', { dimensions: ['month', 'partner', 'offer'], measures: [...MONEY, 'returnRate'] }],
  ['day, partner', { dimensions: ['day', 'partner'], measures: ['revenue', 'returnRate', 'medianSeconds'] }],
  ['supplier, compared', { dimensions: ['supplier'], measures: [...MONEY, 'sellThrough'], compare: 'previous' }],
  ['partner, compared', { dimensions: ['partner'], measures: [...MONEY, 'returnRate'], compare: 'previous' }],
  ['supplier, partner', { dimensions: ['supplier', 'partner'], measures: [...MONEY] }],
  [
    'supplier, offer of one partner',
    { dimensions: ['supplier', 'offer'], measures: [...MONEY], filters: { partner: ['p7'] } },
  ],
  ['supplier, campaign', { dimensions: ['supplier', 'campaign'], measures: ['submitted', 'sellThrough', ...MONEY] }],
  [
    'campaign, partner of one supplier',
    { dimensions: ['campaign', 'partner'], measures: [...MONEY], filters: { supplier: ['s3'] } },
  ],
  ['state', { dimensions: ['state'], measures: ['submitted', 'sold', ...MONEY] }],
  ['partner, state', { dimensions: ['partner', 'state'], measures: ['deliveries', 'revenue'] }],
  ['score band, supplier', { dimensions: ['scoreBand', 'supplier'], measures: ['accepted', 'sellThrough'] }],
  ['weekday, event type', { dimensions: ['weekday', 'eventType'], measures: ['deliveries', 'revenue'] }],
  ['hour of the day', { dimensions: ['hour'], measures: ['submitted', 'accepted'] }],
  [
    'day of another time zone, partner',
    { dimensions: ['day'], measures: ['revenue'], filters: { partner: ['p7'] }, timeZone: OTHER_ZONE },
  ],
];
/** Questions that no roll-up fits, of a month: measured apart, because they read facts. */
const FACTS: readonly Question[] = [
  ['campaign, state of 30 days, from facts', { dimensions: ['campaign', 'state'], measures: ['sold'] }],
];

type Site = {
  readonly deliveries: number;
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly database: Database;
  /** What the fold takes for all cells; null where they are filled at once. */
  readonly foldSeconds: number | null;
  readonly sizes: Readonly<Record<string, number>>;
  readonly took: Map<string, number[]>;
};

export async function measureReports(options: BenchOptions): Promise<Section> {
  const now = new Date();
  const sites = [await openSite(options, FEW, now), await openSite(options, options.deliveries, now)];
  await untilQuiet(options.patience);
  for (let round = 0; round < WARM + options.rounds * 5; round += 1) {
    for (const [name, query] of [...QUESTIONS, ...FACTS]) {
      const isRare = FACTS.some(([rare]) => rare === name);
      if (isRare && round >= WARM + options.rounds) continue;
      for (const { database, took } of sites) {
        const ms = await timeOf(database, query, isRare ? 30 : REPORT_DAYS, now);
        if (round >= WARM) took.set(name, [...(took.get(name) ?? []), ms]);
      }
    }
  }
  const costs = await costsOf(sites[0] as Site, options);
  const section = describe(sites, costs);
  for (const { database, engine, workspace } of sites) {
    await database.close();
    await engine.release();
    removeWorkspace(workspace);
  }
  return section;
}

/** PostgreSQL's processor time, in microseconds per lead. */
type Costs = { readonly without: number[]; readonly log: number[]; readonly fold: number[] };

/** Leads that are stored, sold, and confirmed in batches of 64, with and without the log in turn, and what folding them takes. */
async function costsOf({ workspace, engine, database }: Site, { rounds }: BenchOptions): Promise<Costs> {
  const costs: Costs = { without: [], log: [], fold: [] };
  const spent = async (work: () => Promise<number>): Promise<number> => {
    const before = processorMs(postgresPids(workspace.dataDir));
    const leads = await work();
    return ((processorMs(postgresPids(workspace.dataDir)) - before) * 1000) / leads;
  };
  for (let round = 0; round < rounds; round += 1) {
    await switchLog(engine, false);
    costs.without.push(await spent(() => liveThrough(engine, `without ${round}`)));
    await switchLog(engine, true);
    let leads = 0;
    costs.log.push(
      await spent(async () => {
        leads = await liveThrough(engine, `with ${round}`);
        return leads;
      }),
    );
    costs.fold.push(
      await spent(async () => {
        while (await database.tx((tx) => foldSome(tx, new Date()), { patient: true }));
        return leads;
      }),
    );
  }
  return costs;
}

async function openSite({ directory, progress }: BenchOptions, deliveries: number, now: Date): Promise<Site> {
  const file = `marketplace: { timeZone: ${ZONE} }\nsuppliers: [{ key: bench, name: Bench, status: approved }]\n`;
  const workspace = await makeWorkspace(directory, 'http://127.0.0.1:9', file);
  const engine = await holdEngine(workspace);
  await plantFacts(engine, deliveries, now);
  progress(`reports: planted ${deliveries}`);
  const database = openDatabase({ connection: engine.connection, connections: 1 });
  const began = performance.now();
  if (deliveries <= FEW) {
    // The days of the cells become those of the marketplace: all are filled from the facts.
    while (await database.tx((tx) => foldSome(tx, now, PARTS), { patient: true }));
  }
  const foldSeconds = deliveries <= FEW ? (performance.now() - began) / 1000 : null;
  const folded = await cellsDigest(engine);
  await fillCells(engine, ZONE);
  if (foldSeconds !== null)
    assert.equal(await cellsDigest(engine), folded, 'cells filled at once are not those of the fold');
  await plantWaitingFacts(engine);
  await engine.client.query('VACUUM (ANALYZE) report_fact');
  await engine.client.query('VACUUM (ANALYZE) report_cell');
  const { rows } = await engine.client.query<{ facts: string; cells: string; megabytes: string }>(
    `SELECT (SELECT count(*) FROM report_fact) AS facts, (SELECT count(*) FROM report_cell) AS cells,
            (pg_total_relation_size('report_fact') + pg_total_relation_size('report_cell')) / 1048576 AS megabytes`,
  );
  const sizes = Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
  progress(`reports: filled the cells of ${deliveries}, ${JSON.stringify(sizes)}`);
  return { deliveries, workspace, engine, database, foldSeconds, sizes, took: new Map() };
}

async function timeOf(database: Database, query: Partial<ReportQuery>, days: number, now: Date): Promise<number> {
  const day = (ago: number): string => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
  const asked = { dimensions: [], measures: [], from: day(days - 1), until: day(0), ...query } as ReportQuery;
  const began = performance.now();
  const report = await database.tx((tx) => readReport(tx, asked, OPERATOR, now), { snapshot: true });
  const ms = performance.now() - began;
  if (!report.ok || Object.values(report.value.totals).every((value) => value === 0))
    throw new Error(JSON.stringify(report));
  return ms;
}

function describe(sites: readonly Site[], costs: Costs): Section {
  const [few, many] = sites as [Site, Site];
  const names = [...QUESTIONS, ...FACTS].map(([name]) => name);
  const every = ({ took }: Site): number[] => QUESTIONS.flatMap(([name]) => took.get(name) ?? []);
  const row = (name: string, one: readonly number[], other: readonly number[]): string[] => [
    name,
    ...[one, other].flatMap((ms) => [shown(median(ms)), shown(percentile(ms, 99))]),
    shown(percentile(other, 99) / percentile(one, 99)),
  ];
  return {
    name: 'reports',
    title: 'Reports over a year',
    notes: [
      `Reports over ${REPORT_DAYS} days with ${few.deliveries.toLocaleString('en-US')} and ${many.deliveries.toLocaleString('en-US')} deliveries (and half as many leads more), in turn, through \`readReport\` on one connection.`,
      `${REPORT_MARKET.suppliers} suppliers with ${REPORT_MARKET.sources} sources and ${REPORT_MARKET.campaigns} campaigns each, ${REPORT_MARKET.partners} partners with ${REPORT_MARKET.offers} offers, ${REPORT_MARKET.states} states, all by chance, so that combinations are as many as they can be. Facts are planted by SQL, and the cells filled from all of them at once; for the smaller one they are compared with those of the fold.`,
      `The larger one has ${shown((many.sizes['facts'] ?? 0) / 1e6)} million facts and ${shown((many.sizes['cells'] ?? 0) / 1e6)} million cells of ${shown(many.sizes['megabytes'] ?? 0)} MB with indexes. The fold took ${shown(few.foldSeconds ?? 0)} s for the ${shown((few.sizes['cells'] ?? 0) / 1e6)} million cells of the smaller one.`,
    ],
    tables: [
      {
        title: 'Milliseconds',
        columns: ['', `p50, ${few.deliveries}`, 'p99', `p50, ${many.deliveries}`, 'p99', 'ratio of p99'],
        rows: [
          row('all questions but the last', every(few), every(many)),
          ...names.map((name) => row(name, few.took.get(name) ?? [], many.took.get(name) ?? [])),
        ],
      },
      {
        title:
          'What a lead costs PostgreSQL, µs of processor, batches of 64 stored, sold and confirmed by bare statements',
        columns: ['without the log', 'with it', 'folding, in a worker'],
        rows: [[costs.without, costs.log, costs.fold].map((micros) => shown(median(micros)))],
      },
    ],
    data: {
      costs,
      sites: sites.map(({ deliveries, foldSeconds, sizes, took }) => ({
        deliveries,
        foldSeconds,
        sizes,
        took: Object.fromEntries(took),
      })),
    },
  };
}
