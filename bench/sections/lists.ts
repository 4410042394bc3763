// Measures a list of ten million entries: how fast it loads compared with COPY and in how much memory, and what its look-up costs routing.
import { createWriteStream, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { makeBacklog, type WorkedOff, workOff } from '../support/backlog.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { memoryOf } from '../support/proc.ts';
import { run, startProgram } from '../support/processes.ts';
import type { Section } from '../support/report.ts';
import {
  asExternal,
  COMMAND,
  type Engine,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  type Workspace,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const ENTRIES = sized(10_000_000, 20_000);
const BACKLOG_SECONDS = sized(4, 1);
/** Of each kind; each takes a quarter of a minute. */
const MOST_ROUNDS = 3;
/** Reading the memory of a process takes it milliseconds, too. */
const SAMPLE_MS = 500;
const LINES_AT_ONCE = 10_000;
/** Numbers of seven digits from 2,000,000 on. */
const LINES_OF_AREA = 8_000_000;

type Load = {
  readonly entries: number;
  readonly seconds: number;
  /** COPY of the same rows in the same order into a table of the same form. */
  readonly copySeconds: number;
  readonly fileMb: number;
  /** The most that the command had, early and late: it does not grow with the file. */
  readonly earlyMb: number;
  readonly mostMb: number;
};

export async function measureLists(options: BenchOptions): Promise<Section> {
  const { directory, progress } = options;
  const workspace = await makeWorkspace(directory, null);
  const engine = await holdEngine(workspace);
  const load = await measureLoad(options, { workspace, engine });
  progress(`lists: ${JSON.stringify(load)}`);
  const rounds = Math.min(options.rounds, MOST_ROUNDS);
  const found: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const pair = await measurePair({ workspace, engine });
    progress(`lists: ${JSON.stringify(pair)}`);
    found.push(pair);
  }
  await engine.release();
  removeWorkspace(workspace);
  return describe(load, found);
}

type Site = { readonly workspace: Workspace; readonly engine: Engine };

async function measureLoad({ directory }: BenchOptions, { workspace, engine }: Site): Promise<Load> {
  const { client } = engine;
  const { env } = asExternal(workspace, engine);
  const file = join(directory, 'list.csv');
  await pipeline(Readable.from(linesOf(ENTRIES)), createWriteStream(file));
  await run(COMMAND, ['list', 'create', 'bench', '--kind', 'phone', '--use', 'suppress'], env);
  const began = performance.now();
  const command = startProgram(COMMAND, ['list', 'load', 'bench', file, '--json'], env);
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(memoryOf([command.pid]).rssMb), SAMPLE_MS);
  const loaded = JSON.parse(await command.line(/^\{/)) as { entries: number };
  clearInterval(sampling);
  const seconds = (performance.now() - began) / 1000;
  await command.stop();
  const copy = join(workspace.dataDir, 'entries.copy');
  await client.query('CREATE TABLE copied_entry (LIKE list_entry INCLUDING INDEXES)');
  await client.query(`COPY list_entry TO '${copy}' (FORMAT binary)`);
  await client.query('CHECKPOINT');
  const copyBegan = performance.now();
  await client.query(`COPY copied_entry FROM '${copy}' (FORMAT binary)`);
  const copySeconds = (performance.now() - copyBegan) / 1000;
  await client.query('DROP TABLE copied_entry');
  await client.query('VACUUM ANALYZE list_entry');
  const early = samples.slice(0, Math.ceil(samples.length / 4));
  return {
    ...{ entries: loaded.entries, seconds, copySeconds, fileMb: statSync(file).size / 2 ** 20 },
    ...{ earlyMb: Math.max(...early), mostMb: Math.max(...samples) },
  };
}

/** Phones that no lead of the load has, in no order. */
function* linesOf(count: number): Generator<string> {
  yield 'phone\n';
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    let lines = '';
    for (let number = from; number < Math.min(from + LINES_AT_ONCE, count); number += 1) {
      // A prime, so that each number comes once and neighbours are far apart.
      const area = number < LINES_OF_AREA ? 646 : 917;
      lines += `+1${area}${2_000_000 + ((number * 7919) % LINES_OF_AREA)}\n`;
    }
    yield lines;
  }
}

type Pair = { readonly without: WorkedOff; readonly withList: WorkedOff };

/** One worker works off a backlog without a list and one with it. */
async function measurePair({ workspace, engine }: Site): Promise<Pair> {
  const once = async (hasList: boolean): Promise<WorkedOff> => {
    // Routing learns of lists when it starts.
    await engine.client.query(
      hasList ? 'UPDATE list SET removed_at = NULL' : 'UPDATE list SET removed_at = created_at',
    );
    await makeBacklog(workspace, BACKLOG_SECONDS);
    return workOff(workspace, engine, { workers: 1 });
  };
  return { without: await once(false), withList: await once(true) };
}

function describe(load: Load, pairs: readonly Pair[]): Section {
  const middle = (of: (pair: Pair) => number): number => median(pairs.map(of));
  const row = (name: string, of: (pair: Pair) => WorkedOff): string[] => [
    name,
    shown(middle((pair) => of(pair).perSecond)),
    shown(middle((pair) => of(pair).nodeMicros)),
    shown(middle((pair) => of(pair).postgresMicros)),
  ];
  return {
    name: 'lists',
    title: 'A list of ten million phones',
    notes: [
      `\`leadmarket list load\` reads ${load.entries.toLocaleString('en-US')} phones from a CSV file of ${shown(load.fileMb)} MB, its start included; then COPY writes the same rows in the same order, in binary form, into an empty table with the same primary key. The goal is a ratio of at least 0.3, in memory that does not grow with the file.`,
      `Then one worker routes backlogs without the list and with it in turn, ${pairs.length} of each; no lead is on the list, so that each is sold as without it. The goal is at most 1.05 times PostgreSQL's processor time. The load average was ${shown(loadavg()[0] ?? 0)} at the end.`,
    ],
    tables: [
      {
        title: 'Load',
        columns: [
          'entries',
          'entries per second',
          'COPY, rows per second',
          'ratio to COPY',
          'RSS in the first quarter, MB',
          'most RSS, MB',
        ],
        rows: [
          [
            load.entries.toLocaleString('en-US'),
            shown(load.entries / load.seconds),
            shown(load.entries / load.copySeconds),
            shown(load.copySeconds / load.seconds),
            shown(load.earlyMb),
            shown(load.mostMb),
          ],
        ],
      },
      {
        title: 'Look-up',
        columns: ['', 'leads per second', 'Node µs per lead', 'PostgreSQL µs per lead'],
        rows: [
          row('without a list', ({ without }) => without),
          row('with the list', ({ withList }) => withList),
          [
            'ratio, median of the rounds',
            shown(middle(({ without, withList }) => withList.perSecond / without.perSecond)),
            shown(middle(({ without, withList }) => withList.nodeMicros / without.nodeMicros)),
            shown(middle(({ without, withList }) => withList.postgresMicros / without.postgresMicros)),
          ],
        ],
      },
    ],
    data: { load, pairs },
  };
}
