// The SQL of the lock under which what has a limit is counted.
import { statement } from './database.ts';

export const lockCountSql = statement<{ readonly name: string }, { locked: boolean }>(
  'lock_count.take',
  `SELECT true AS locked FROM pg_advisory_xact_lock(hashtextextended($name, 0))`,
);
