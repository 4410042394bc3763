// Connects the called command of `leadmarket` to the environment, the database and the terminal (contract 7.1).
import type pg from 'pg';

import type { BackupContext } from '../platform/backup.cli.ts';
import type { CliContext } from '../platform/cli.ts';
import type { CliOutput } from '../platform/cli-output.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, type ConfigOutcome, loadConfig } from '../platform/config.ts';
import type { ReachedDatabase } from '../platform/database/connect.ts';
import type { Database } from '../platform/database/database.ts';
import type { MigrationReport } from '../platform/database/migrate.ts';
import { OutsideError } from '../platform/outside-error.ts';
import type { OperatorCliContext } from '../sessions/operators.cli.ts';

export type CommandsContext = CliContext &
  BackupContext &
  OperatorCliContext & {
    /** Errors in it are reported by commands that need the configuration, so that help always works. */
    readonly environment: ConfigOutcome;
    /** Throws when the environment has errors. */
    readonly config: () => Config;
    /** What every command with a database does first; this one reports it. */
    readonly migrate: () => Promise<MigrationReport>;
  };

export function commandContext(out: CliOutput): CommandsContext {
  const environment = loadConfig(process.env);
  // Imported when a command connects: its help and `file-schema` need no database.
  const withReached = async <Value>(work: (reached: ReachedDatabase) => Promise<Value>): Promise<Value> => {
    const { reachDatabase } = await import('../platform/database/connect.ts');
    const reached = await reachDatabase(configOf(environment), (message) => out.progress(message));
    try {
      return await work(reached);
    } finally {
      await reached.release();
    }
  };
  const withMigrated = <Value>(work: (database: Database, report: MigrationReport) => Promise<Value>): Promise<Value> =>
    withReached(async ({ connection }) => {
      const { openDatabase } = await import('../platform/database/database.ts');
      const database = openDatabase({ connection, connections: 2, applicationName: 'leadmarket command' });
      try {
        const report = await migrateOrExplain(database, connection);
        return await work(database, report);
      } finally {
        await database.close();
      }
    });
  return {
    environment,
    config: () => configOf(environment),
    clock: systemClock,
    out,
    withDatabase: (work) => withMigrated(work),
    withReached,
    migrate: () => withMigrated((_database, report) => Promise.resolve(report)),
    stdin: process.stdin,
    prompts: process.stderr,
  };
}

function configOf(environment: ConfigOutcome): Config {
  if (environment.ok) return environment.config;
  throw new OutsideError('database_unavailable', environment.faults.join('\n'), { retryable: false });
}

async function migrateOrExplain(database: Database, connection: pg.ClientConfig): Promise<MigrationReport> {
  const { migrate } = await import('../platform/database/migrate.ts');
  try {
    return await migrate(database, systemClock.now());
  } catch (error) {
    const { explainUnreachable } = await import('../platform/database/explain-unreachable.ts');
    const unreachable = explainUnreachable(error, connection);
    if (unreachable === null) throw error;
    throw new OutsideError('database_unavailable', unreachable.says, { retryable: !unreachable.isFinal });
  }
}
