// Tests backup and restore of a whole marketplace: row by row, from older schemas, and from damaged files.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import type { Command } from 'commander';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { seedDemo } from '../../src/demo/seed-demo.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { type BackupContext, registerBackup, registerRestore } from '../../src/platform/backup.cli.ts';
import type { CliOutput } from '../../src/platform/cli-output.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { LEFT_OUT } from '../../src/platform/database/backup/catalog.ts';
import { restoreBackup } from '../../src/platform/database/backup/restore-backup.ts';
import { takeBackup } from '../../src/platform/database/backup/take-backup.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { migrate, readMigrations } from '../../src/platform/database/migrate.ts';
import { readWall } from '../../src/platform/database/tenant.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { isDrawn } from '../support/drawn.ts';
import { captureCommand } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeSchema } from '../support/schema-text.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/marketplace.yaml');

let folder: string;
let file: string;
let source: TestDatabase;
/** A backup of few rows, for what is refused after it was read. */
let small: string;
const opened: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-backup-'));
  file = join(folder, 'demo.backup');
  source = await createTestDatabase();
  await seedDemo(source.database, 'http://127.0.0.1:3000', new Date());
  const { pool } = source.database;
  // What a text format could trip over.
  await pool.query(`UPDATE marketplace SET name = $1`, ['\\. tab\tback\\slash “quotes” 漢字 \\N']);
  await pool.query(
    `UPDATE lead SET fields = fields || $1 WHERE lead_id = (SELECT min(lead_id::text)::uuid FROM lead)`,
    [JSON.stringify({ note: '\\.\n\\.\r\n\u0001' })],
  );
  await pool.query(
    `INSERT INTO session (session_id, secret_hash, kind, owner_key, operator_id, created_at, last_used_at, expires_at, user_agent)
     SELECT gen_random_uuid(), decode(repeat('ab', 32), 'hex'), 'operator', name, operator_id, $1, $1, $2, '' FROM operator LIMIT 1`,
    [new Date(), new Date(Date.now() + 86_400_000)],
  );
  const report = await run(source, ['backup', file, '--json']);
  if (report['code'] !== 0) throw new Error(`the backup was refused: ${JSON.stringify(report)}`);
  small = join(folder, 'small');
  await backUpFew(small);
  // The demo's history takes its time on a busy machine.
});
afterAll(async () => {
  for (const { drop } of [source, ...opened]) await drop();
  await rm(folder, { recursive: true });
});

async function backUpFew(to: string): Promise<void> {
  const few = await createTestDatabase();
  const now = new Date();
  const parsed = parseFile(await readFile(EXAMPLE, 'utf8'), { allowTargets: [] });
  if (!parsed.ok) throw new Error('the example is faulty');
  const { file: content } = parsed;
  const options = { dryRun: false, prune: false, actor: commandLineActor };
  await few.database.tx((tx) => applyFile(tx, content, options, now));
  await plantDeliveries(few.database, 'summit', [{ at: now }, { at: now }, { at: now }]);
  await takeBackup({ ...few, file: to, now, onProgress: () => undefined, onDraft: () => undefined });
  await few.drop();
}

async function emptyDatabase(): Promise<TestDatabase> {
  const empty = await createTestDatabase({ isEmpty: true });
  opened.push(empty);
  return empty;
}

/** The command on a database that counts as external. */
async function run({ connection }: TestDatabase, argv: string[]): Promise<Record<string, unknown>> {
  const register = (program: Command, out: CliOutput): void => {
    const context: BackupContext = {
      clock: systemClock,
      out,
      withReached: (work) => work({ connection, isEmbedded: false, release: () => Promise.resolve() }),
    };
    registerBackup(program.command('backup <file>'), context);
    registerRestore(program.command('restore <file>'), context);
  };
  const { exitCode, json } = await captureCommand(argv, register);
  return { code: exitCode, ...(json as object) };
}

async function tablesOf({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** The rows of every table, or of these, each as one hash. */
async function contents(database: Database, only?: readonly string[]): Promise<Record<string, string>> {
  const { pool } = database;
  const found: Record<string, string> = {};
  for (const name of only ?? (await tablesOf(database))) {
    const { rows } = await pool.query<{ rows: string; hash: string }>(
      `SELECT count(*) AS rows, coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text COLLATE "C")), '') AS hash FROM ${name} t`,
    );
    found[name] = `${rows[0]?.rows} ${rows[0]?.hash}`;
  }
  return found;
}

async function schemaOf(database: Database): Promise<string> {
  const client = await database.connect();
  return describeSchema(client).finally(() => client.end());
}

const restoreInto = ({ connection }: TestDatabase, from: string, { replaces = false } = {}) =>
  restoreBackup({ connection, file: from, replaces, now: new Date(), onProgress: () => undefined });

describe('A backup', () => {
  it('is a private file without leftovers beside it, and never overwrites another file', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toEqual(['demo.backup', 'small']);
    const before = await readFile(file);
    expect(await run(source, ['backup', file, '--json'])).toMatchObject({ code: 1, error: { code: 'file_exists' } });
    expect(before.equals(await readFile(file))).toBe(true);
    const nowhere = await run(source, ['backup', join(folder, 'no/such/folder'), '--json']);
    expect(nowhere).toMatchObject({ code: 1, error: { code: 'file_unwritable' } });
  });

  it('leaves no file when there is nothing to back up', async () => {
    const target = join(folder, 'nothing.backup');
    expect(await run(await emptyDatabase(), ['backup', target, '--json'])).toMatchObject({
      code: 1,
      error: { code: 'database_empty' },
    });
    expect(existsSync(target)).toBe(false);
  });

  let restored: TestDatabase;

  it('restores every row, the schema, the accounts and the second wall, without sessions', async () => {
    const target = (restored = await emptyDatabase());
    expect(await run(target, ['restore', file, '--json'])).toMatchObject({ code: 0, migrationsApplied: [] });
    const [was, is] = [await contents(source.database), await contents(target.database)];
    const kept = (all: Record<string, string>) => Object.entries(all).filter(([name]) => !LEFT_OUT.includes(name));
    expect(kept(is)).toEqual(kept(was));
    expect(kept(was).filter(([, text]) => !text.startsWith('0 ')).length).toBeGreaterThan(25);
    expect(was['session']).toMatch(/^1 /);
    expect(is['session']).toMatch(/^0 /);
    expect(await schemaOf(target.database)).toBe(await schemaOf(source.database));
    expect(await readWall(target.database)).toEqual({ stands: true });
    const ledger = await target.database.tx((tx) => checkLedger(tx), { snapshot: true });
    expect(ledger).toMatchObject({ ok: true });
  });

  it('does not issue numbers again that were issued after the backup', async () => {
    const next = async ({ pool }: Database): Promise<number> =>
      Number((await pool.query<{ n: string }>(`SELECT nextval('delivery_ref_number') AS n`)).rows[0]?.n);
    const before = await next(source.database);
    expect(await next(restored.database)).toBeGreaterThan(before + 100_000);
  });

  it('protects append-only rows again after the restore', async () => {
    await expect(restored.database.pool.query('DELETE FROM transfer')).rejects.toThrow('append-only');
    await expect(restored.database.pool.query('UPDATE audit_event SET action = action')).rejects.toThrow('append-only');
  });

  it('restores a backup of an older schema, and then migrates it', async () => {
    const [old, target] = [await emptyDatabase(), await emptyDatabase()];
    const all = await readMigrations();
    const older = all.slice(0, 13);
    const { pool } = old.database;
    await pool.query(
      'CREATE TABLE schema_migration (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)',
    );
    for (const { number, name, checksum, sql } of older) {
      await pool.query(sql);
      await pool.query('INSERT INTO schema_migration VALUES ($1, $2, $3, $4)', [number, name, checksum, new Date()]);
    }
    // Somebody's own table does not come back, and is no reason for the rest not to.
    await pool.query('CREATE TABLE alien (id integer); INSERT INTO alien VALUES (1), (2)');
    const from = join(folder, 'old.backup');
    await takeBackup({ ...old, file: from, now: new Date(), onProgress: () => undefined, onDraft: () => undefined });
    const report = await run(target, ['restore', from, '--json']);
    expect(report).toMatchObject({
      code: 0,
      schema: 13,
      skipped: ['alien'],
      migrationsApplied: all.slice(13).map(({ name }) => name),
    });
    expect(await schemaOf(target.database)).toBe(await schemaOf(source.database));
  });

  /** Nothing ever comes to be in it. */
  let spare: TestDatabase | undefined;

  /** Refused at the first line, between rows, and at the end. */
  const TRIED_AS_REPLACEMENT = ['no backup', 'damaged in the middle', 'without its last line'];

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut short', (bytes) => bytes.subarray(0, bytes.length - 1000)],
    [
      'damaged in the middle',
      (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
    ],
    [
      'changed by hand',
      (bytes) => repacked(bytes, (text) => text.replace('Texas', 'Tejas').replace('Summit', 'Sommet')),
    ],
    ['without its last line', (bytes) => repacked(bytes, (text) => text.slice(0, text.lastIndexOf('{')))],
    ['with something behind its end', (bytes) => repacked(bytes, (text) => `${text}{}\n`)],
    ['with a row less', (bytes) => repacked(bytes, (text) => text.replace(/("table":"lead",.*\n).*\n/, '$1'))],
    ['no backup', () => gzipSync('hello\n')],
    ['not even packed', () => Buffer.from('hello\n')],
  ])('that is %s is refused, and changes nothing', async (what, harm) => {
    const target = (spare ??= await emptyDatabase());
    const harmed = join(folder, 'harmed.backup');
    await writeFile(harmed, harm(await readFile(small)));
    expect(await run(target, ['restore', harmed, '--json'])).toMatchObject({
      code: 1,
      error: { code: 'backup_damaged' },
    });
    expect(await tablesOf(target.database)).toEqual([]);
    if (!TRIED_AS_REPLACEMENT.includes(what) && !isDrawn(`backup/${what}`, 5)) return;
    await target.database.pool.query('CREATE TABLE precious (id integer)');
    expect(await restoreInto(target, harmed, { replaces: true })).toMatchObject({ ok: false });
    expect(await tablesOf(target.database)).toEqual(['precious']);
    await target.database.pool.query('DROP TABLE precious');
  });

  it('rejects a backup of a newer version and names the migration', async () => {
    const newer = join(folder, 'newer.backup');
    await writeFile(
      newer,
      repacked(await readFile(small), (text) =>
        text.replace(/("migrations":\[.*?)\]/, '$1,{"number":9999,"name":"9999-future.sql","checksum":"x"}]'),
      ),
    );
    expect(await run((spare ??= await emptyDatabase()), ['restore', newer, '--json'])).toMatchObject({
      code: 1,
      error: { code: 'backup_unknown', message: expect.stringContaining('9999-future.sql') as string },
    });
  });

  it('is restored only into an empty database, or replaces an embedded one on request', async () => {
    const full = await createTestDatabase();
    opened.push(full);
    expect(await run(full, ['restore', file, '--json'])).toMatchObject({
      code: 1,
      error: { code: 'database_not_empty' },
    });
    expect(await run(full, ['restore', file, '--replace', '--json'])).toMatchObject({
      code: 1,
      error: { code: 'not_embedded' },
    });
    expect(await restoreInto(full, file, { replaces: true })).toMatchObject({ ok: true });
    expect(await contents(full.database, ['lead'])).toEqual(await contents(source.database, ['lead']));
  });

  it('is not restored while a server runs', async () => {
    const target = (spare ??= await emptyDatabase());
    const server = await connectAs(target, 'leadmarket worker');
    expect(await run(target, ['restore', file, '--json'])).toMatchObject({
      code: 1,
      error: { code: 'server_running' },
    });
    await server.end();
    expect(await run(target, ['restore', join(folder, 'missing'), '--json'])).toMatchObject({
      code: 1,
      error: { code: 'restore_failed' },
    });
  });

  it('leaves out only existing tables', async () => {
    expect(await tablesOf(source.database)).toEqual(expect.arrayContaining([...LEFT_OUT]));
  });
});

describe('A restored dump without row-level security', () => {
  it('gets it at the next start if the role may create roles', async () => {
    const { pool } = source.database;
    await pool.query('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM leadmarket_buyer');
    expect(await readWall(source.database)).toEqual({ stands: false });
    await migrate(source.database, new Date());
    expect(await readWall(source.database)).toEqual({ stands: true });
  });
});

function repacked(bytes: Buffer, change: (text: string) => string): Buffer {
  return gzipSync(change(gunzipSync(bytes).toString()));
}

async function connectAs({ connection }: TestDatabase, name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: name });
  await client.connect();
  return client;
}
