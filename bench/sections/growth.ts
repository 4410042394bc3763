// Measures whether work grows with the tables: the same marketplace with a short past and with a long one, in turn.
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import type { CredentialId, OperatorId } from '../../src/base/ids.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import type { SessionOwner } from '../../src/sessions/session.ts';
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
import { sized } from '../support/size.ts';

const FEW = sized(100_000, 1000);
const LOAD = { connections: sized(64, 4), seconds: sized(8, 1) };
const REQUESTS = sized(200, 3);
/** Below the rate limit of sessions in the console and of suppliers, 50/s. */
const BETWEEN_MS = 25;
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
type Reader = 'partner' | 'supplier' | 'operator';
type Site = {
  readonly deliveries: number;
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly service: Service;
  readonly clients: Readonly<Record<Reader, OneClient>>;
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
  await readInTurn(sites, options.progress);
  const retention = await Promise.all([retentionOf(few), retentionOf(many)]);
  options.progress(`growth: retention ${JSON.stringify(retention)}`);
  const sizes = await sizesOf(many);
  const section = describe({ few, many, retention, sizes });
  for (const { service, clients, engine, workspace } of sites) {
    for (const client of Object.values(clients)) await client.close();
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
  // In UTC the figures of the partners would need no parts of days.
  const marketplace = ['timeZone: America/New_York', retention];
  const workspace = await makeWorkspace(directory, receiver.origin, partnersYaml({ buyers, marketplace }));
  const engine = await holdEngine(workspace);
  const began = performance.now();
  await plantWholePast(engine, deliveries, new Date());
  progress(`growth: planted ${deliveries} deliveries in ${shown((performance.now() - began) / 1000)} s`);
  // Only the jobs of the hour would run retention; nothing else may take the measurement's place.
  const service = await startService(workspace, 'all');
  const clients = await signIn(workspace, engine, service);
  return { deliveries, workspace, engine, service, clients, costs: [], reads: new Map() };
}

/** A session of the partner with a tenth of all deliveries, one of the only supplier, and one of an operator. */
async function signIn({ env }: Workspace, engine: Engine, { url }: Service): Promise<Site['clients']> {
  await run(COMMAND, ['token', 'issue', '--partner', BIG_PARTNER], env);
  await run(COMMAND, ['key', 'issue', '--supplier', 'bench'], env);
  await run(COMMAND, ['operator', 'add', 'bench', '--password-stdin'], env, randomUUID());
  const idIn = async <Id>(text: string, values: readonly string[]): Promise<Id> => {
    const { rows } = await engine.client.query<{ id: Id }>(text, [...values]);
    const id = rows.at(-1)?.id;
    if (id === undefined) throw new Error('no credential was issued');
    return id;
  };
  const credential = (kind: string, owner: string): Promise<CredentialId> =>
    idIn('SELECT credential_id AS id FROM credential WHERE kind = $1 AND owner_key = $2', [kind, owner]);
  const owners: Readonly<Record<Reader, SessionOwner>> = {
    partner: { kind: 'buyer', ownerKey: BIG_PARTNER, openedWith: await credential('buyer_token', BIG_PARTNER) },
    supplier: { kind: 'supplier', ownerKey: 'bench', openedWith: await credential('supplier_key', 'bench') },
    operator: {
      ...{ kind: 'operator', ownerKey: 'bench' },
      openedWith: await idIn<OperatorId>('SELECT operator_id AS id FROM operator WHERE name = $1', ['bench']),
    },
  };
  const database = openDatabase({ connection: engine.connection, connections: 1 });
  const open = async (reader: Reader): Promise<OneClient> => {
    const session = { owner: owners[reader], userAgent: 'bench' };
    const { secret } = await database.tx((tx) => openSession(tx, session, new Date()));
    return openClient(url, { cookie: `${reader === 'operator' ? 'console' : 'sid'}=${secret}` });
  };
  const clients = {
    partner: await open('partner'),
    supplier: await open('supplier'),
    operator: await open('operator'),
  };
  await database.close();
  return clients;
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

type Read = readonly [name: string, reader: Reader, input: Input];

function readsAt(now: Date): readonly Read[] {
  const day = (ago: number): string => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
  const month = `from=${day(130)}T00:00:00Z&to=${day(101)}T00:00:00Z`;
  const leads = '/portal/api/v1/buyer/leads';
  const own = '/portal/api/buyer/deliveries';
  const submitted = '/portal/api/supplier/submissions';
  const all = '/console/api/leads';
  const search = (path: string, text: string): Input => ({
    ...{ path, headers: { 'x-search': encodeURIComponent(text) } },
  });
  return [
    ['list, first page', 'partner', { path: `${leads}?pageSize=25` }],
    ['list, page 100', 'partner', { path: `${leads}?pageSize=25&page=100` }],
    [
      'list, returned, of 30 days',
      'partner',
      { path: `${leads}?pageSize=25&status=Returned&from=${day(130)}&to=${day(101)}` },
    ],
    ['search, address', 'partner', search(own, 'person.50000@example.com')],
    ['search, end of a phone number', 'partner', search(own, '0050000')],
    ['search, nothing found', 'partner', search(own, 'zzzzzzzz')],
    ['statistics of 30 days', 'partner', { path: '/portal/api/v1/buyer/stats?days=30' }],
    ['statistics of 365 days', 'partner', { path: '/portal/api/v1/buyer/stats?days=365' }],
    ['page of deliveries', 'partner', { path: own }],
    ['deliveries, oldest first', 'partner', { path: `${own}?sort=deliveredAt` }],
    ['deliveries, failed', 'partner', { path: `${own}?status=Failed` }],
    ['deliveries, of 30 days', 'partner', { path: `${own}?from=${day(130)}&to=${day(101)}` }],
    // The data have five states, and one source: the others are looked for in vain.
    ['deliveries, of a US state', 'partner', { path: `${own}?state=TX` }],
    ['deliveries, of a US state, none found', 'partner', { path: `${own}?state=AK` }],
    ['deliveries, of a source', 'partner', { path: `${own}?source=search` }],
    ['deliveries, of a source, none found', 'partner', { path: `${own}?source=other` }],
    ['deliveries, with a claim', 'partner', { path: `${own}?claim=denied` }],
    ['sums of the deliveries', 'partner', { path: `${own}/sums` }],
    ['sums of a US state, none found', 'partner', { path: `${own}/sums?state=AK` }],
    ['claims', 'partner', { path: '/portal/api/buyer/claims' }],
    ['submissions', 'supplier', { path: submitted }],
    ['submissions, oldest first', 'supplier', { path: `${submitted}?sort=received` }],
    ['submissions, rejected', 'supplier', { path: `${submitted}?state=rejected` }],
    ['submissions, of a US state, none found', 'supplier', { path: `${submitted}?usState=AK` }],
    [
      'submissions, of 30 days and a source',
      'supplier',
      { path: `${submitted}?source=search&from=${day(130)}&to=${day(101)}` },
    ],
    ['submissions, by phone', 'supplier', search(submitted, '0050000')],
    ['submissions, by email', 'supplier', search(submitted, 'person.50000@example.com')],
    ['submissions, by name, none found', 'supplier', search(submitted, 'zzzzzzzz')],
    ['all leads', 'operator', { path: all }],
    ['all leads, oldest first', 'operator', { path: `${all}?sort=received` }],
    ['all leads, no buyer', 'operator', { path: `${all}?state=no_buyer` }],
    ['all leads, sold, of 30 days', 'operator', { path: `${all}?state=routed&${month}` }],
    ['all leads, of a supplier', 'operator', { path: `${all}?supplier=bench&sort=received` }],
    ['all leads, of a US state, none found', 'operator', { path: `${all}?usState=AK` }],
    ['sums of all leads', 'operator', { path: `${all}/sums` }],
    ['all leads, by address', 'operator', search(all, 'person.50000@example.com')],
    ['all leads, by end of a phone number', 'operator', search(all, '0050000')],
    ['all leads, by name, none found', 'operator', search(all, 'zzzzzzzz')],
    ['failed deliveries', 'operator', { path: '/console/api/failed-deliveries' }],
    ['failed deliveries, oldest first', 'operator', { path: '/console/api/failed-deliveries?sort=failed' }],
    ['messages', 'operator', { path: '/console/api/messages' }],
    ['messages, oldest first', 'operator', { path: '/console/api/messages?sort=at' }],
    ['partners', 'operator', { path: '/console/api/partners' }],
    ['partners by revenue', 'operator', { path: '/console/api/partners?sort=-revenue' }],
    ['partners by sales of today', 'operator', { path: '/console/api/partners?sort=-today' }],
    ['suppliers', 'operator', { path: '/console/api/suppliers' }],
    ['endpoints', 'operator', { path: '/console/api/endpoints' }],
    ['all claims', 'operator', { path: '/console/api/claims' }],
    ['approved claims, first filed first', 'operator', { path: '/console/api/claims?status=approved&sort=filed' }],
    ...moneyReads(month),
  ];
}

function moneyReads(month: string): readonly Read[] {
  const ledger = `/console/api/ledger/accounts/${BIG_PARTNER}`;
  return [
    ['invoices', 'operator', { path: '/console/api/invoices' }],
    ['invoices of a month by total', 'operator', { path: '/console/api/invoices?month=2020-01&sort=-total' }],
    ['statements', 'operator', { path: '/console/api/statements' }],
    ['statements by earnings', 'operator', { path: '/console/api/statements?sort=-earned' }],
    ['accounts by balance', 'operator', { path: '/console/api/ledger/accounts?order=balance' }],
    ['audit log', 'operator', { path: '/console/api/audit-log' }],
    ['ledger of a partner', 'operator', { path: ledger }],
    ['ledger of a partner, of 30 days', 'operator', { path: `${ledger}?${month}` }],
    ['ledger of a partner, credits', 'operator', { path: `${ledger}?type=credit` }],
    ['ledger of a partner, charges, page 100', 'operator', { path: `${ledger}?type=charge&page=100` }],
    ['ledger of a partner, sums of credits', 'operator', { path: `${ledger}/sums?type=credit` }],
  ];
}

/** Every question of both in turn, so that whatever else the machine does meets both alike. */
async function readInTurn(sites: readonly Site[], progress: BenchOptions['progress']): Promise<void> {
  for (const [name, reader, input] of readsAt(new Date())) {
    for (let request = 0; request < REQUESTS; request += 1) {
      if (reader !== 'partner') await sleep(BETWEEN_MS);
      for (const { clients, reads } of sites) {
        const took = reads.get(name) ?? [];
        reads.set(name, took);
        const ms = await clients[reader].once(input);
        // The first ones fill the caches.
        if (request >= REQUESTS / 10) took.push(ms);
      }
    }
    const p99 = sites.map(({ reads }) => shown(percentile(reads.get(name) ?? [], 99)));
    progress(`growth: ${name}: p99 ${p99.join(' and ')} ms`);
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
      `New leads come over ${LOAD.connections} connections for ${LOAD.seconds} s and go to ${WEBHOOK_PARTNERS} partners with webhooks beside 1,000 that only read. One client reads as the partner with a tenth of all deliveries. The goal is a ratio of at most 1.5. What the machine does besides meets both in turn: a 99th percentile that is high in both columns, or only with the shorter past, is the machine's.`,
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
