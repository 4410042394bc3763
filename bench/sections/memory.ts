// Measures the service's memory: after the start, under load, and afterwards.
import { setTimeout as sleep } from 'node:timers/promises';

import { applyLoad } from '../support/load.ts';
import { shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { type Memory, memoryOf, postgresPids } from '../support/proc.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import { makeWorkspace, removeWorkspace, type Service, startService } from '../support/service.ts';

const SETTLE_MS = 5000;
const SAMPLE_MS = 500;
const LOAD = { connections: 64, seconds: 20 };
const AFTERWARDS_MS = 30_000;

type Sample = { readonly node: Memory; readonly postgres: Memory };

export async function measureMemory({ directory, progress }: BenchOptions): Promise<Section> {
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
    ],
    data: { idle, samples, after },
  };
}

function sample({ pid }: Service, dataDir: string): Sample {
  return { node: memoryOf([pid]), postgres: memoryOf(postgresPids(dataDir)) };
}
