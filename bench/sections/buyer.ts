// What a partner with a long past waits for: pages of its deliveries, a year's statistics, an export of everything, a claim.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';

import { typeId } from '../../src/base/ids.ts';
import { copyOut } from '../support/copy-out.ts';
import { shown } from '../support/numbers.ts';
import { type OneClient, openClient, type Times } from '../support/one-client.ts';
import type { BenchOptions } from '../support/options.ts';
import { BIG_PARTNER, PARTNERS, partnersYaml, plantPartnerPast } from '../support/partner-past.ts';
import { type Memory, memoryOf } from '../support/proc.ts';
import { run } from '../support/processes.ts';
import type { Section, Table } from '../support/report.ts';
import { COMMAND, type Engine, holdEngine, makePlace, removePlace, startService } from '../support/service.ts';

/** What everything is compared with. */
const FEW = 100_000;
const REQUESTS = 300;
const CLAIMS = 120;
const PAGE_SIZE = 25;
const DAY_MS = 86_400_000;
const SAMPLE_MS = 25;
const SETTLE_MS = 3000;
const LEADS = '/api/v1/buyer/leads';
const STATUSES = ['Pending', 'Confirmed', 'Failed', 'Returned'] as const;

type Named = Times & { readonly name: string };
type Export = {
  readonly rows: number;
  readonly perSecond: number;
  readonly copyPerSecond: number;
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
  const place = await makePlace(directory, null, partnersYaml());
  const engine = await holdEngine(place);
  const began = performance.now();
  const now = new Date();
  await plantPartnerPast(engine, deliveries, now);
  progress(`buyer: planted ${deliveries} deliveries in ${shown((performance.now() - began) / 1000)} s`);
  const issued = await run(COMMAND, ['token', 'issue', '--partner', BIG_PARTNER, '--json'], place.env);
  const service = await startService(place, 'api');
  const client = openClient(service.url, (JSON.parse(issued) as { token: string }).token);
  const floor = await client.time(times(REQUESTS, { path: '/healthz' }));
  const reads: Named[] = [];
  for (const { name, path } of await readsOf(client, now)) {
    const found = { name, ...(await client.time(times(REQUESTS, { path }))) };
    progress(`buyer: ${name}: ${shown(found.p50Ms)} / ${shown(found.p99Ms)} ms`);
    reads.push(found);
  }
  const exported = await measureExport(engine, client, service.pid);
  progress(`buyer: export ${JSON.stringify(exported)}`);
  // A partner with few deliveries has its cap used up before enough was measured.
  const claims = deliveries < 10 * FEW ? [] : await measureClaims(engine, client, now);
  progress(`buyer: claims ${JSON.stringify(claims)}`);
  await client.close();
  await service.stop();
  await engine.release();
  removePlace(place);
  return { deliveries, floor, reads, exported, claims, load: loadavg()[0] ?? Number.NaN };
}

function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

/** Each list at its beginning, at page 1,000 (or half way, where there are not so many) and at its end. */
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

async function measureExport({ client: database }: Engine, client: OneClient, pid: number): Promise<Export> {
  const path = '/api/v1/buyer/export';
  const copy = `COPY (SELECT d.delivery_id, d.ref_number, d.event_type, d.status, d.payout_cents, d.delivered_at, d.appointment_at, l.fields
    FROM delivery d JOIN lead l USING (lead_id) WHERE d.buyer_key = '${BIG_PARTNER}' ORDER BY d.delivered_at DESC, d.delivery_id DESC)
    TO STDOUT (FORMAT csv)`;
  // Once for the caches of both, and then one after the other.
  const copied = [await copyOut(database, copy)];
  await sleep(SETTLE_MS);
  const before = memoryOf([pid]);
  const samples: Memory[] = [];
  const sampling = setInterval(() => samples.push(memoryOf([pid])), SAMPLE_MS);
  const { firstByteMs, ms, lines, bytes } = await client.stream(path);
  clearInterval(sampling);
  copied.push(await copyOut(database, copy));
  const rows = lines - 1;
  const last = copied.at(-1) ?? { ms: Number.NaN, rows: 0 };
  if (rows !== last.rows) throw new Error(`the export has ${rows} rows, and there are ${last.rows}`);
  const growth = (of: (one: Memory) => number): number => Math.max(0, ...samples.map(of)) - of(before);
  return {
    rows,
    perSecond: rows / (ms / 1000),
    copyPerSecond: last.rows / (last.ms / 1000),
    firstByteMs,
    megabytes: bytes / 2 ** 20,
    growth: { rssMb: growth((one) => one.rssMb), pssMb: growth((one) => one.pssMb) },
  };
}

/** Returns of what was delivered in the last days, while the partner's caps are far, and where the share has to be counted exactly. */
async function measureClaims({ client: database }: Engine, client: OneClient, now: Date): Promise<Named[]> {
  const found: Named[] = [];
  const file = async (
    name: string,
    eventType: 'Lead Sale' | 'Calendar Assigned',
    before?: () => Promise<void>,
  ): Promise<void> => {
    const { rows } = await database.query<{ id: string }>(
      `SELECT delivery_id AS id FROM delivery d
       WHERE buyer_key = $1 AND status = 'Confirmed' AND event_type = $2 AND delivered_at > $3 AND delivered_at > $4
         AND NOT EXISTS (SELECT FROM claim c WHERE c.delivery_id = d.delivery_id)
       ORDER BY delivered_at DESC LIMIT ${CLAIMS}`,
      [BIG_PARTNER, eventType, new Date(now.getTime() - 4 * DAY_MS), monthOf(now)],
    );
    const reason = eventType === 'Lead Sale' ? 'invalid_phone' : 'no_show';
    const body = (id: string): object => ({ deliveryId: typeId('delivery', id), reason, proof: 'Called three times.' });
    const wishes = rows.map(({ id }) => ({ path: '/api/v1/buyer/returns', body: body(id) }));
    // Ten are no 99th percentile of anything.
    if (wishes.length >= 20) found.push({ name, ...(await client.time(wishes, before)) });
  };
  await file('return, cap by number', 'Calendar Assigned');
  await file('return, cap by percentage', 'Lead Sale');
  await file('return, close to the cap by percentage', 'Lead Sale', async () => {
    // Just above a tenth of what was kept for certain, and below a tenth of what may have been kept.
    await database.query(
      `UPDATE claim_month_count SET used = (
         SELECT sum(deliveries) / 10 + 5 FROM delivery_count
         WHERE buyer_key = $1 AND event_type = 'Lead Sale' AND status IN ('Confirmed', 'Returned') AND day > $2::date)
       WHERE buyer_key = $1 AND event_type = 'Lead Sale'`,
      [BIG_PARTNER, monthOf(now)],
    );
  });
  return found;
}

/** The first of the month; what was delivered in the hours around it is left to the zone. */
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
      'COPY writes the same columns, the lead as one text, and takes three processes for it where the export has one cursor.',
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
    rows: all.map(({ exported: { rows, perSecond, copyPerSecond, firstByteMs, megabytes, growth } }) => [
      rows.toLocaleString('en-US'),
      shown(perSecond),
      shown(perSecond / copyPerSecond),
      shown(firstByteMs),
      shown(megabytes),
      shown(growth.rssMb),
      shown(growth.pssMb),
    ]),
  };
}
