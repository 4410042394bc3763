// Measures the service's memory: after the start, under load, and afterwards; with `--minutes` also whether it grows under a steady load.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { applyLoad, sendAndRecord } from '../support/load.ts';
import { median, shown, slope } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { type Memory, memoryOf, postgresPids, processorMs } from '../support/proc.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Section, Table } from '../support/report.ts';
import { makeWorkspace, removeWorkspace, type Service, startService } from '../support/service.ts';
import { sized } from '../support/size.ts';

const SETTLE_MS = sized(5000, 500);
const SAMPLE_MS = sized(500, 100);
const LOAD = { connections: sized(64, 4), seconds: sized(20, 1) };
const AFTERWARDS_MS = sized(30_000, 500);
const STEADY = { connections: 32, seconds: 60, rate: 300 };
const STEADY_SAMPLE_MS = 10_000;

type Sample = { readonly node: Memory; readonly postgres: Memory };
type Steady = {
  readonly leads: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly samples: ReadonlyArray<Sample & { readonly minute: number }>;
};

export async function measureMemory(options: BenchOptions): Promise<Section> {
  const { directory, minutes, progress } = options;
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(directory, receiver.origin);
  const service = await startService(workspace, 'all');
  await sleep(SETTLE_MS);
  const idle = sample(service, workspace.dataDir);
  progress(`memory: idle ${shown(idle.node.rssMb)} + ${shown(idle.postgres.pssMb)} MB`);
  const samples: Sample[] = [];
  const sampling = setInterval(() => samples.push(sample(service, workspace.dataDir)), SAMPLE_MS);
  await applyLoad(service, LOAD);
  clearInterval(sampling);
  await sleep(AFTERWARDS_MS);
  const after = sample(service, workspace.dataDir);
  await service.stop();
  await receiver.stop();
  removeWorkspace(workspace);
  const steady = minutes === 0 ? null : await holdLoad(options);
  const peak = (of: (one: Sample) => number): number => Math.max(...samples.map(of));
  const row = (title: string, values: readonly number[]): string[] => [title, ...values.map(shown)];
  const figures = ({ node, postgres }: Sample): number[] => [
    node.rssMb,
    node.pssMb,
    postgres.rssMb,
    postgres.pssMb,
    node.pssMb + postgres.pssMb,
  ];
  return {
    name: 'memory',
    title: 'Memory',
    notes: [
      'One process, `--role all`, with its embedded PostgreSQL. RSS counts memory that processes share once for each of them; PSS divides it among them, so its sum is what the machine has to have.',
      "PostgreSQL's part grows with its buffers (256 MB at most) as pages are first used.",
    ],
    tables: [
      {
        title: 'Megabytes',
        columns: ['', 'Node RSS', 'Node PSS', 'PostgreSQL RSS', 'PostgreSQL PSS', 'together PSS'],
        rows: [
          row(`idle, ${SETTLE_MS / 1000} s after the start`, figures(idle)),
          row(
            `highest under load (${LOAD.connections} connections, ${LOAD.seconds} s, routing and webhooks)`,
            [0, 1, 2, 3, 4].map((index) => peak((one) => figures(one)[index] ?? 0)),
          ),
          row(`${AFTERWARDS_MS / 1000} s after the load`, figures(after)),
        ],
      },
      ...(steady === null ? [] : [steadyTable(steady, minutes)]),
    ],
    data: { idle, samples, after, steady },
  };
}

/** On a service of its own, which the heavy load has not grown. */
async function holdLoad({ directory, minutes, progress }: BenchOptions): Promise<Steady> {
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(directory, receiver.origin);
  const service = await startService(workspace, 'all');
  await sleep(SETTLE_MS);
  const nodeBefore = processorMs([service.pid]);
  const postgresBefore = processorMs(postgresPids(workspace.dataDir));
  const began = performance.now();
  const samples: Array<Sample & { minute: number }> = [];
  const sampling = setInterval(() => {
    const minute = (performance.now() - began) / 60_000;
    const taken = sample(service, workspace.dataDir);
    samples.push({ minute, ...taken });
    progress(`memory: minute ${shown(minute)}, ${shown(taken.node.rssMb)} + ${shown(taken.postgres.pssMb)} MB`);
  }, STEADY_SAMPLE_MS);
  let leads = 0;
  // A minute at a time, so that neither sender nor receiver holds more than a minute of leads.
  for (let minute = 0; minute < minutes; minute += 1) {
    leads += (await sendAndRecord(service, STEADY)).sent.length;
    await receiver.takeArrivals();
  }
  clearInterval(sampling);
  const nodeMs = processorMs([service.pid]) - nodeBefore;
  const postgresMs = processorMs(postgresPids(workspace.dataDir)) - postgresBefore;
  await service.stop();
  await receiver.stop();
  removeWorkspace(workspace);
  return { leads, nodeMs, postgresMs, samples };
}

function steadyTable({ leads, nodeMs, postgresMs, samples }: Steady, minutes: number): Table {
  const half = samples.filter(({ minute }) => minute >= minutes / 2);
  const growth = (of: (one: Sample) => number): number => slope(half.map((one) => [one.minute, of(one)]));
  const row = (title: string, of: (one: Sample) => number, ms: number): string[] => [
    title,
    shown(median(half.map(of))),
    shown(Math.max(...samples.map(of))),
    shown(growth(of)),
    shown((ms * 1000) / leads),
  ];
  return {
    title: `${STEADY.rate} leads a second for ${minutes} minutes, load average ${shown(loadavg()[0] ?? 0)}`,
    columns: ['', 'median of the second half, MB', 'highest, MB', 'growth in it, MB a minute', 'processor µs per lead'],
    rows: [
      row('Node, RSS', ({ node }) => node.rssMb, nodeMs),
      row('PostgreSQL, PSS', ({ postgres }) => postgres.pssMb, postgresMs),
    ],
  };
}

function sample({ pid }: Service, dataDir: string): Sample {
  return { node: memoryOf([pid]), postgres: memoryOf(postgresPids(dataDir)) };
}
