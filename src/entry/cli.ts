// The program `leadmarket`: parses the command line, and connects commands to the database (contract 7.1).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type pg from 'pg';

import { runCommand } from '../platform/cli.ts';
import type { CliOutput } from '../platform/cli-output.ts';
import { systemClock } from '../platform/clock.ts';
import { loadConfig } from '../platform/config.ts';
import { type ReachedDatabase, reachDatabase } from '../platform/database/connect.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { explainUnreachable } from '../platform/database/explain-unreachable.ts';
import { migrate, type MigrationReport } from '../platform/database/migrate.ts';
import { OutsideError } from '../platform/outside-error.ts';
import { configOf, registerCommands } from './commands.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
const environment = loadConfig(process.env);

process.exitCode = await runCommand(process.argv.slice(2), {
  version,
  description: 'The lead marketplace: its server and all commands of the operator.',
  streams: process,
  register: (program, out) =>
    registerCommands(program, {
      environment,
      clock: systemClock,
      out,
      withDatabase: (work) => withMigrated(out, work),
      withReached: (work) => withReached(out, work),
      migrate: () => withMigrated(out, (_database, report) => Promise.resolve(report)),
      stdin: process.stdin,
      prompts: process.stderr,
    }),
});

async function withReached<Value>(out: CliOutput, work: (reached: ReachedDatabase) => Promise<Value>): Promise<Value> {
  const reached = await reachDatabase(configOf(environment), (message) => out.progress(message));
  try {
    return await work(reached);
  } finally {
    await reached.release();
  }
}

function withMigrated<Value>(
  out: CliOutput,
  work: (database: Database, report: MigrationReport) => Promise<Value>,
): Promise<Value> {
  return withReached(out, async ({ connection }) => {
    const database = openDatabase({ connection, connections: 2, applicationName: 'leadmarket command' });
    try {
      const report = await migrateOrExplain(database, connection);
      return await work(database, report);
    } finally {
      await database.close();
    }
  });
}

async function migrateOrExplain(database: Database, connection: pg.ClientConfig): Promise<MigrationReport> {
  try {
    return await migrate(database, systemClock.now());
  } catch (error) {
    const unreachable = explainUnreachable(error, connection);
    if (unreachable === null) throw error;
    throw new OutsideError('database_unavailable', unreachable.says, { retryable: !unreachable.isFinal });
  }
}
