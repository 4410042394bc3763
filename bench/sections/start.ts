// Measures the start of the service on existing data, from the command to the first 200 of /readyz.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';

import { percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { memoryOf, processorMs } from '../support/proc.ts';
import { type Program, startProgram } from '../support/processes.ts';
import type { Section } from '../support/report.ts';
import { COMMAND } from '../support/service.ts';
import { IS_TINY } from '../support/size.ts';

type Start = { readonly wallMs: number; readonly processorMs: number; readonly rssMb: number };

const ROOT = join(import.meta.dirname, '../..');

export async function measureStart({ directory, rounds, progress }: BenchOptions): Promise<Section> {
  const dataDir = mkdtempSync(join(directory, 'data-'));
  const env = { DATA_DIR: dataDir, PORT: '0', DRAIN_SECONDS: '0', DEMO: IS_TINY ? 'off' : 'on' };
  const start = async (command: string, ...args: string[]): Promise<Start> => {
    const began = performance.now();
    const program = startProgram(command, args, env);
    await whenReady(program);
    const wallMs = performance.now() - began;
    const measured = { wallMs, processorMs: processorMs([program.pid]), rssMb: memoryOf([program.pid]).rssMb };
    await program.stop();
    return measured;
  };
  // Loads the demo, builds the pages and fills the cache of compiled code.
  await start(COMMAND, 'serve');
  const byNpm: Start[] = [];
  const byCommand: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    byNpm.push(await start('npm', 'start', '--prefix', ROOT));
    byCommand.push(await start(COMMAND, 'serve'));
    progress(`start: ${JSON.stringify([byNpm.at(-1), byCommand.at(-1)])}`);
  }
  rmSync(dataDir, { recursive: true, force: true });
  const figures = (starts: readonly Start[], of: (one: Start) => number): string[] =>
    [0, 50, 100].map((share) => shown(percentile(starts.map(of), share)));
  const columns = ['', 'least', 'median', 'most'];
  return {
    name: 'start',
    title: 'Start',
    notes: [
      `${rounds} starts each, in turn, on the data of the demo with the embedded PostgreSQL; until /readyz responds with 200. Load average at the end: ${shown(loadavg()[0] ?? 0)}. Processor time is of the service's own process, and what other programs on the machine blur least.`,
    ],
    tables: [
      {
        title: 'Milliseconds, and megabytes when ready',
        columns,
        rows: [
          ['`npm start`, ms', ...figures(byNpm, (one) => one.wallMs)],
          ['`bin/leadmarket serve`, ms', ...figures(byCommand, (one) => one.wallMs)],
          ['its processor time, ms', ...figures(byCommand, (one) => one.processorMs)],
          ['its RSS, MB', ...figures(byCommand, (one) => one.rssMb)],
        ],
      },
    ],
    data: { byNpm, byCommand },
  };
}

async function whenReady(program: Program): Promise<void> {
  const url = (await program.line(/^URL {2}/)).slice('URL  '.length);
  while ((await fetch(`${url}/readyz`)).status !== 200);
}
