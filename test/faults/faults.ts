// `npm run test:faults [-- --rounds N] [--only kill,freeze,…] [--seed N] [--rate N] [--room N] [--postgres FOLDER] [--write] [--tiny]`:
// applies faults to the service's processes and their connections to the database, and reports the outcome of every lead (docs/reliability.md).
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { sized } from '../../bench/support/size.ts';
import { killServers } from '../support/server-process.ts';
import { type Fault, faults } from './rounds/faults.ts';
import { type Postgres, startPostgres } from './rounds/postgres.ts';
import { rowOf, table, writeRows } from './rounds/report.ts';
import { runSeries, type Series } from './rounds/series.ts';
import { unmountDisk } from './rounds/stage.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/reliability.md');
/** Seconds: leads that the fault did not delay, and those that it did. */
const GOALS = { others: 20, own: 60 };

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(sized(3, 1)) },
    only: { type: 'string', default: faults.map(({ name }) => name).join() },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    // Leads per second.
    rate: { type: 'string', default: String(sized(20, 8)) },
    // How many times longer than the goals recovery may take, for a busy machine.
    room: { type: 'string', default: String(sized(1, 100)) },
    // A folder with initdb and postgres.
    postgres: { type: 'string' },
    write: { type: 'boolean', default: false },
    // Seconds instead of minutes, to try the faults themselves: two processes, few leads, short outages.
    tiny: { type: 'boolean', default: false },
  },
});

const [rounds, seed, perSecond, room] = [values.rounds, values.seed, values.rate, values.room].map(Number) as [
  number,
  number,
  number,
  number,
];
const chosen = values.only.split(',').map((name): Fault => {
  const fault = faults.find((known) => known.name === name);
  if (fault !== undefined) return fault;
  console.error(`There is no fault ${name}; there are ${faults.map((known) => known.name).join(', ')}.`);
  return process.exit(2);
});

const directory = mkdtempSync(join(tmpdir(), 'leadmarket-faults-'));
// The database may run as another user, who needs access to this folder.
chmodSync(directory, 0o755);
let postgres: Postgres | null = null;
let isCleaning = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.error(`Broken off by ${signal}.`);
    void clean().then(() => process.exit(130));
  });
}

const done: Series[] = [];
let conditions = '';
try {
  postgres = await startPostgres(directory, values.postgres ?? null);
  conditions = `Last written after a run with ${postgres.version} and ${perSecond} leads per second.`;
  console.error(`${postgres.version}, ${rounds} rounds, ${perSecond} leads per second, --seed ${seed}`);
  const goals = { ...GOALS, room };
  const progress = (message: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${message}`);
  for (const fault of chosen) {
    done.push(await runSeries(fault, { directory, postgres, rounds, perSecond, seed, goals, progress }));
  }
} finally {
  await clean();
}
report();

function report(): void {
  const today = new Date().toISOString().slice(0, 10);
  const rows = done.map((series) => rowOf(series, today));
  console.log(`\n${table(rows)}\n`);
  for (const { fault, rounds: all, responses } of done) {
    const counts = Array.from(responses, ([response, count]) => `${count} × ${response}`);
    const again = all.reduce((sum, { sentAgain }) => sum + sentAgain, 0);
    console.log(`${fault.name}: ${counts.join(', ')}; ${again} sent again`);
    for (const [index, { failures, late }] of all.entries()) {
      for (const failure of failures) console.log(`  round ${index + 1}: ${failure}`);
      for (const what of late) console.log(`  round ${index + 1}, within --room ${room}: ${what}`);
    }
  }
  if (values.write) writeRows(DOCUMENT, rows, { order: faults.map(({ title }) => title), conditions });
  const failing = done.filter(({ rounds: all }) => all.some(({ failures }) => failures.length > 0));
  console.log(
    failing.length === 0
      ? '\nEverything holds.'
      : `\nNot everything holds: ${failing.map(({ fault }) => fault.name).join(', ')}.`,
  );
  // Connections still open belong to a fault and would never end by themselves.
  process.exit(failing.length === 0 ? 0 : 1);
}

async function clean(): Promise<void> {
  if (isCleaning) return;
  isCleaning = true;
  await killServers();
  await postgres?.stop();
  unmountDisk(directory);
  rmSync(directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
