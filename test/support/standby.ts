// Makes a standby of a running PostgreSQL on this machine by copying its files, and runs it: a second server for tests and measurements.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { eventually } from './eventually.ts';

export type Standby = {
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Fit for DATABASE_REPLICA_URL. */
  readonly url: string;
  /** The postmaster. */
  readonly pid: number;
  /** Outside of any pool; `stop` and `kill` end it. */
  readonly client: pg.Client;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A standby must not allow less than its primary. */
const AT_LEAST = ['max_connections', 'max_worker_processes', 'max_wal_senders', 'max_locks_per_transaction'];
const SLOT = 'standby';

/**
 * `client` is a superuser of the primary, which listens on a socket. `folder` must not exist and is left to the caller; it also gets the
 * server's log. `settings` override those that a test needs.
 */
export async function startStandby(
  client: pg.Client,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const primary = await lookAt(client);
  await copyFiles(client, primary, folder);
  const database = join(folder, 'postgres');
  const flags = Object.entries({
    ...primary.limits,
    primary_conninfo: `host=${client.host} port=${client.port} user=${client.user ?? ''}`,
    primary_slot_name: SLOT,
    listen_addresses: '',
    unix_socket_directories: folder,
    dynamic_shared_memory_type: 'mmap',
    fsync: 'off',
    jit: 'off',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const connection = {
    host: folder,
    port: client.port,
    user: client.user ?? '',
    database: client.database ?? '',
    ssl: false as const,
  };

  const log = openSync(join(folder, 'standby.log'), 'a');
  const start = async (): Promise<{ guard: ChildProcess; pid: number; client: pg.Client }> => {
    // The server ends with this process, however that ends: the shell then reads the end of its input.
    const guard = spawn(
      'sh',
      ['-c', '"$@" & read -r _; kill -INT $! 2>&-; wait', 'sh', primary.program, '-D', database, ...flags],
      {
        ...(process.getuid?.() === 0 ? primary.owner : {}),
        cwd: '/',
        env: primary.env,
        stdio: ['pipe', 'ignore', log],
      },
    );
    const connected = await eventually('the standby accepts connections', async () => {
      if (guard.exitCode !== null) throw new Error(`the standby ended with ${guard.exitCode}`);
      const trial = new pg.Client(connection);
      trial.on('error', () => undefined);
      try {
        await trial.connect();
        return trial;
      } catch {
        return null;
      }
    });
    const pid = Number(readFileSync(join(database, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return { guard, pid, client: connected };
  };

  let running = await start();
  const ended = async (): Promise<void> => {
    const { guard } = running;
    guard.stdin?.end();
    if (guard.exitCode === null && guard.signalCode === null) await once(guard, 'exit');
  };
  return {
    connection,
    url: `postgresql://${connection.user}@/${connection.database}?host=${encodeURIComponent(folder)}&port=${connection.port}`,
    get pid() {
      return running.pid;
    },
    get client() {
      return running.client;
    },
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await ended();
    },
    async restart() {
      running = await start();
    },
    async stop() {
      await running.client.end();
      await ended();
      closeSync(log);
    },
  };
}

type Primary = {
  readonly files: string;
  readonly program: string;
  readonly env: Record<string, string>;
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly limits: Readonly<Record<string, string>>;
};

/** Its program and environment are those of the running process, so that the copy runs wherever the primary does. */
async function lookAt(client: pg.Client): Promise<Primary> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [['data_directory', ...AT_LEAST]],
  );
  const { data_directory: files = '', ...limits } = Object.fromEntries(
    rows.map(({ name, setting }) => [name, setting]),
  );
  const pid = readFileSync(join(files, 'postmaster.pid'), 'utf8').split('\n', 1)[0] ?? '';
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((line) => line.includes('='));
  const { uid, gid } = statSync(files);
  return {
    files,
    limits,
    program: readlinkSync(`/proc/${pid}/exe`),
    env: Object.fromEntries(
      variables.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
    owner: { uid, gid },
  };
}

/** A copy of the files of a running server is complete with the log that the slot keeps and the label of the backup. */
async function copyFiles(client: pg.Client, { files, owner }: Primary, folder: string): Promise<void> {
  const copy = join(folder, 'postgres');
  for (const path of [folder, copy]) {
    await mkdir(path, { mode: 0o700 });
    await chown(path, owner.uid, owner.gid);
  }
  await client.query('SELECT pg_create_physical_replication_slot($1, true)', [SLOT]);
  await client.query(`SELECT pg_backup_start('standby', true)`);
  const tar =
    'tar -C "$1" --exclude="./pg_wal/*" --exclude="./pg_replslot/*" --exclude="./postmaster.*" --warning=no-file-changed --warning=no-file-removed -cf - . | tar -C "$2" -xf -';
  const child = spawn('sh', ['-c', tar, 'sh', files, copy], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the files could not be copied (${code})`);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  for (const [name, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(copy, name), text, { mode: 0o600 });
    await chown(join(copy, name), owner.uid, owner.gid);
  }
}
