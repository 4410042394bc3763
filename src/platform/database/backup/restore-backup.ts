// Restores a backup into an empty database in one transaction: the schema of its time, then its rows (docs/operations.md, backups).
import pg from 'pg';

import { readMigrations } from '../migrate.ts';
import { ArchiveError, type ArchiveHead, type ArchiveReader, openArchive } from './archive.ts';
import { begin, LEFT_OUT, readTables } from './catalog.ts';
import { connectForCopy, copyIn } from './copy-stream.ts';
import { copyText } from './take-backup.ts';

export type RestoreReport = {
  /** Tables of the backup that no migration creates. */
  readonly skipped: readonly string[];
  readonly takenAt: string;
  readonly schema: number;
  readonly tables: number;
  readonly rows: number;
};

export type RestoreOptions = {
  readonly connection: pg.ClientConfig;
  readonly file: string;
  /** Drops the present content in the same transaction; for an embedded database, which has no other content than the service's. */
  readonly replaces: boolean;
  readonly now: Date;
  readonly onProgress: (table: string, share: number) => void;
};

export type RestoreOutcome =
  | { readonly ok: true; readonly report: RestoreReport }
  | {
      readonly ok: false;
      readonly code: 'backup_damaged' | 'backup_unknown' | 'database_not_empty';
      readonly message: string;
    };

/**
 * Sequence numbers issued after the backup are known outside, for example in delivery references, and must not be issued again. More than a
 * day's leads of a large marketplace, and a tiny part of a bigint.
 */
const NUMBERS_SKIPPED = 1_000_000;

export async function restoreBackup(options: RestoreOptions): Promise<RestoreOutcome> {
  const archive = await openArchive(options.file);
  const client = await connectForCopy(options.connection);
  try {
    await begin(client, '');
    const head = headOf(await archive.line());
    if (head === null) return { ok: false, code: 'backup_damaged', message: `${options.file} is not a backup.` };
    const rejection = await emptyDatabase(client, options);
    if (rejection !== null) return rejection;
    const unknown = await applyMigrations(client, head, options.now);
    if (unknown !== null) return { ok: false, code: 'backup_unknown', message: unknown };
    const filled = await fillTables(client, archive, options.onProgress);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return { ok: true, report: { takenAt: head.takenAt, schema: head.migrations.length, ...filled } };
  } catch (error) {
    if (error instanceof ArchiveError) return { ok: false, code: 'backup_damaged', message: error.message };
    if (isInvalidRow(error)) {
      return {
        ok: false,
        code: 'backup_damaged',
        message: 'The backup is damaged: the database does not accept its rows.',
      };
    }
    throw error;
  } finally {
    archive.close();
    // Also rolls the transaction back if it was not committed.
    await client.end();
  }
}

/** Invalid values, and rows that violate a constraint. */
function isInvalidRow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/** Null when the database is empty, or has been emptied. */
async function emptyDatabase(client: pg.Client, { replaces }: RestoreOptions): Promise<RestoreOutcome | null> {
  const { rows } = await client.query(
    `SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S') LIMIT 1`,
  );
  if (rows.length === 0) return null;
  if (!replaces) {
    return {
      ok: false,
      code: 'database_not_empty',
      message: 'The database is not empty. Restore the backup into an empty one.',
    };
  }
  // Scheduled jobs used the schema `pgboss` before decision 041.
  await client.query(
    `DROP SCHEMA IF EXISTS pgboss CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC`,
  );
  return null;
}

function headOf(line: unknown): ArchiveHead | null {
  const head = line as Partial<ArchiveHead> | null;
  return head?.format === 'leadmarket-backup-1' && Array.isArray(head.migrations) ? (head as ArchiveHead) : null;
}

/** Applies exactly the migrations of the backup's database. Resolves to an error text when that is impossible, else to null. */
async function applyMigrations(client: pg.Client, head: ArchiveHead, now: Date): Promise<string | null> {
  const known = new Map((await readMigrations()).map((migration) => [migration.number, migration]));
  await client.query(`CREATE TABLE schema_migration (
    number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
  for (const { number, name, checksum } of head.migrations) {
    const migration = known.get(number);
    if (migration === undefined) return `The backup is of a newer version: this one does not have migration ${name}.`;
    if (!migration.accepted.includes(checksum))
      return `The backup is of another program: migration ${name} reads differently here.`;
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migration VALUES ($1, $2, $3, $4)', [number, migration.name, checksum, now]);
  }
  return null;
}

/** Disables triggers and row-level security until the rows are copied: triggers would reject them, and COPY needs access to all rows. */
async function fillTables(
  client: pg.Client,
  archive: ArchiveReader,
  onProgress: RestoreOptions['onProgress'],
): Promise<Pick<RestoreReport, 'tables' | 'rows' | 'skipped'>> {
  const expected = await readTables(client);
  const name = (table: string): string => client.escapeIdentifier(table);
  const walled = await tablesWithRowSecurity(client);
  for (const { table } of expected) await client.query(`ALTER TABLE ${name(table)} DISABLE TRIGGER USER`);
  for (const table of walled) await client.query(`ALTER TABLE ${name(table)} DISABLE ROW LEVEL SECURITY`);
  // The backup also contains the rows that migrations insert. Referenced tables are listed first and emptied last.
  for (const { table } of expected.toReversed()) await client.query(`DELETE FROM ${name(table)}`);
  const filled = new Set<string>();
  const skipped: string[] = [];
  let rows = 0;
  let line = (await archive.line()) as { table?: unknown; columns?: unknown; sequences?: unknown };
  for (; typeof line.table === 'string' && Array.isArray(line.columns); line = (await archive.line()) as typeof line) {
    const table = { table: line.table, columns: line.columns.map(String) };
    onProgress(table.table, archive.progress());
    const blocks = withProgress(archive, table.table, onProgress);
    if (expected.some((one) => one.table === table.table)) {
      const copied = await copyIn(client, copyText(client, table, 'FROM STDIN'), blocks);
      await expectRows(archive, table.table, copied);
      filled.add(table.table);
      rows += copied;
    } else {
      // A table of the operator's own, which no migration creates.
      for await (const block of blocks) void block;
      await archive.line();
      skipped.push(table.table);
    }
  }
  const missing = expected.filter(({ table }) => !filled.has(table)).map(({ table }) => table);
  if (missing.length > 0) throw new ArchiveError(`The backup is damaged: it lacks ${missing.join(', ')}.`);
  await setSequences(client, line.sequences);
  await archive.end();
  for (const table of walled) await client.query(`ALTER TABLE ${name(table)} ENABLE ROW LEVEL SECURITY`);
  for (const { table } of expected) await client.query(`ALTER TABLE ${name(table)} ENABLE TRIGGER USER`);
  return { tables: filled.size, rows, skipped };
}

async function expectRows(archive: ArchiveReader, table: string, copied: number): Promise<void> {
  const { rows } = (await archive.line()) as { rows?: unknown };
  if (rows !== copied)
    throw new ArchiveError(`The backup is damaged: ${table} has ${copied} rows and not ${String(rows)}.`);
}

async function* withProgress(
  archive: ArchiveReader,
  table: string,
  onProgress: RestoreOptions['onProgress'],
): AsyncGenerator<Buffer> {
  for await (const block of archive.rows()) {
    yield block;
    onProgress(table, archive.progress());
  }
}

async function tablesWithRowSecurity(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT relname AS table FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relrowsecurity AND relname <> ALL($1)`,
    [LEFT_OUT],
  );
  return rows.map(({ table }) => table);
}

async function setSequences(client: pg.Client, sequences: unknown): Promise<void> {
  if (!Array.isArray(sequences)) throw new ArchiveError('The backup is damaged: it has no sequences.');
  for (const { name, lastValue } of sequences as Array<{ name: unknown; lastValue: unknown }>) {
    await client.query('SELECT setval(to_regclass($1), $2::bigint + $3)', [
      client.escapeIdentifier(String(name)),
      String(lastValue),
      NUMBERS_SKIPPED,
    ]);
  }
}
