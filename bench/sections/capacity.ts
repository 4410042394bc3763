// Computes what large markets need from what the other sections measured: a day of leads flows through the stages of a cell,
// with peaks and a partner that buys much. Also counts the statements that would cross the shards of a distributed database.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { statementsOf } from '../../test/support/statements/compare-types.ts';
import { median, shown } from '../support/numbers.ts';
import type { Section, Table } from '../support/report.ts';
import {
  type CostModel,
  type Day,
  type Plan,
  planFor,
  type Simulated,
  simulateDay,
} from '../support/capacity-model.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const RESULTS = path.join(ROOT, 'bench/results');

/** Dollars per core and month, with memory, as large clouds ask for it by the hour; disks at ten cents per gigabyte and month. */
const PRICES = { core: 30, gigabyte: 0.1 } as const;

const DAYS: readonly Day[] = [
  { leads: 1e6, hotShare: 0.2, responseMs: 200 },
  { leads: 1e7, hotShare: 0.2, responseMs: 200 },
  { leads: 1e8, hotShare: 0.2, responseMs: 200 },
  { leads: 1e8, hotShare: 0.05, responseMs: 200 },
];

/** Which column a table would be distributed by; the others are small and would be copied to every shard. */
const DISTRIBUTED: Readonly<Record<string, 'partner' | 'lead' | 'person'>> = {
  ...of('partner', [
    'account',
    'attempt',
    'buyer_event',
    'buyer_event_head',
    'claim',
    'delivery',
    'delivery_count',
    'delivery_search',
  ]),
  ...of('partner', ['entry', 'invoice', 'invoice_item', 'invoice_line', 'send_job', 'transfer', 'cap_counter']),
  ...of('lead', [
    'lead',
    'routing_inbox',
    'routing_decision',
    'consent_record',
    'lead_count',
    'refusal_count',
    'callback_log',
  ]),
  ...of('person', ['person_sale']),
};

type Run = { readonly day: Day; readonly plan: Plan; readonly found: Simulated };

export async function measureCapacity(): Promise<Section> {
  const costs = readCosts();
  const runs = DAYS.map((day): Run => {
    const plan = planFor(day, costs);
    return { day, plan, found: simulateDay(day, plan, costs) };
  });
  const crossing = await countCrossing();
  return {
    name: 'capacity',
    title: 'Capacity of large markets',
    notes: [
      `Computed, not measured: the costs per lead are those of the sections ingest, pipeline, processes and growth (Node ${shown(costs.ingestNodeMicros)} µs to accept and ${shown(costs.workerNodeMicros)} µs to route and deliver, PostgreSQL ${shown(costs.postgresMicros)} µs, ${shown(costs.bytes)} bytes kept).`,
      'A day has the hours of a business in the United States, whose busiest has 2.2 times the average, and minutes of up to 1.5 times their hour. Each stage is planned for 60 % of its cores in the busiest hour; what comes faster than that waits. An endpoint responds in 200 ms, and a worker process sends to one endpoint 16 at a time. A cell is one primary with at most 32 cores and 10,000 gigabytes after a year; the hot partner buys its share of the leads of its cell.',
      `Prices are ${PRICES.core} dollars per core and month and ${PRICES.gigabyte.toFixed(2)} per gigabyte of disk and month with a year of leads kept twice (a synchronous standby of the same size), 30 days a month.`,
    ],
    tables: [planTable(runs), crossingTable(crossing)],
    data: { costs, runs, crossing },
  };
}

function planTable(runs: readonly Run[]): Table {
  return {
    title: 'What a day of leads needs',
    columns: [
      'leads a day',
      'hot partner',
      'cells',
      'API processes',
      'worker processes',
      'PostgreSQL cores',
      'peak leads/s',
      'p50 ms',
      'p99 ms',
      'disk GB a year',
      '$ per million',
    ],
    rows: runs.map(({ day, plan, found }) => [
      day.leads.toLocaleString('en-US'),
      `${(100 * day.hotShare).toFixed(0)} %`,
      ...[plan.cells, plan.cells * plan.api, plan.cells * plan.workers, plan.cells * plan.postgresCores].map(String),
      ...[found.peakPerSecond, found.p50Ms, found.p99Ms, found.gigabytesPerYear].map(shown),
      shown(dollarsPerMillion(day, plan, found)),
    ]),
  };
}

function dollarsPerMillion({ leads }: Day, plan: Plan, { gigabytesPerYear }: Simulated): number {
  const cores = plan.cells * (plan.api + plan.workers + 2 * plan.postgresCores);
  const month = cores * PRICES.core + 2 * gigabytesPerYear * PRICES.gigabyte;
  return month / ((leads * 30) / 1e6);
}

type Crossing = {
  readonly all: number;
  readonly large: number;
  readonly crossing: number;
  readonly names: readonly string[];
};

/** Statements that name tables which would be distributed by different columns. */
async function countCrossing(): Promise<Crossing> {
  let [all, large] = [0, 0];
  const names: string[] = [];
  for (const file of globSync('src/**/*.sql.ts', { cwd: ROOT }).toSorted()) {
    const exported = (await import(path.join(ROOT, file))) as Readonly<Record<string, unknown>>;
    for (const { name, text } of statementsOf(file, exported)) {
      const tables = [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+([a-z_]+)/g)].map(
        ([, table = '']) => table,
      );
      const columns = new Set(tables.flatMap((table) => DISTRIBUTED[table] ?? []));
      all += 1;
      if (columns.size > 0) large += 1;
      if (columns.size > 1) names.push(name);
    }
  }
  return { all, large, crossing: names.length, names };
}

function crossingTable({ all, large, crossing, names }: Crossing): Table {
  const hot = /^(?:routing|sending|deliveries\.(?:insert|settle)|submissions|leads|ledger|endpoints)\b/;
  return {
    title: 'Statements that would cross shards, with deliveries and ledger by partner, leads by id and persons by hash',
    columns: ['', 'statements'],
    rows: [
      ['in the code', String(all)],
      ['that name a large table', String(large)],
      ['that name large tables of different columns', String(crossing)],
      ['of these on the way of a lead', String(names.filter((name) => hot.test(name)).length)],
    ],
  };
}

/** Medians of what was measured last. */
function readCosts(): CostModel {
  const read = (name: string): unknown =>
    (JSON.parse(readFileSync(path.join(RESULTS, `${name}.json`), 'utf8')) as { data: unknown }).data;
  type Ingest = ReadonlyArray<{ connections: number; variant: string; processor: { node: number; postgres: number } }>;
  type Pipeline = {
    runs: ReadonlyArray<{ side: string; load: { rate: number | null }; nodeMicros: number; postgresMicros: number }>;
  };
  type Processes = ReadonlyArray<{ half: { p50Ms: number } }>;
  type Growth = { sizes: ReadonlyArray<{ table: string; rows: number; heapMb: number; indexMb: number }> };
  const ingest = (read('ingest') as Ingest).filter((one) => one.variant === 'api' && one.connections === 64);
  const whole = (read('pipeline') as Pipeline).runs.filter((one) => one.side === 'service' && one.load.rate === null);
  const { sizes } = read('growth') as Growth;
  const leads = sizes.find(({ table }) => table === 'lead')?.rows ?? Number.NaN;
  const ingestNodeMicros = median(ingest.map(({ processor }) => processor.node));
  return {
    ingestNodeMicros,
    workerNodeMicros: median(whole.map(({ nodeMicros }) => nodeMicros)) - ingestNodeMicros,
    postgresMicros: median(whole.map(({ postgresMicros }) => postgresMicros)),
    baseMs: median((read('processes') as Processes).map(({ half }) => half.p50Ms)),
    bytes: (sizes.reduce((sum, { heapMb, indexMb }) => sum + heapMb + indexMb, 0) * 2 ** 20) / leads,
  };
}

function of<Column>(column: Column, tables: readonly string[]): Record<string, Column> {
  return Object.fromEntries(tables.map((table) => [table, column]));
}
