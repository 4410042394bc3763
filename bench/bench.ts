// `npm run bench [section …] [--cores 0,1|all] [--rounds N] [--seconds N] [--patience N] [--known N,…] [--deliveries N] [--minutes N] [--label TEXT] [--dir PATH] [--tiny]`: measures the service and
// writes what it found to RESULTS.md and results/*.json. Everything happens on this machine, and everything that is started is ended.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { describeMachine, type Fact } from './support/machine.ts';
import type { BenchOptions } from './support/options.ts';
import { hasCommand, run, stopAll } from './support/processes.ts';
import { markdown, type Section } from './support/report.ts';
import { releaseEngines } from './support/service.ts';
import { IS_TINY, sized } from './support/size.ts';
import { measureBuyer } from './sections/buyer.ts';
import { measureCapacity } from './sections/capacity.ts';
import { measureCost } from './sections/cost.ts';
import { measureDelivery } from './sections/delivery.ts';
import { measureFairness } from './sections/fairness.ts';
import { measureGrowth } from './sections/growth.ts';
import { measureIdle } from './sections/idle.ts';
import { measureIngest } from './sections/ingest.ts';
import { measureLimits } from './sections/limits.ts';
import { measureLists } from './sections/lists.ts';
import { measureMemory } from './sections/memory.ts';
import { measureNeighbours } from './sections/neighbours.ts';
import { measurePages } from './sections/pages.ts';
import { measurePipeline } from './sections/pipeline.ts';
import { measureProcesses } from './sections/processes.ts';
import { measureRejections } from './sections/rejections.ts';
import { measureReplica } from './sections/replica.ts';
import { measureReports } from './sections/reports.ts';
import { measureRouting } from './sections/routing.ts';
import { measureStart } from './sections/start.ts';
import { measureStatement } from './sections/statement.ts';
import { measureVerticals } from './sections/verticals.ts';
import { measureWebhooks } from './sections/webhooks.ts';

type Measure = (options: BenchOptions) => Promise<Section>;
type Measured = Section & { readonly command: string; readonly at: string; readonly machine: readonly Fact[] };
const SECTIONS: Readonly<Record<string, Measure>> = {
  ingest: measureIngest,
  pipeline: measurePipeline,
  processes: measureProcesses,
  start: measureStart,
  memory: measureMemory,
  idle: measureIdle,
  routing: measureRouting,
  cost: measureCost,
  statement: measureStatement,
  verticals: measureVerticals,
  webhooks: measureWebhooks,
  delivery: measureDelivery,
  rejections: measureRejections,
  buyer: measureBuyer,
  pages: measurePages,
  neighbours: measureNeighbours,
  fairness: measureFairness,
  growth: measureGrowth,
  capacity: measureCapacity,
  replica: measureReplica,
  limits: measureLimits,
  reports: measureReports,
  lists: measureLists,
};
const DEFAULT_SECTIONS = ['ingest', 'pipeline', 'start', 'memory'];
const RESULTS = join(import.meta.dirname, 'results');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    // Two, so that results of differently sized machines can be compared.
    cores: { type: 'string', default: '0,1' },
    rounds: { type: 'string', default: String(sized(5, 1)) },
    seconds: { type: 'string', default: String(sized(3, 1)) },
    patience: { type: 'string', default: '0' },
    // Ten million take minutes to plant and 10 GB.
    known: { type: 'string', default: String(sized(1_000_000, 1000)) },
    // Ten million take 20 GB and some ten minutes.
    deliveries: { type: 'string', default: String(sized(10_000_000, 2000)) },
    // Of the steady load of `memory`; 30 show whether memory grows.
    minutes: { type: 'string', default: '0' },
    // Keeps the results beside others, as those of another version of the service.
    label: { type: 'string', default: '' },
    dir: { type: 'string', default: tmpdir() },
    // Shows in seconds that the sections work; the figures mean nothing and are not kept.
    tiny: { type: 'boolean', default: false },
  },
});
const labels = values.label === '' ? [] : [values.label];
const wanted = positionals.length === 0 ? DEFAULT_SECTIONS : positionals;
const unknown = wanted.filter((name) => !Object.hasOwn(SECTIONS, name));
if (unknown.length > 0) {
  console.error(`There is no section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}.`);
  process.exit(2);
}

const directory = mkdtempSync(join(values.dir, 'leadmarket-bench-'));
// The database may run as another user, who needs access to this folder.
chmodSync(directory, 0o755);
process.once('SIGINT', () => void clean().then(() => process.exit(130)));
process.once('SIGTERM', () => void clean().then(() => process.exit(143)));

try {
  const cores = await pinTo(values.cores);
  const machine = await describeMachine(directory, cores);
  const progress = (message: string): void => console.error(message);
  mkdirSync(RESULTS, { recursive: true });
  for (const name of wanted) {
    const section = await SECTIONS[name]?.({
      directory,
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      patience: Number(values.patience),
      known: values.known.split(',').map(Number),
      deliveries: Number(values.deliveries),
      minutes: Number(values.minutes),
      progress,
    });
    if (section === undefined) continue;
    const title = [section.title, ...(values.cores === 'all' ? ['all cores'] : []), ...labels].join(', ');
    console.log(`\n${markdown({ ...section, title })}\n`);
    if (IS_TINY) continue;
    const measured: Measured = { command: commandLine(), at: new Date().toISOString(), machine, ...section, title };
    writeFileSync(join(RESULTS, fileOf(name)), `${JSON.stringify(measured, null, 1)}\n`);
  }
  if (!IS_TINY) writeResults();
} finally {
  await clean();
}

async function clean(): Promise<void> {
  await stopAll();
  await releaseEngines();
  rmSync(directory, { recursive: true, force: true });
}

/** This process and, by inheritance, everything that it starts. */
async function pinTo(cores: string): Promise<string> {
  if (cores === 'all' || !(await hasCommand('taskset'))) return `all ${availableParallelism()}`;
  await run('taskset', ['-a', '-c', '-p', cores, String(process.pid)]);
  return `${cores.split(',').length} (taskset -c ${cores})`;
}

function commandLine(): string {
  const args = process.argv.slice(2);
  return ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' ');
}

function fileOf(name: string): string {
  return `${[name, ...(values.cores === 'all' ? ['all-cores'] : []), ...labels].join('-')}.json`;
}

/** Reads all stored results, so that one section can be measured again. */
function writeResults(): void {
  const files = readdirSync(RESULTS).toSorted();
  const parts = Object.keys(SECTIONS)
    .flatMap((name) => files.filter((file) => file.split(/[-.]/, 1)[0] === name))
    .map((file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')) as Measured);
  const texts = parts.map((part) =>
    [
      markdown(part),
      `Measured ${part.at.slice(0, 10)} by \`${part.command}\` on:`,
      part.machine.map(([name, value]) => `- ${name}: ${value}`).join('\n'),
    ].join('\n\n'),
  );
  const opening = [
    '# Benchmark results',
    'Written by `npm run bench`; the single measurements are in `results/`. Absolute figures are those of one machine, which other programs may have used at the same time: compare within a table.',
  ];
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), `${[...opening, ...texts].join('\n\n')}\n`);
}
