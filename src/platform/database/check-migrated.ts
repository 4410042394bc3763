// Whether the database answers and has every migration of this program: what readiness means (contract 8.4).
import { OutsideError } from '../outside-error.ts';
import { type Database, statement } from './database.ts';
import { readMigrations } from './migrate.ts';

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
