// The commands `backup` and `restore`: all rows of the database into one file, and back (docs/operations.md, backups).
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Command } from 'commander';

import type { CliContext } from './cli.ts';
import { restoreBackup } from './database/backup/restore-backup.ts';
import { takeBackup } from './database/backup/take-backup.ts';
import type { ReachedDatabase } from './database/connect.ts';
import { openDatabase } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { takeServeLock } from './database/serve-lock.ts';
import { runningServers } from './processes/running-servers.ts';

export type BackupContext = Pick<CliContext, 'clock' | 'out'> & {
  /** Reaches the database for the time of `work` as it is: a backup is taken before an upgrade, not by it. */
  readonly withReached: <Value>(work: (reached: ReachedDatabase) => Promise<Value>) => Promise<Value>;
};

const MEGABYTE = 1_000_000;

export function registerBackupCommands(program: Command, context: BackupContext): void {
  program
    .command('backup <file>')
    .description(
      'write all rows of the database, as they are at this instant, into a new file; servers go on meanwhile',
    )
    .action((file: string) => backup(resolve(file), context));
  program
    .command('restore <file>')
    .description('bring a backup back into an empty database, and to the schema of this version; no server may run')
    .option('--replace', 'drop what an embedded database holds now; it stays as it is unless all of the backup is back')
    .action((file: string, { replace = false }: { replace?: boolean }) => restore(resolve(file), replace, context));
}

async function backup(file: string, { withReached, clock, out }: BackupContext): Promise<void> {
  if (existsSync(file))
    return out.refuse('file_exists', `${file} exists, and a backup is never written over another one.`);
  const interrupted = removeWhenInterrupted();
  try {
    const report = await withReached(({ connection }) =>
      takeBackup({
        connection,
        file,
        now: clock.now(),
        onProgress: (table, share) => out.progress(`${percent(share)} ${table}…`),
        onDraft: interrupted.discardWith,
      }),
    );
    if (report === null) return out.refuse('database_empty', 'The database is empty: there is nothing to back up.');
    const size = `${Math.max(1, Math.round(report.bytes / MEGABYTE))} MB`;
    out.print({ json: { file, ...report }, text: `${file}: ${report.rows} rows of ${report.tables} tables, ${size}.` });
  } catch (error) {
    const fault = faultOfFile(error);
    if (fault === null) throw error;
    out.refuse('file_unwritable', `${file} could not be written: ${fault}. Nothing is left of it.`);
  } finally {
    interrupted.end();
  }
}

async function restore(file: string, replaces: boolean, { withReached, clock, out }: BackupContext): Promise<void> {
  try {
    await withReached(async ({ connection, isEmbedded }) => {
      if (replaces && !isEmbedded) {
        return out.refuse(
          'not_embedded',
          'Only an embedded database is replaced: restore into a new one of your server.',
        );
      }
      const database = openDatabase({ connection, connections: 2, applicationName: 'leadmarket command' });
      try {
        // Keeps servers from starting meanwhile; they ask for it on an embedded database only.
        const lock = await takeServeLock(database, () => undefined);
        if (lock === null || (await runningServers(database)) > 0) {
          await lock?.release();
          return out.refuse('server_running', 'A server is running on this database: stop it first.');
        }
        const outcome = await restoreBackup({
          connection,
          file,
          replaces,
          now: clock.now(),
          onProgress: (table, share) => out.progress(`${percent(share)} ${table}…`),
        });
        if (!outcome.ok) {
          await lock.release();
          return out.refuse(outcome.code, outcome.message);
        }
        const { applied } = await migrate(database, clock.now());
        await lock.release();
        const { report } = outcome;
        const skipped =
          report.skipped.length === 0 ? '' : ` Left out, as not of this program: ${report.skipped.join(', ')}.`;
        out.print({
          json: { file, ...report, migrationsApplied: applied },
          text: `${report.rows} rows of ${report.tables} tables, as of ${report.takenAt}.${skipped} Everybody has to sign in again. Look with: leadmarket doctor; leadmarket ledger check`,
        });
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    const fault = faultOfFile(error);
    if (fault === null) throw error;
    out.refuse('restore_failed', `Nothing was restored: ${fault}.`);
  }
}

function percent(share: number): string {
  return `${Math.min(99, Math.floor(share * 100))} %`;
}

/** In words, where the operator can do something about it; null for anything else. */
function faultOfFile(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    // What PostgreSQL says when its own disk is full.
    case '53100':
      return 'the disk of the database is full';
    case 'ENOENT':
      return 'there is no such file or folder';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'this user may not';
    default:
      return null;
  }
}

type Interrupted = { readonly discardWith: (discard: () => Promise<void>) => void; readonly end: () => void };

/** Half a backup of many gigabytes is not left behind by Ctrl-C. */
function removeWhenInterrupted(): Interrupted {
  let discard: () => Promise<void> = () => Promise.resolve();
  // The second time nobody listens, and the process ends as it would have.
  const onSignal = (signal: NodeJS.Signals): void => {
    void discard().finally(() => process.kill(process.pid, signal));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onSignal);
  return {
    discardWith: (given) => (discard = given),
    end() {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
    },
  };
}
