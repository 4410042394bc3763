// The SQL on the tables of the queue library that runs the scheduled jobs.
import { statement } from '../database/database.ts';

export const choresTable = statement('queue.chores_table', `SELECT to_regclass('pgboss.job') IS NOT NULL AS "isThere"`);

/** A week of its runs, which is what the library keeps. */
export const lastRunOfChore = statement(
  'queue.last_run_of_chore',
  `SELECT max(completed_on) AS at FROM pgboss.job WHERE name = $1 AND state = 'completed'`,
);
