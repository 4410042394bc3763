// Starts the PostgreSQL of a test run: one server with one migrated template that every test file clones.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { openDatabase } from '../../src/platform/database/database.ts';
import { useEmbeddedEngine } from '../../src/platform/database/embedded-engine.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { OLDEST, OLDEST_PROJECT } from './oldest-engine.ts';
import { startOtherEngine } from './other-engine.ts';
import { quickFolder } from './quick-folder.ts';
import { onServer, withDatabase } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's maintenance database, the template's name, and how it is cloned with the least work. */
    postgres: { url: string; template: string; strategy: CloneStrategy };
  }
}

/** On a server that writes data to disk at every checkpoint, a copy of files costs two of them. */
type CloneStrategy = 'FILE_COPY' | 'WAL_LOG';
type Server = { url: string; strategy: CloneStrategy; stop(): Promise<void> };

// The kernel keeps all data of a killed process, so the tests need no sync of the disk, no full pages in the log, of which little is
// kept, and no background maintenance that competes with them for two cores.
// They hold transactions open while they check something, on busy machines.
const SETTINGS = {
  max_connections: '200',
  autovacuum: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  idle_in_transaction_session_timeout: '60s',
};

const FOLDER = `leadmarket-test-${process.getuid?.() ?? 0}-`;

let end: (() => Promise<void>) | null = null;

export async function setup(project: TestProject): Promise<void> {
  const external = process.env['TEST_DATABASE_URL'];
  const server: Server =
    external === undefined || external === ''
      ? await startOwn(project)
      : { url: external, strategy: 'WAL_LOG', stop: async () => {} };
  // The name is random because several runs may share an external server.
  const template = `lm_test_${randomBytes(4).toString('hex')}`;
  end = async () => {
    await dropAll(server.url, template);
    await server.stop();
  };
  try {
    await createTemplate(server.url, template);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('postgres', { url: server.url, template, strategy: server.strategy });
}

export async function teardown(): Promise<void> {
  const finish = end;
  end = null;
  await finish?.();
}

/** The embedded one; of another version in the project that tests the oldest, and where TEST_POSTGRES names a folder of programs. */
async function startOwn(project: TestProject): Promise<Server> {
  const other = process.env['TEST_POSTGRES'] ?? '';
  const programs = project.name === OLDEST_PROJECT ? OLDEST : other === '' ? null : other;
  // Each of several projects has its own server.
  const place = basename(tmpdir()).startsWith(FOLDER) ? dirname(tmpdir()) : quickFolder();
  await sweep(place);
  const folder = await mkdtemp(join(place, `${FOLDER}${process.pid}-`));
  // The engine refuses to run as root and then uses another user, who needs access to this folder.
  await chmod(folder, 0o755);
  // The workers start later and have their files there, too.
  process.env['TMPDIR'] = folder;
  const dataDir = join(folder, 'data');
  const engine =
    programs === null
      ? await useEmbeddedEngine({ dataDir, log: () => {}, settings: SETTINGS })
      : await startOtherEngine(programs, dataDir, SETTINGS);
  const { host, port, user, database, password } = engine.connection;
  const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`;
  return {
    url: `postgresql://${login}@/${database}?host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`,
    strategy: 'FILE_COPY',
    async stop() {
      await engine.release();
      // A killed server's database may still be writing its last file.
      await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

/** Removes the folders of killed runs of this user; their servers stop by themselves. */
async function sweep(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(FOLDER)) continue;
    const pid = Number(name.slice(FOLDER.length).split('-', 1)[0]);
    if (!isAlive(pid)) await rm(join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function createTemplate(url: string, template: string): Promise<void> {
  await onServer(url, (client) => client.query(`CREATE DATABASE ${template}`));
  const database = openDatabase({ connection: { connectionString: withDatabase(url, template) } });
  try {
    await migrate(database, new Date());
  } finally {
    await database.close();
  }
  // A database with a session in it cannot be cloned.
  await onServer(url, (client) => client.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`));
}

/** Includes the databases of test files that died before their end. */
async function dropAll(url: string, template: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [template],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  });
}
