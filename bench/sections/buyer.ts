// Measures requests of a partner with a long history: pages of its deliveries, statistics of a year, an export of everything, a claim.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';

import { type DeliveryId, typeId } from '../../src/base/ids.ts';
import { copyOut } from '../support/copy-out.ts';
import { median, shown } from '../support/numbers.ts';
import { bearer, type OneClient, openClient, type Times, timesOf } from '../support/one-client.ts';
import type { BenchOptions } from '../support/options.ts';
import { BIG_PARTNER, PARTNERS, partnersYaml, plantPartnerPast } from '../support/partner-past.ts';
import { type Memory, memoryOf } from '../support/proc.ts';
import { run } from '../support/processes.ts';
import type { Section, Table } from '../support/report.ts';
import {
  COMMAND,
  type Engine,
  holdEngine,
  makeWorkspace,
  type Workspace,
  removeWorkspace,
  startService,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

/** The baseline of all comparisons. */
const FEW = sized(100_000, 1000);
const REQUESTS = sized(300, 10);
/** Requests of each kind, in turn; a hundredth of them is three. */
const CLAIMS = sized(300, 10);
const EXPORTS = sized(3, 1);
const PAGE_SIZE = 25;
const DAY_MS = 86_400_000;
/** Reading the memory of a process takes it milliseconds, too. */
const SAMPLE_MS = 200;
const SETTLE_MS = sized(3000, 100);
const LEADS = '/api/v1/buyer/leads';
const EXPORT = '/api/v1/buyer/export';
const STATUSES = ['Pending', 'Confirmed', 'Failed', 'Returned'] as const;

type Named = Times & { readonly name: string };
type Export = {
  readonly rows: number;
  readonly perSecond: number;
  /** To COPY. */
  readonly ratio: number;
  readonly firstByteMs: number;
  readonly megabytes: number;
  readonly growth: Memory;
};
type Findings = {
  readonly deliveries: number;
  readonly floor: Times;
  readonly reads: readonly Named[];
  readonly exported: Export;
  readonly claims: readonly Named[];
  readonly load: number;
};

export async function measureBuyer(options: BenchOptions): Promise<Section> {
  const few = await measureAt(options, Math.min(FEW, options.deliveries));
  const many = await measureAt(options, options.deliveries);
  return describe(few, many);
}

async function measureAt(options: BenchOptions, deliveries: number): Promise<Findings> {
  const { directory, progress } = options;
  const workspace = await makeWorkspace(directory, null, partnersYaml());
  const engine = await holdEngine(workspace);
  const began = performance.now();
  const now = new Date();
  await plantPartnerPast(engine, deliveries, now);
  progress(`buyer: planted ${deliveries} deliveries in ${shown((performance.now() - began) / 1000)} s`);
  const issued = await run(COMMAND, ['token', 'issue', '--partner', BIG_PARTNER, '--json'], workspace.env);
  const { token } = JSON.parse(issued) as { token: string };
  const service = await startService(workspace, 'api');
  const client = openClient(service.url, bearer(token));
  const floor = await client.time(times(REQUESTS, { path: '/healthz' }));
  const reads: Named[] = [];
  for (const { name, path } of await readsOf(client, now)) {
    const found = { name, ...(await client.time(times(REQUESTS, { path }))) };
    progress(`buyer: ${name}: ${shown(found.p50Ms)} / ${shown(found.p99Ms)} ms`);
    reads.push(found);
  }
  const speed = await measureExport(engine, client);
  progress(`buyer: export ${JSON.stringify(speed)}`);
  // A partner with few deliveries uses up its cap before enough is measured.
  const claims = deliveries < 10 * FEW ? [] : await measureClaims(engine, client, now);
  progress(`buyer: claims ${JSON.stringify(claims)}`);
  await client.close();
  await service.stop();
  const exported = { ...speed, growth: await measureGrowth(workspace, token) };
  progress(`buyer: memory ${JSON.stringify(exported.growth)}`);
  await engine.release();
  removeWorkspace(workspace);
  return { deliveries, floor, reads, exported, claims, load: loadavg()[0] ?? Number.NaN };
}

function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

/** Each list at its beginning, at page 1,000 (or in the middle if there are fewer pages) and at its end. */
async function readsOf(client: OneClient, now: Date): Promise<Array<{ name: string; path: string }>> {
  const day = (daysAgo: number): string => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const filters = [
    ['all', ''],
    ...STATUSES.map((status) => [status, `&status=${status}`] as const),
    ['30 days', `&from=${day(130)}&to=${day(101)}`],
    ['30 days, Confirmed', `&from=${day(130)}&to=${day(101)}&status=Confirmed`],
    ['300 days, Returned', `&from=${day(330)}&to=${day(31)}&status=Returned`],
  ] as const;
  const reads: Array<{ name: string; path: string }> = [];
  for (const [name, filter] of filters) {
    const path = (page: number): string => `${LEADS}?page=${page}&pageSize=${PAGE_SIZE}${filter}`;
    const { totalPages } = await client.read<{ totalPages: number }>(path(1));
    const middle = totalPages > 1000 ? 1000 : Math.ceil(totalPages / 2);
    reads.push({ name: `${name}: page 1`, path: path(1) });
    if (middle > 1) reads.push({ name: `${name}: page 1,000`, path: path(middle) });
    if (totalPages > middle) reads.push({ name: `${name}: last page`, path: path(totalPages) });
  }
  return [...reads, { name: 'statistics of 365 days', path: '/api/v1/buyer/stats?days=365' }];
}

/** In turn with COPY, which writes the same rows without the service. */
async function measureExport({ client: database }: Engine, client: OneClient): Promise<Omit<Export, 'growth'>> {
  const copy = `COPY (SELECT d.delivery_id, d.ref_number, d.event_type, d.status, d.payout_cents, d.delivered_at, d.appointment_at, l.fields
    FROM delivery d JOIN lead l USING (lead_id) WHERE d.buyer_key = '${BIG_PARTNER}' ORDER BY d.delivered_at DESC, d.delivery_id DESC)
    TO STDOUT (FORMAT csv)`;
  // One run of both first, to fill the caches.
  await copyOut(database, copy);
  const rounds: Array<Omit<Export, 'growth'>> = [];
  for (let round = 0; round < EXPORTS; round += 1) {
    const { firstByteMs, ms, lines, bytes } = await client.stream(EXPORT);
    const copied = await copyOut(database, copy);
    const rows = lines - 1;
    if (rows !== copied.rows) throw new Error(`the export has ${rows} rows, and there are ${copied.rows}`);
    rounds.push({
      rows,
      firstByteMs,
      megabytes: bytes / 2 ** 20,
      perSecond: (1000 * rows) / ms,
      ratio: copied.ms / ms,
    });
  }
  const middle = (pick: (round: Omit<Export, 'growth'>) => number): number => median(rounds.map(pick));
  return {
    rows: middle(({ rows }) => rows),
    perSecond: middle(({ perSecond }) => perSecond),
    ratio: middle(({ ratio }) => ratio),
    firstByteMs: middle(({ firstByteMs }) => firstByteMs),
    megabytes: middle(({ megabytes }) => megabytes),
  };
}

/** Memory of a new process: an older one has already taken most of the memory that it will ever need. */
async function measureGrowth(workspace: Workspace, token: string): Promise<Memory> {
  const service = await startService(workspace, 'api');
  const client = openClient(service.url, bearer(token));
  await client.read(`${LEADS}?pageSize=${PAGE_SIZE}`);
  await sleep(SETTLE_MS);
  const before = memoryOf([service.pid]);
  const samples: Memory[] = [];
  const sampling = setInterval(() => samples.push(memoryOf([service.pid])), SAMPLE_MS);
  await client.stream(EXPORT);
  clearInterval(sampling);
  samples.push(memoryOf([service.pid]));
  await client.close();
  await service.stop();
  const growth = (of: (one: Memory) => number): number => Math.max(...samples.map(of)) - of(before);
  return { rssMb: growth((one) => one.rssMb), pssMb: growth((one) => one.pssMb) };
}

type Filing = {
  readonly name: string;
  readonly eventType: 'Lead Sale' | 'Calendar Assigned';
  /** How many returns of the month are used before each request, as SQL of $1 and $2, the partner and the first of the month. */
  readonly used: string;
};

const FILINGS: readonly Filing[] = [
  { name: 'return, cap by number', eventType: 'Calendar Assigned', used: '5' },
  { name: 'return, cap by percentage', eventType: 'Lead Sale', used: '5' },
  {
    name: 'return, close to the cap by percentage',
    eventType: 'Lead Sale',
    // Just above a tenth of the deliveries that are certainly in the month, and below a tenth of those that may be.
    used: `(SELECT sum(deliveries) / 10 + 5 FROM delivery_count
            WHERE buyer_key = $1 AND event_type = 'Lead Sale' AND status IN ('Confirmed', 'Returned') AND day > $2::date)`,
  },
];

/**
 * Returns of deliveries of the last days, in turn: far from the partner's caps, and close to a percentage cap, where the share must be
 * counted exactly.
 */
async function measureClaims({ client: database }: Engine, client: OneClient, now: Date): Promise<Named[]> {
  const month = monthOf(now);
  const claimable = async (eventType: string): Promise<DeliveryId[]> => {
    const { rows } = await database.query<{ id: DeliveryId }>(
      `SELECT delivery_id AS id FROM delivery d
       WHERE buyer_key = $1 AND status = 'Confirmed' AND event_type = $2 AND delivered_at > $3 AND delivered_at > $4
         AND NOT EXISTS (SELECT FROM claim c WHERE c.delivery_id = d.delivery_id)
       ORDER BY delivered_at DESC LIMIT ${2 * CLAIMS}`,
      [BIG_PARTNER, eventType, new Date(now.getTime() - 4 * DAY_MS), month],
    );
    return rows.map(({ id }) => id);
  };
  const open = { 'Lead Sale': await claimable('Lead Sale'), 'Calendar Assigned': await claimable('Calendar Assigned') };
  const took = FILINGS.map((): number[] => []);
  for (let turn = 0; turn < CLAIMS; turn += 1) {
    for (const [index, { eventType, used }] of FILINGS.entries()) {
      const id = open[eventType].pop();
      if (id === undefined) continue;
      await database.query(
        `UPDATE claim_month_count SET used = ${used} WHERE buyer_key = $1 AND event_type = $3 AND $2::date IS NOT NULL`,
        [BIG_PARTNER, month, eventType],
      );
      const reason = eventType === 'Lead Sale' ? 'invalid_phone' : 'no_show';
      const body = { deliveryId: typeId('delivery', id), reason, proof: 'Called three times.' };
      took[index]?.push(await client.once({ path: '/api/v1/buyer/returns', body }));
    }
  }
  // Ten are too few for a 99th percentile.
  return FILINGS.flatMap(({ name }, index) => {
    const own = took[index] ?? [];
    return own.length < 20 ? [] : [{ name, ...timesOf(own) }];
  });
}

/** The first of the month; deliveries in the hours around it depend on the zone. */
function monthOf(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

function describe(few: Findings, many: Findings): Section {
  const own = (found: Findings, ms: number): number => Math.max(0, ms - found.floor.p50Ms);
  const fewOf = (name: string): Named | undefined => few.reads.find((one) => one.name === name);
  const read = ({ name, p50Ms, p99Ms }: Named): string[] => {
    const other = fewOf(name);
    const ratio = other === undefined ? Number.NaN : own(many, p99Ms) / own(few, other.p99Ms);
    return [
      name,
      shown(own(many, p50Ms)),
      shown(own(many, p99Ms)),
      shown(own(few, other?.p99Ms ?? Number.NaN)),
      shown(ratio),
    ];
  };
  const counted = (found: Findings): string => found.deliveries.toLocaleString('en-US');
  const reads: Table = {
    title: `Reading, of ${counted(many)} deliveries and of ${counted(few)}`,
    columns: ['', 'p50 ms', 'p99 ms', `p99 ms of ${counted(few)}`, 'ratio of p99'],
    rows: many.reads.map(read),
  };
  const claims: Table = {
    title: 'Filing a claim',
    columns: ['', 'requests', 'p50 ms', 'p99 ms'],
    rows: many.claims.map(({ name, requests, p50Ms, p99Ms }) => [
      name,
      String(requests),
      shown(own(many, p50Ms)),
      shown(own(many, p99Ms)),
    ]),
  };
  return {
    name: 'buyer',
    title: 'A partner with a long past',
    notes: [
      `${PARTNERS.toLocaleString('en-US')} partners with a year of ${counted(many)} deliveries, a tenth of them one partner's, who asks: one client on one kept connection, \`--role api\`, ${REQUESTS} requests each (the first tenth warms up).`,
      `The times are those that the client sees, less the ${shown(many.floor.p50Ms)} ms that \`/healthz\` takes it. \`Page 1,000\` is half way where a list has not so many.`,
      `The load average was ${shown(few.load)} and ${shown(many.load)} at the end of the two runs: other programs took part in it, and in the 99th percentiles.`,
      `COPY writes the same columns, the lead as one text, and takes three processes for it where the export has one cursor; medians of ${EXPORTS} exports in turn with it. The growth of memory is that of another process, which has just begun and exports once.`,
      'The three kinds of returns are filed in turn.',
    ],
    tables: [reads, exportTable([few, many]), claims],
    data: { few, many },
  };
}

function exportTable(all: readonly Findings[]): Table {
  return {
    title: 'Export of everything',
    columns: [
      'rows',
      'rows per second',
      'ratio to COPY',
      'first byte ms',
      'MB sent',
      'growth of RSS, MB',
      'growth of PSS, MB',
    ],
    rows: all.map(({ exported: { rows, perSecond, ratio, firstByteMs, megabytes, growth } }) => [
      rows.toLocaleString('en-US'),
      shown(perSecond),
      shown(ratio),
      shown(firstByteMs),
      shown(megabytes),
      shown(growth.rssMb),
      shown(growth.pssMb),
    ]),
  };
}
