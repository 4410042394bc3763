// Reads tables and sequences from the database's catalogue, for backup and restore.
import type pg from 'pg';

/**
 * Tables that are not backed up. Sessions are dropped, so that a session that was ended after the backup does not come back. Reports, job
 * runs, simulations and rate limits mean nothing without the processes that wrote them, positions in the log nothing on another server.
 * Migrations are applied, not copied.
 */
export const LEFT_OUT: readonly string[] = [
  'schema_migration',
  'session',
  'process_report',
  'process_minute',
  'scheduled_job',
  'simulation',
  'own_change',
  'rate_bucket',
];

/** `bytes` is the approximate size of the rows. */
export type TableFacts = { readonly table: string; readonly columns: string[]; readonly bytes: number };

/** Referenced tables come before the tables that refer to them; without `LEFT_OUT`. */
export async function readTables(client: pg.Client): Promise<TableFacts[]> {
  const { rows } = await client.query<TableFacts & { oid: number }>(
    `SELECT c.oid::int AS oid, c.relname AS table, pg_table_size(c.oid)::float8 AS bytes,
            (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
     FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL($1)
     ORDER BY c.relname COLLATE "C"`,
    [LEFT_OUT],
  );
  const { rows: references } = await client.query<{ from: number; to: number }>(
    `SELECT conrelid::int AS from, confrelid::int AS to FROM pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid <> confrelid`,
  );
  const ordered: Array<TableFacts & { oid: number }> = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const waits = new Set(waiting.map(({ oid }) => oid));
    const blocked = new Set(references.filter(({ to }) => waits.has(to)).map(({ from }) => from));
    const ready = waiting.filter(({ oid }) => !blocked.has(oid));
    if (ready.length === 0) throw new Error('tables refer to each other in a circle');
    ordered.push(...ready);
    waiting = waiting.filter(({ oid }) => blocked.has(oid));
  }
  return ordered.map(({ table, columns, bytes }) => ({ table, columns, bytes }));
}

export async function readSequences(client: pg.Client): Promise<Array<{ name: string; lastValue: string }>> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' ORDER BY 1`,
  );
  const sequences: Array<{ name: string; lastValue: string }> = [];
  for (const { name } of names) {
    const { rows } = await client.query<{ value: string }>(
      `SELECT last_value::text AS value FROM ${client.escapeIdentifier(name)}`,
    );
    sequences.push({ name, lastValue: rows[0]?.value ?? '1' });
  }
  return sequences;
}

/** Begins a transaction without time limits except on locks, and with formats of times and numbers that are the same everywhere. */
export async function begin(client: pg.Client, mode: string): Promise<void> {
  await client.query(
    `BEGIN ${mode}; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL lock_timeout = '5s'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres';
     SET LOCAL TimeZone = 'UTC'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`,
  );
}
