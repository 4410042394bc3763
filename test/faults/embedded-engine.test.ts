// Tests the embedded engine with killed, concurrent and abandoned processes, on a real PostgreSQL.
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type EmbeddedEngine, useEmbeddedEngine } from '../../src/platform/database/embedded-engine.ts';
import { eventually } from '../support/eventually.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** A process that uses the engine, runs one statement, reports how it joined, and leaves when it reads a line. */
const USER_PROGRAM = `
import { useEmbeddedEngine } from ${JSON.stringify(pathToFileURL(join(PROJECT, 'src/platform/database/embedded-engine.ts')).href)};
import pg from ${JSON.stringify(pathToFileURL(join(PROJECT, 'node_modules/pg/lib/index.js')).href)};
const [dataDir, statement] = process.argv.slice(2);
const engine = await useEmbeddedEngine({ dataDir: dataDir!, log: () => undefined });
const client = new pg.Client(engine.connection);
await client.connect();
await client.query(statement!);
console.log(engine.how);
process.stdin.once('data', async () => {
  await client.query('SELECT 1');
  await client.end();
  await engine.release();
  process.exit(0);
});
`;

let root: string;
let program: string;
let directories = 0;
const engines: EmbeddedEngine[] = [];
const processes: ChildProcess[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'leadmarket-engine-'));
  // Under root the server runs as another user, who needs access to this folder.
  chmodSync(root, 0o755);
  program = join(root, 'user.mts');
  writeFileSync(program, USER_PROGRAM);
});

afterEach(async () => {
  for (const child of processes.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  await Promise.all(engines.splice(0).map((engine) => engine.release()));
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

function newDirectory(): string {
  return join(root, `data-${++directories}`);
}

async function use(dataDir: string): Promise<EmbeddedEngine> {
  const engine = await useEmbeddedEngine({ dataDir, log: () => undefined });
  engines.push(engine);
  return engine;
}

async function query(engine: EmbeddedEngine, text: string): Promise<unknown[]> {
  const client = new pg.Client(engine.connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

async function useElsewhere(dataDir: string, statement: string): Promise<{ child: ChildProcess; how: string }> {
  const child = spawn(process.execPath, [program, dataDir, statement], { stdio: ['pipe', 'pipe', 'inherit'] });
  processes.push(child);
  assert(child.stdout !== null);
  const [how] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, how };
}

async function leave(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.write('leave\n');
  expect(await ended).toEqual([0, null]);
}

function serverPid(dataDir: string): number | null {
  const file = join(dataDir, 'postgres/postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

/** The pids of the processes that the process has started. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

describe('an embedded engine', () => {
  it('keeps its data between starts, and does not run in between', async () => {
    const dataDir = newDirectory();
    const first = await use(dataDir);
    expect(first.how).toBe('started');
    await query(first, 'CREATE TABLE note (text text)');
    await query(first, `INSERT INTO note VALUES ('kept')`);
    expect(serverPid(dataDir)).not.toBeNull();
    await first.release();
    expect(serverPid(dataDir)).toBeNull();
    expect(readdirSync(join(dataDir, 'socket'))).toEqual([]);

    const second = await use(dataDir);
    expect(second.how).toBe('started');
    expect(await query(second, 'SELECT text FROM note')).toEqual(['kept']);
  });

  it('orders and stores text in the same way on every machine, and syncs to disk', async () => {
    const engine = await use(newDirectory());
    const facts = `SELECT concat_ws(' ', pg_encoding_to_char(encoding), datlocprovider, datlocale, current_setting('TimeZone'),
      current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes'))
      FROM pg_database WHERE datname = current_database()`;
    expect(await query(engine, facts)).toEqual(['UTF8 b C.UTF-8 UTC on on on']);
  });

  it('listens on a socket only, behind directories that are closed to other users', async () => {
    const dataDir = newDirectory();
    const engine = await use(dataDir);
    expect(await query(engine, `SELECT current_setting('listen_addresses')`)).toEqual(['']);
    for (const name of ['postgres', 'socket', 'lifeline', 'postgres.log']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  it('writes nothing of a statement into its log, not even of one that fails', async () => {
    const dataDir = newDirectory();
    const engine = await use(dataDir);
    await expect(query(engine, `SELECT 'jane.roe@example.com'::integer`)).rejects.toThrow('invalid input syntax');
    await query(engine, `DO $$ BEGIN RAISE WARNING 'jane.roe@example.com'; END $$`);
    await engine.release();
    const written = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    // The server removes its file first and logs it afterwards.
    await eventually('its last words are written', () => written().includes('database system is shut down'));
    expect(written()).not.toContain('jane.roe');
  });

  it('ends after its only user was killed, and has the committed rows at the next start', async () => {
    const dataDir = newDirectory();
    const { child } = await useElsewhere(dataDir, `CREATE TABLE note AS SELECT 'committed' AS text`);
    child.kill('SIGKILL');
    await until(() => serverPid(dataDir) === null);
    const engine = await use(dataDir);
    expect(engine.how).toBe('started');
    expect(await query(engine, 'SELECT text FROM note')).toEqual(['committed']);
  });

  it('is started once by concurrent processes, and keeps running when one of them leaves', async () => {
    const dataDir = newDirectory();
    const users = await Promise.all(Array.from({ length: 3 }, () => useElsewhere(dataDir, 'SELECT 1')));
    expect(users.map(({ how }) => how).toSorted()).toEqual(['joined', 'joined', 'started']);
    const server = serverPid(dataDir);
    const starter = users.find(({ how }) => how === 'started');
    assert(starter !== undefined);
    await leave(starter.child);
    expect(serverPid(dataDir)).toBe(server);
    const [next, last] = users.filter((user) => user !== starter);
    assert(next !== undefined && last !== undefined);
    next.child.kill('SIGKILL');
    await once(next.child, 'exit');
    // The last one still runs a statement before it goes.
    await leave(last.child);
    expect(serverPid(dataDir)).toBeNull();
  });

  it('accepts a new process at any moment while another one stops', async () => {
    const dataDir = newDirectory();
    let engine = await use(dataDir);
    for (const delayMs of [0, 1, 2, 4, 8, 16, 32]) {
      const leaving = engine.release();
      await sleep(delayMs);
      engine = await use(dataDir);
      expect(await query(engine, 'SELECT 1')).toEqual([1]);
      await leaving;
      expect(await query(engine, 'SELECT 2')).toEqual([2]);
    }
  });

  it('is started again by the next process after its server was killed', async () => {
    const dataDir = newDirectory();
    const first = await use(dataDir);
    await query(first, `CREATE TABLE note AS SELECT 'committed' AS text`);
    const server = serverPid(dataDir);
    assert(server !== null);
    process.kill(server, 'SIGKILL');
    const second = await use(dataDir);
    expect(await query(second, 'SELECT text FROM note')).toEqual(['committed']);
    // The first user's hold counts for the new server too.
    await second.release();
    expect(await query(first, 'SELECT text FROM note')).toEqual(['committed']);
  });

  it('starts despite lock files whose pid now belongs to another process', async () => {
    const dataDir = newDirectory();
    const first = await use(dataDir);
    const files = ['postgres/postmaster.pid', 'socket/.s.PGSQL.5432.lock'].map((name) => join(dataDir, name));
    const texts = files.map((file) => readFileSync(file, 'utf8').split('\n'));
    await first.release();
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const stranger = spawn('sleep', ['60'], process.geteuid?.() === 0 ? { uid, gid, cwd: '/' } : { cwd: '/' });
    processes.push(stranger);
    for (const [index, lines] of texts.entries()) {
      writeFileSync(files[index] ?? '', [stranger.pid, ...lines.slice(1)].join('\n'), { mode: 0o600 });
      chownSync(files[index] ?? '', uid, gid);
    }
    const second = await use(dataDir);
    expect(second.how).toBe('started');
    expect(stranger.exitCode).toBeNull();
  });

  it(
    'that lost its watcher is taken over, and is stopped by its last user again',
    { skip: process.platform !== 'linux' },
    async () => {
      const dataDir = newDirectory();
      const { child } = await useElsewhere(dataDir, `CREATE TABLE note AS SELECT 'committed' AS text`);
      const server = serverPid(dataDir);
      assert(server !== null);
      const watcher = parentOf(server);
      assert(watcher !== null);
      for (const pid of [watcher, ...childrenOf(watcher).filter((other) => other !== server)])
        process.kill(pid, 'SIGKILL');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const engine = await use(dataDir);
      expect(engine.how).toBe('joined');
      expect(serverPid(dataDir)).toBe(server);
      expect(await query(engine, 'SELECT text FROM note')).toEqual(['committed']);
      await engine.release();
      expect(serverPid(dataDir)).toBeNull();
    },
  );

  it('takes over the start lock of a process that was killed while it started', async () => {
    const dataDir = newDirectory();
    await (await use(dataDir)).release();
    const starting = spawn(process.execPath, [program, dataDir, 'SELECT 1'], { stdio: 'ignore' });
    processes.push(starting);
    await until(() => readdirSync(dataDir).includes('start.lock') || serverPid(dataDir) !== null);
    starting.kill('SIGKILL');
    const engine = await use(dataDir);
    expect(await query(engine, 'SELECT 1')).toEqual([1]);
  });

  it('rejects a database of another PostgreSQL version and does not change it', async () => {
    const dataDir = newDirectory();
    await (await use(dataDir)).release();
    const file = join(dataDir, 'postgres/PG_VERSION');
    const version = readFileSync(file, 'utf8');
    for (const other of ['17', '99']) {
      writeFileSync(file, `${other}\n`);
      await expect(use(dataDir)).rejects.toThrow(
        `created by PostgreSQL ${other}, but this program includes PostgreSQL ${version.trim()}`,
      );
    }
    writeFileSync(file, version);
    expect((await use(dataDir)).how).toBe('started');
  });

  it('finds a directory for its socket when the data directory has a long path', async () => {
    const dataDir = join(newDirectory(), 'a'.repeat(60), 'b'.repeat(60));
    const first = await use(dataDir);
    expect(first.connection.host.length).toBeLessThanOrEqual(93);
    expect(statSync(first.connection.host).mode & 0o077).toBe(0);
    const second = await use(dataDir);
    expect(second.how).toBe('joined');
    expect(await query(second, `SELECT current_setting('data_directory')`)).toEqual([join(dataDir, 'postgres')]);
    await Promise.all([first.release(), second.release()]);
    rmSync(first.connection.host, { recursive: true });
  });
});
