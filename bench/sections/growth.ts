// Measures whether work grows with the tables: the same marketplace with a short past and with a long one, in turn.
import { loadavg } from 'node:os';

import type { CredentialId } from '../../src/base/ids.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { applyLoad } from '../support/load.ts';
import { partnerYaml, PARTNERS as WEBHOOK_PARTNERS } from '../support/market.ts';
import { median, percentile, shown } from '../support/numbers.ts';
import { type Input, type OneClient, openClient } from '../support/one-client.ts';
import type { BenchOptions } from '../support/options.ts';
import { BIG_PARTNER, partnersYaml } from '../support/partner-past.ts';
import { postgresPids, processorMs } from '../support/proc.ts';
import { run } from '../support/processes.ts';
import { untilQuiet } from '../support/quiet.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Section, Table } from '../support/report.ts';
import {
  COMMAND,
  type Engine,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  type Service,
  startService,
  untilAllSent,
  type Workspace,
} from '../support/service.ts';
import { EXPIRED, KEPT, plantWholePast } from '../support/whole-past.ts';

const FEW = 100_000;
const LOAD = { connections: 64, seconds: 8 };
const REQUESTS = 200;
const PATIENCE_SECONDS = 120;
const DAY_MS = 86_400_000;
const TABLES = [
  'lead',
  'delivery',
  'attempt',
  'routing_decision',
  'delivery_search',
  'consent_record',
  'entry',
  'buyer_event',
];

type PerLead = { readonly nodeMicros: number; readonly postgresMicros: number; readonly walBytes: number };
type Site = {
  readonly deliveries: number;
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly service: Service;
  readonly client: OneClient;
  readonly costs: PerLead[];
  /** Milliseconds by what was asked. */
  readonly reads: Map<string, number[]>;
};

export async function measureGrowth(options: BenchOptions): Promise<Section> {
  const receiver = await startReceiver();
  const few = await openSite(options, FEW, receiver);
  const many = await openSite(options, options.deliveries, receiver);
  const sites = [few, many];
  for (const site of sites) await costOf(site, receiver);
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const site of sites) {
      await untilQuiet(options.patience);
      site.costs.push(await costOf(site, receiver));
      options.progress(`growth: ${site.deliveries}: ${JSON.stringify(site.costs.at(-1))}`);
    }
  }
  await readInTurn(sites);
  const retention = await Promise.all([retentionOf(few), retentionOf(many)]);
  options.progress(`growth: retention ${JSON.stringify(retention)}`);
  const sizes = await sizesOf(many);
  const section = describe({ few, many, retention, sizes });
  for (const { service, client, engine, workspace } of sites) {
    await client.close();
    await service.stop();
    await engine.release();
    removeWorkspace(workspace);
  }
  await receiver.stop();
  return section;
}

async function openSite({ directory, progress }: BenchOptions, deliveries: number, receiver: Receiver): Promise<Site> {
  const buyers = Array.from({ length: WEBHOOK_PARTNERS }, (_, index) =>
    // At a better price than all others, so that these buy every new lead.
    partnerYaml(`hook-${index}`, receiver.origin, { payout: '46.00', filters: '', timeZone: 'America/Los_Angeles' }),
  );
  const retention = `retention: { attemptDays: ${KEPT.attemptDays}, decisionDays: ${KEPT.attemptDays}, rawBodyDays: ${KEPT.rawBodyDays}, snippetDays: ${KEPT.snippetDays} }`;
  const workspace = await makeWorkspace(directory, receiver.origin, partnersYaml({ buyers, marketplace: [retention] }));
  const engine = await holdEngine(workspace);
  const began = performance.now();
  await plantWholePast(engine, deliveries, new Date());
  progress(`growth: planted ${deliveries} deliveries in ${shown((performance.now() - began) / 1000)} s`);
  // Only the jobs of the hour would run retention; nothing else may take the measurement's place.
  const service = await startService(workspace, 'all');
  const cookie = `sid=${await sessionOf(workspace, engine)}`;
  const client = openClient(service.url, { cookie });
  return { deliveries, workspace, engine, service, client, costs: [], reads: new Map() };
}

async function sessionOf({ env }: Workspace, engine: Engine): Promise<string> {
  await run(COMMAND, ['token', 'issue', '--partner', BIG_PARTNER], env);
  const { rows } = await engine.client.query<{ id: CredentialId }>(
    `SELECT credential_id AS id FROM credential WHERE kind = 'buyer_token' AND owner_key = $1`,
    [BIG_PARTNER],
  );
  const openedWith = rows[0]?.id;
  if (openedWith === undefined) throw new Error('no token was issued');
  const database = openDatabase({ connection: engine.connection, connections: 1 });
  const owner = { kind: 'buyer', ownerKey: BIG_PARTNER, openedWith } as const;
  const { secret } = await database.tx((tx) => openSession(tx, { owner, userAgent: 'bench' }, new Date()));
  await database.close();
  return secret;
}

/** Until all leads of the load are sent and confirmed. */
async function costOf({ service, engine, workspace }: Site, receiver: Receiver): Promise<PerLead> {
  const spent = async () => ({
    nodeMs: processorMs([service.pid]),
    postgresMs: processorMs(postgresPids(workspace.dataDir)),
    wal: Number(
      (await engine.client.query<{ wal: string }>(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal`)).rows[0]
        ?.wal,
    ),
  });
  const before = await spent();
  await applyLoad(service, LOAD);
  await untilAllSent(engine.client, PATIENCE_SECONDS);
  const after = await spent();
  const leads = (await receiver.takeArrivals()).length;
  return {
    nodeMicros: ((after.nodeMs - before.nodeMs) * 1000) / leads,
    postgresMicros: ((after.postgresMs - before.postgresMs) * 1000) / leads,
    walBytes: (after.wal - before.wal) / leads,
  };
}

function readsAt(now: Date): ReadonlyArray<readonly [string, Input]> {
  const day = (ago: number): string => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
  const leads = '/portal/api/v1/buyer/leads';
  const search = (text: string): Input => ({ path: '/portal/api/buyer/deliveries', headers: { 'x-search': text } });
  return [
    ['list, first page', { path: `${leads}?pageSize=25` }],
    ['list, page 100', { path: `${leads}?pageSize=25&page=100` }],
    ['list, returned, of 30 days', { path: `${leads}?pageSize=25&status=Returned&from=${day(130)}&to=${day(101)}` }],
    [
      'search, address',
      { path: '/portal/api/buyer/deliveries', headers: { 'x-search': 'person.50000%40example.com' } },
    ],
    ['search, end of a phone number', search('0050000')],
    ['search, nothing found', search('zzzzzzzz')],
    ['statistics of 30 days', { path: '/portal/api/v1/buyer/stats?days=30' }],
    ['statistics of 365 days', { path: '/portal/api/v1/buyer/stats?days=365' }],
  ];
}

/** Every question of both in turn, so that whatever else the machine does meets both alike. */
async function readInTurn(sites: readonly Site[]): Promise<void> {
  for (const [name, input] of readsAt(new Date())) {
    for (let request = 0; request < REQUESTS; request += 1) {
      for (const { client, reads } of sites) {
        const took = reads.get(name) ?? [];
        reads.set(name, took);
        const ms = await client.once(input);
        // The first ones fill the caches.
        if (request >= REQUESTS / 10) took.push(ms);
      }
    }
  }
}

type Retention = { readonly ms: number; readonly purged: Readonly<Record<string, number>> };

/** Less what the command takes when nothing has expired. */
async function retentionOf({ workspace }: Site): Promise<Retention> {
  const time = async (): Promise<Retention> => {
    const began = performance.now();
    const output = await run(COMMAND, ['retention', 'run', '--json'], workspace.env);
    const { forgotten } = JSON.parse(output) as { forgotten: Record<string, number> };
    return { ms: performance.now() - began, purged: forgotten };
  };
  const whole = await time();
  return { ...whole, ms: whole.ms - (await time()).ms };
}

type Size = {
  readonly table: string;
  readonly rows: number;
  readonly heapMb: number;
  readonly indexMb: number;
  readonly vacuumMs: number;
};

async function sizesOf({ engine: { client } }: Site): Promise<Size[]> {
  const sizes: Size[] = [];
  for (const table of TABLES) {
    const { rows } = await client.query<{ rows: string; heap: string; indexes: string }>(
      `SELECT sum(greatest(reltuples, 0)) AS rows, sum(pg_table_size(oid)) AS heap, sum(pg_indexes_size(oid)) AS indexes
       FROM pg_class WHERE oid IN (SELECT relid FROM pg_partition_tree($1::regclass) UNION SELECT $1::regclass)`,
      [table],
    );
    const began = performance.now();
    await client.query(`VACUUM ${table}`);
    sizes.push({
      table,
      rows: Number(rows[0]?.rows),
      heapMb: Number(rows[0]?.heap) / 2 ** 20,
      indexMb: Number(rows[0]?.indexes) / 2 ** 20,
      vacuumMs: performance.now() - began,
    });
  }
  return sizes;
}

type Findings = {
  readonly few: Site;
  readonly many: Site;
  readonly retention: readonly [Retention, Retention];
  readonly sizes: readonly Size[];
};

function describe({ few, many, retention, sizes }: Findings): Section {
  const [fewCount, manyCount] = [few, many].map(({ deliveries }) => deliveries.toLocaleString('en-US'));
  const row = (name: string, one: number, other: number): string[] => [
    name,
    shown(one),
    shown(other),
    shown(other / one),
  ];
  const cost = (name: string, of: (lead: PerLead) => number): string[] =>
    row(name, median(few.costs.map(of)), median(many.costs.map(of)));
  const reads = [...few.reads].map(([name, took]) => {
    const other = many.reads.get(name) ?? [];
    return [
      ...row(name, percentile(took, 50), percentile(other, 50)),
      shown(percentile(took, 99)),
      shown(percentile(other, 99)),
    ];
  });
  const columns = ['', `with ${fewCount}`, `with ${manyCount}`, 'ratio'];
  const tables: Table[] = [
    {
      title: 'A new lead, from POST to confirmed webhook',
      columns,
      rows: [
        cost('Node, µs of processor', (lead) => lead.nodeMicros),
        cost('PostgreSQL, µs of processor', (lead) => lead.postgresMicros),
        cost('write-ahead log, bytes', (lead) => lead.walBytes),
      ],
    },
    { title: 'Reading, p50 ms', columns: [...columns, 'p99 ms', 'p99 ms'], rows: reads },
    {
      title: `Retention of ${EXPIRED.toLocaleString('en-US')} rows of each kind, ms`,
      columns,
      rows: [row('expired attempts, decisions, bodies, answers', retention[0].ms, retention[1].ms)],
    },
    {
      title: `Sizes with ${manyCount} deliveries, and a vacuum after the measurement`,
      columns: ['', 'rows', 'table MB', 'indexes MB', 'vacuum ms'],
      rows: sizes.map((size) => [
        size.table,
        Math.round(size.rows).toLocaleString('en-US'),
        ...[size.heapMb, size.indexMb, size.vacuumMs].map(shown),
      ]),
    },
  ];
  return {
    name: 'growth',
    title: 'Growth of the tables',
    notes: [
      `The same marketplace with ${fewCount} and with ${manyCount} leads and deliveries of a year, each with its attempt, decision, search terms, proof of consent, charge and event; measured in turn.`,
      `New leads come over ${LOAD.connections} connections for ${LOAD.seconds} s and go to ${WEBHOOK_PARTNERS} partners with webhooks beside 1,000 that only read. One client reads as the partner with a tenth of all deliveries. The goal is a ratio of at most 1.5.`,
      `The load average was ${shown(loadavg()[0] ?? 0)} at the end.`,
    ],
    tables,
    data: {
      costs: [few.costs, many.costs],
      reads: [few, many].map((site) => Object.fromEntries(site.reads)),
      retention,
      sizes,
    },
  };
}
