// Measures the CSV file of a large statement: how fast a supplier reads its lines, compared with COPY, and by how much the process grows.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';

import { Temporal } from '../../src/base/temporal.ts';
import { copyOut } from '../support/copy-out.ts';
import { median, shown } from '../support/numbers.ts';
import { type OneClient, openClient } from '../support/one-client.ts';
import type { BenchOptions } from '../support/options.ts';
import { type Memory, memoryOf } from '../support/proc.ts';
import { run } from '../support/processes.ts';
import type { Section } from '../support/report.ts';
import {
  COMMAND,
  type Engine,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  startService,
  type Workspace,
} from '../support/service.ts';
import { plantEarnings, SUPPLIER } from '../support/supplier-past.ts';
import { sized } from '../support/size.ts';

const SIZES = [sized(100_000, 500), sized(1_000_000, 2000)];
const FILES = sized(3, 1);
/** Reading the memory of a process takes it milliseconds, too. */
const SAMPLE_MS = 200;
const SETTLE_MS = sized(3000, 100);

type File = {
  readonly lines: number;
  readonly perSecond: number;
  /** To COPY. */
  readonly ratio: number;
  readonly firstByteMs: number;
  readonly megabytes: number;
};
type Findings = File & { readonly issueMs: number; readonly growth: Memory };

export async function measureStatement(options: BenchOptions): Promise<Section> {
  const found: Findings[] = [];
  for (const leads of SIZES) found.push(await measureAt(options, leads));
  return describe(found);
}

async function measureAt({ directory, progress }: BenchOptions, leads: number): Promise<Findings> {
  const supplier = `{ key: ${SUPPLIER}, name: Bench, status: approved, pay: { model: share, percent: 60 } }`;
  const workspace = await makeWorkspace(directory, null, `suppliers: [${supplier}]`);
  const engine = await holdEngine(workspace);
  const month = Temporal.Now.plainDateISO('UTC').toPlainYearMonth().subtract({ months: 1 }).toString();
  await plantEarnings(engine, { leads, month });
  const began = performance.now();
  await run(COMMAND, ['statements', 'run', '--month', month], workspace.env);
  const issueMs = performance.now() - began;
  const service = await startService(workspace, 'api');
  const client = openClient(service.url, { 'x-api-key': workspace.key });
  const path = await pathOf(client);
  const file = await measureFile(engine, client, path);
  await client.close();
  await service.stop();
  const growth = await measureGrowth(workspace, path);
  progress(`statement: ${JSON.stringify({ ...file, issueMs, growth })}`);
  await engine.release();
  removeWorkspace(workspace);
  return { ...file, issueMs, growth };
}

async function pathOf(client: OneClient): Promise<string> {
  const path = '/api/v1/supplier/statements';
  const { data } = await client.read<{ data: ReadonlyArray<{ statementId: string }> }>(path);
  const [newest] = data;
  if (newest === undefined) throw new Error('no statement was issued');
  return `${path}/${newest.statementId}.csv`;
}

/** In turn with COPY, which writes the same columns without the service. */
async function measureFile({ client: database }: Engine, client: OneClient, path: string): Promise<File> {
  const copy = `COPY (SELECT lead.external_id, lead.lead_id, entry.created_at, transfer.type, entry.amount_cents, transfer.description
    FROM entry JOIN transfer USING (transfer_id) LEFT JOIN delivery USING (delivery_id) LEFT JOIN lead USING (lead_id)
    WHERE entry.account_key = 'supplier:${SUPPLIER}' ORDER BY entry.account_version) TO STDOUT (FORMAT csv)`;
  // One run of both first, to fill the caches.
  await copyOut(database, copy);
  await client.stream(path);
  const files: File[] = [];
  for (let round = 0; round < FILES; round += 1) {
    const { firstByteMs, ms, lines: all, bytes } = await client.stream(path);
    const copied = await copyOut(database, copy);
    const lines = all - 1;
    if (lines !== copied.rows) throw new Error(`the file has ${lines} lines, and there are ${copied.rows}`);
    files.push({
      lines,
      perSecond: (1000 * lines) / ms,
      ratio: copied.ms / ms,
      firstByteMs,
      megabytes: bytes / 2 ** 20,
    });
  }
  const middle = (name: keyof File): number => median(files.map((file) => file[name]));
  return {
    lines: middle('lines'),
    perSecond: middle('perSecond'),
    ratio: middle('ratio'),
    firstByteMs: middle('firstByteMs'),
    megabytes: middle('megabytes'),
  };
}

/** Memory of a new process: an older one has already taken most of the memory that it will ever need. */
async function measureGrowth(workspace: Workspace, path: string): Promise<Memory> {
  const service = await startService(workspace, 'api');
  const client = openClient(service.url, { 'x-api-key': workspace.key });
  await pathOf(client);
  await sleep(SETTLE_MS);
  const before = memoryOf([service.pid]);
  const samples: Memory[] = [];
  const sampling = setInterval(() => samples.push(memoryOf([service.pid])), SAMPLE_MS);
  await client.stream(path);
  clearInterval(sampling);
  samples.push(memoryOf([service.pid]));
  await client.close();
  await service.stop();
  const growth = (of: (one: Memory) => number): number => Math.max(...samples.map(of)) - of(before);
  return { rssMb: growth((one) => one.rssMb), pssMb: growth((one) => one.pssMb) };
}

function describe(found: readonly Findings[]): Section {
  return {
    name: 'statement',
    title: 'The lines of a statement',
    notes: [
      `A supplier with a share of the price reads the CSV file of one month, a line per lead: one client on one kept connection, \`--role api\`. Medians of ${FILES} files in turn with COPY, which writes the same columns of the same rows in the same order. The goal is a ratio of at least 0.5, and memory that does not grow with the lines.`,
      `Issuing is the whole command \`statements run\`, its start included. The growth of memory is that of another process, which has just begun and sends the file once. The load average was ${shown(loadavg()[0] ?? 0)} at the end.`,
    ],
    tables: [
      {
        title: 'CSV file',
        columns: [
          'lines',
          'lines per second',
          'ratio to COPY',
          'first byte ms',
          'MB sent',
          'growth of RSS, MB',
          'growth of PSS, MB',
          'issuing ms',
        ],
        rows: found.map(({ lines, perSecond, ratio, firstByteMs, megabytes, growth, issueMs }) => [
          lines.toLocaleString('en-US'),
          shown(perSecond),
          shown(ratio),
          shown(firstByteMs),
          shown(megabytes),
          shown(growth.rssMb),
          shown(growth.pssMb),
          shown(issueMs),
        ]),
      },
    ],
    data: found,
  };
}
