// Measures the database with one commit per lead: a prepared INSERT of the same row into a table like `lead`, with the same checks and
// indexes, on the same server. The server makes the rows, so that the client costs as little as possible.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type pg from 'pg';

import { percentile } from './numbers.ts';
import { hasCommand, run, startPeer } from './processes.ts';

export type InsertResult = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };
export type InsertOrder = {
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  readonly clients: number;
  readonly seconds: number;
  readonly statement: string;
  readonly values: readonly string[];
};
export type Baseline = (clients: number, seconds: number) => Promise<InsertResult>;

const VALUES = ['supplier', 'factors', 'hash', 'fields', 'raw'] as const;
const TABLE = 'bench_lead';
// One log line per transaction would itself cost time; latencies need no more of them.
const LOGGED_SHARE = 0.2;

/** Needs a stored lead as a template of the row; creates the table. */
export async function prepareBaseline(database: pg.Client, connection: InsertOrder['connection']): Promise<Baseline> {
  await database.query(`CREATE TABLE IF NOT EXISTS ${TABLE} (LIKE lead INCLUDING ALL)`);
  const { rows } = await database.query<Record<(typeof VALUES)[number], string>>(
    `SELECT supplier_key AS supplier, score_factors AS factors, content_hash::text AS hash, fields, raw_body AS raw
     FROM lead WHERE is_accepted LIMIT 1`,
  );
  const row = rows[0];
  if (row === undefined) throw new Error('the baseline needs a lead to copy');
  const values = VALUES.map((name) => row[name]);
  const withPgbench = await hasCommand('pgbench');
  return (clients, seconds) => {
    const order = { connection, clients, seconds, values };
    return withPgbench
      ? runPgbench({ ...order, statement: insertOf((name) => `:${name}`) })
      : runInserter({ ...order, statement: insertOf((name) => `$${VALUES.indexOf(name) + 1}`) });
  };
}

function insertOf(parameter: (name: (typeof VALUES)[number]) => string): string {
  return (
    `INSERT INTO ${TABLE} (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score, ` +
    'score_factors, received_at, decided_at, content_hash, fields, raw_body) ' +
    `VALUES (uuidv7(), ${parameter('supplier')}::text, uuidv7()::text, false, true, 'received', 'Pending', NULL, 100, ` +
    `${parameter('factors')}::text, clock_timestamp(), NULL, ${parameter('hash')}::text::bytea, ` +
    `${parameter('fields')}::text, ${parameter('raw')}::text)`
  );
}

async function runPgbench({ connection, clients, seconds, statement, values }: InsertOrder): Promise<InsertResult> {
  const directory = mkdtempSync(join(tmpdir(), 'leadmarket-pgbench-'));
  const script = join(directory, 'insert.sql');
  writeFileSync(script, `${statement};\n`);
  try {
    const output = await run('pgbench', [
      ...['--no-vacuum', '--protocol=prepared', `--file=${script}`, `--client=${clients}`, `--time=${seconds}`],
      ...[`--jobs=${Math.min(clients, 2)}`, '--log', `--log-prefix=${join(directory, 'log')}`],
      ...(clients === 1 ? [] : [`--sampling-rate=${LOGGED_SHARE}`]),
      ...VALUES.flatMap((name, index) => ['--define', `${name}=${values[index]}`]),
      ...['--host', connection.host, '--port', String(connection.port), '--username', connection.user],
      connection.database,
    ]);
    // The third field of a line is the latency in microseconds.
    const latencies = readdirSync(directory)
      .filter((name) => name.startsWith('log.'))
      .flatMap((name) => readFileSync(join(directory, name), 'utf8').trimEnd().split('\n'))
      .map((line) => Number(line.split(' ')[2]) / 1000);
    return {
      perSecond: Number(/^tps = ([\d.]+)/m.exec(output)?.[1]),
      p50Ms: percentile(latencies, 50),
      p99Ms: percentile(latencies, 99),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runInserter(order: InsertOrder): Promise<InsertResult> {
  const inserter = startPeer(join(import.meta.dirname, '../row-inserter.ts'));
  const report = await new Promise<InsertResult>((resolve, reject) => {
    inserter.child.once('message', (message) => resolve(message as InsertResult));
    inserter.child.once('exit', () => reject(new Error('the inserter ended without a report')));
    inserter.child.send(order);
  });
  await inserter.stop();
  return report;
}
