// The commands `backup` and `restore`: write all rows of the database into one file, and load them back (docs/operations.md, backups).
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
import { runningServers } from './processes/read-processes.ts';

export type BackupContext = Pick<CliContext, 'clock' | 'out'> & {
  /** Connects for the duration of `work` without migrating: a backup is taken before an upgrade. */
  readonly withReached: <Value>(work: (reached: ReachedDatabase) => Promise<Value>) => Promise<Value>;
};

const MEGABYTE = 1_000_000;

export function registerBackup(command: Command, context: BackupContext): void {
  command.action((file: string) => backup(resolve(file), context));
}

export function registerRestore(command: Command, context: BackupContext): void {
  command
    .option('--replace', 'replace the content of an embedded database; it is kept unless the whole backup is restored')
    .action((file: string, { replace = false }: { replace?: boolean }) => restore(resolve(file), replace, context));
}

async function backup(file: string, { withReached, clock, out }: BackupContext): Promise<void> {
  if (existsSync(file))
    return out.refuse('file_exists', `${file} exists, and a backup never overwrites a file. Choose another name.`);
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
    const reason = storageError(error);
    if (reason === null) throw error;
    out.refuse('file_unwritable', `${file} could not be written: ${reason}. The incomplete file was removed.`);
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
          'Only an embedded database can be replaced: restore into a new database of your server.',
        );
      }
      const database = openDatabase({ connection, connections: 2, applicationName: 'leadmarket command' });
      try {
        // Keeps servers from starting during the restore; they take this lock on an embedded database only.
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
          report.skipped.length === 0
            ? ''
            : ` Left out, because this program has no such table: ${report.skipped.join(', ')}.`;
        out.print({
          json: { file, ...report, migrationsApplied: applied },
          text: `${report.rows} rows of ${report.tables} tables, as of ${report.takenAt}.${skipped} All users have to sign in again. Check with: leadmarket doctor; leadmarket ledger check`,
        });
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    const reason = storageError(error);
    if (reason === null) throw error;
    out.refuse('restore_failed', `Nothing was restored: ${reason}.`);
  }
}

function percent(share: number): string {
  return `${Math.min(99, Math.floor(share * 100))} %`;
}

/** The reason in words when the operator can fix it; null for any other error. */
function storageError(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    // PostgreSQL: disk_full.
    case '53100':
      return 'the disk of the database is full';
    case 'ENOENT':
      return 'there is no such file or folder';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'this user has no permission';
    default:
      return null;
  }
}

type Interrupted = { readonly discardWith: (discard: () => Promise<void>) => void; readonly end: () => void };

/** Ctrl-C removes the incomplete backup, which may have many gigabytes. */
function removeWhenInterrupted(): Interrupted {
  let discard: () => Promise<void> = () => Promise.resolve();
  // The listener has been removed when the signal is sent again, so the process ends by it.
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
