// Applies the numbered SQL files of `migrations/`: forward only, one transaction each, checksummed, one process at a time. Also checks that
// all of them are applied, for readiness (contract 8.4).
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildWallIfMissing } from './tenant.ts';
import { endClient } from './connector.ts';
import { type Database, statement } from './database.ts';
import { type Checksums, checksumsOf } from './mended-migrations.ts';
import { OutsideError } from '../outside-error.ts';

export type Migration = Checksums & {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
};
export type MigrationReport = { readonly applied: string[]; readonly already: number };

const FOLDER = join(import.meta.dirname, '../../../migrations');
// The key of the advisory lock: any constant, but the same in every version of the service.
const LOCK_KEY = 4_207_115_301;

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(FOLDER, name), 'utf8');
      const ofFile = createHash('sha256').update(sql).digest('hex');
      return { number: Number(name.slice(0, 4)), name, sql, ...checksumsOf(name, ofFile) };
    }),
  );
}

/** Throws when an applied migration has changed, or when the database is newer than this program. */
export async function migrate(database: Database, now: Date): Promise<MigrationReport> {
  const migrations = await readMigrations();
  // A large table may take minutes, and so may the lock of another process that migrates.
  const client = await database.connect({ isPatient: true, isBusy: true });
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    const { rows: found } = await client.query<{ exists: boolean }>(
      `SELECT to_regclass('schema_migration') IS NOT NULL AS exists`,
    );
    // Checked first, so that a role without the right to create tables can start an up-to-date service.
    if (found[0]?.exists !== true) {
      await client.query(`CREATE TABLE schema_migration (
        number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
    }
    const { rows } = await client.query<{ number: number; checksum: string }>(
      'SELECT number, checksum FROM schema_migration ORDER BY number',
    );
    const known = new Map(rows.map((row) => [row.number, row.checksum]));
    const applied: string[] = [];
    for (const migration of migrations) {
      const checksum = known.get(migration.number);
      if (checksum === undefined) {
        await applyOne(client, migration, now);
        applied.push(migration.name);
      } else if (!migration.accepted.includes(checksum)) {
        throw new Error(`Migration ${migration.name} was changed after it had been applied to this database.`);
      }
    }
    const newest = migrations.at(-1)?.number ?? 0;
    const ahead = rows.filter((row) => row.number > newest).length;
    if (ahead > 0) throw new Error('This database was migrated by a newer version of lead-marketplace.');
    await buildWallIfMissing(client);
    return { applied, already: rows.length };
  } finally {
    await endClient(client);
  }
}

async function applyOne(
  client: { query(text: string, values?: unknown[]): Promise<unknown> },
  migration: Migration,
  now: Date,
) {
  await client.query('BEGIN');
  try {
    // Waiting long for a lock would block every other session behind it; it is better to fail and run again.
    await client.query(`SET LOCAL lock_timeout = '5s'`);
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migration VALUES ($1, $2, $3, $4)', [
      migration.number,
      migration.name,
      migration.checksum,
      now,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

const newest = statement<void, { number: number | null }>(
  'platform.newest_migration',
  'SELECT max(number) AS number FROM schema_migration',
);

export async function checkMigrated(database: Database): Promise<void> {
  const wanted = (await migrations).at(-1)?.number ?? 0;
  const [row] = await database.query(newest);
  if ((row?.number ?? 0) < wanted) {
    throw new OutsideError('database_unavailable', 'The database lacks migrations.', { retryable: false });
  }
}

// The files do not change while the program runs.
const migrations = readMigrations();
