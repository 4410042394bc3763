// Runs a PostgreSQL server for the fault test, on a TCP port, with a role for the service that is not a superuser.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import pg from 'pg';

import { bareEnvironment, run, spawnAs } from '../../../src/platform/database/embedded/account.ts';
import { type Binaries, prepareBinaries } from '../../../src/platform/database/embedded/binaries.ts';
import { findHome, type Home, makePrivate } from '../../../src/platform/database/embedded/home.ts';
import { eventually } from '../../support/eventually.ts';
import { holdPort } from '../../support/held-port.ts';

export type Postgres = {
  /** `PostgreSQL 15.18`, as the server reports it. */
  readonly version: string;
  readonly port: number;
  /** As superuser over the socket, which no fault touches. */
  readonly admin: pg.Client;
  /** An empty database that belongs to the service's role. */
  createDatabase(name: string): Promise<void>;
  /** For the service, through this port: the server's own, or that of a proxy. */
  urlOf(name: string, port?: number): string;
  stop(): Promise<void>;
};

export const SERVICE_ROLE = 'service';
const SUPERUSER = 'postgres';
const DEBIAN = '/usr/lib/postgresql';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // Twice the connections of the four processes: those of a dead proxy stay until the server notices.
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '4GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** `programs`: a folder with `initdb` and `postgres`. Null: the newest of Debian's, else those that `npm ci` brings. */
export async function startPostgres(directory: string, programs: string | null): Promise<Postgres> {
  // It can run as another user when this one is root.
  const home = await findHome(join(directory, 'server'));
  const { initdb, postgres, env } = await findPrograms(home, programs ?? newestOfDebian());
  const { socket, account } = home;
  const data = join(home.directory, 'cluster');
  await makePrivate(home, data);
  await makePrivate(home, socket);
  const made = await run(
    initdb,
    [
      '-D',
      data,
      `--username=${SUPERUSER}`,
      '--encoding=UTF8',
      '--locale=C',
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
    ],
    { account, env },
  );
  if (made.code !== 0) throw new Error(`initdb failed: ${made.errors}`);

  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, port: String(port), unix_socket_directories: socket });
  const log = openSync(join(directory, 'postgres.log'), 'a');
  const child = spawn(postgres, ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
    ...spawnAs(account),
    env: bareEnvironment(env),
    stdio: ['ignore', log, log],
    // Ctrl-C at the test's terminal must not reach the server: it ends with the test, last.
    detached: true,
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    const quit = setTimeout(() => child.kill('SIGQUIT'), 15_000);
    child.kill('SIGINT');
    await ended;
    clearTimeout(quit);
  };
  try {
    return await open({ socket, port, hasEnded: () => child.exitCode !== null, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = {
  readonly socket: string;
  readonly port: number;
  readonly hasEnded: () => boolean;
  readonly stop: () => Promise<void>;
};

async function open({ socket, port, hasEnded, stop }: Started): Promise<Postgres> {
  const admin = await eventually('PostgreSQL answers', () => {
    if (hasEnded()) throw new Error('PostgreSQL ended while it was starting');
    return connectAdmin(socket, port);
  });
  const password = randomBytes(12).toString('hex');
  await admin.query(`CREATE ROLE ${SERVICE_ROLE} LOGIN CREATEROLE PASSWORD '${password}'`);
  const { rows } = await admin.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  return {
    version: `PostgreSQL ${rows[0]?.version.split(' ', 1)[0] ?? ''}`,
    port,
    admin,
    async createDatabase(name) {
      await admin.query(`CREATE DATABASE ${name} OWNER ${SERVICE_ROLE}`);
    },
    urlOf: (name, through = port) =>
      `postgresql://${SERVICE_ROLE}:${password}@127.0.0.1:${through}/${name}?sslmode=disable`,
    async stop() {
      await admin.end();
      await stop();
    },
  };
}

async function findPrograms(
  home: Home,
  programs: string | null,
): Promise<Pick<Binaries, 'initdb' | 'postgres' | 'env'>> {
  if (programs === null) return prepareBinaries(home, () => undefined);
  return { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres'), env: {} };
}

function newestOfDebian(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const newest = versions
    .filter((version) => existsSync(`${DEBIAN}/${version}/bin/initdb`))
    .toSorted((a, b) => b - a)[0];
  return newest === undefined ? null : `${DEBIAN}/${newest}/bin`;
}

/** Null while the server is still starting. */
async function connectAdmin(socket: string, port: number): Promise<pg.Client | null> {
  const admin = new pg.Client({
    host: socket,
    port,
    user: SUPERUSER,
    database: 'postgres',
    ssl: false,
    // It has to undo the effects of the test on all other connections.
    options: '-c default_transaction_read_only=off',
  });
  try {
    await admin.connect();
    return admin;
  } catch {
    return null;
  }
}

/** For a program that listens on it later; held until this process ends. */
export async function freePort(): Promise<number> {
  return (await holdPort()).port;
}
