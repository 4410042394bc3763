// Starts the embedded server or adopts a running one, waits until it is ready, and waits for its end.
import { closeSync, constants, fchownSync, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { sharedAccountNotice } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { type Connection, connectionTo, PORT } from './connection.ts';
import { engineFailure, errorCode } from './engine-failure.ts';
import { type Home, makePrivate } from './home.ts';
import { type Hold, isHeld, startWatcher } from './lifeline.ts';
import { clearTheWay, isServer, readPostmasterFile } from './postmaster-file.ts';
import { ask } from './probe.sql.ts';

export type Settings = Readonly<Record<string, string>>;

const SETTINGS: Settings = {
  shared_buffers: '256MB',
  max_connections: '100',
  synchronous_commit: 'on',
  fsync: 'on',
  full_page_writes: 'on',
  wal_level: 'replica',
  // A lead writes 5 to 6.5 kB of WAL, mostly full pages after a checkpoint, so checkpoints are far apart; takes 4 GB of disk.
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  autovacuum: 'on',
  // For solid-state disks. The binaries have no JIT.
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The same limit as in connector.ts, for other programs that use the database.
  idle_in_transaction_session_timeout: '15s',
  // Containers have 64 MB of /dev/shm, and systemd clears it when a user logs out.
  dynamic_shared_memory_type: 'mmap',
  // Statements, their values and error messages can contain personal data; only the server's own events are logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_statement: 'none',
  log_error_verbosity: 'terse',
};

const LOG_BYTES = 10 * 1024 * 1024;

export type Running = { readonly hold: Hold; readonly connection: Connection; readonly found: boolean };

/** Requires the start lock, and that no process holds the engine. */
export async function startServer(home: Home, settings: Settings, log: (message: string) => void): Promise<Running> {
  const { adopt } = await clearTheWay(home);
  if (adopt !== null) {
    log('PostgreSQL was still running without a process that would stop it: using it.');
    const hold = await startWatcher(home, { pid: adopt });
    return (await whenReady(home, hold, { found: true, log })) ?? startServer(home, settings, log);
  }
  for (const notice of [home.notice, await sharedAccountNotice(home.account)]) if (notice !== null) log(notice);
  const binaries = await prepareBinaries(home, log);
  await prepareCluster(home, binaries, log);
  await makePrivate(home, home.socket);
  await removeSocket(home);
  const { fd, size } = openLog(home);
  try {
    const command = [binaries.postgres, '-D', home.database, ...flags(home, settings)];
    const hold = await startWatcher(home, { command, env: binaries.env, log: fd });
    const running = await whenReady(home, hold, { found: false, log });
    if (running !== null) return running;
  } finally {
    closeSync(fd);
  }
  throw engineFailure(
    `The embedded PostgreSQL ended while it was starting: ${logSince(home, size)} (full log: ${home.log})`,
  );
}

/** A killed server leaves a socket lock file, which blocks a start like a stale postmaster.pid when its pid is in use again. */
async function removeSocket(home: Home): Promise<void> {
  const socket = join(home.socket, `.s.PGSQL.${PORT}`);
  await Promise.all([socket, `${socket}.lock`].map((path) => rm(path, { force: true })));
}

/** The caller's settings cannot change how the server is reached: it must not be reachable from other machines. */
function flags(home: Home, settings: Settings): string[] {
  const reach = {
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: home.socket,
    unix_socket_permissions: '0700',
  };
  return Object.entries({ ...SETTINGS, ...settings, ...reach }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

// A server that was killed replays up to 4 GB of WAL first, which takes minutes on a slow disk.
const READY_MS = 15 * 60_000;
const POLL_MS = 10;
const PATIENCE_MS = 10_000;

/** Null when the server has ended; the hold is then closed. */
export async function whenReady(
  home: Home,
  hold: Hold,
  { found, log }: { found: boolean; log: (message: string) => void },
): Promise<Running | null> {
  let connection: Connection | null = null;
  try {
    connection = await waitUntilReady(home, hold, log);
    return connection === null ? null : { hold, connection, found };
  } finally {
    if (connection === null) hold.close();
  }
}

async function waitUntilReady(home: Home, hold: Hold, log: (message: string) => void): Promise<Connection | null> {
  const began = performance.now();
  let reportedAt = began;
  for (;;) {
    const file = readPostmasterFile(home);
    if (file?.status === 'ready') {
      const connection = connectionTo(file.socket);
      const answer = await ask(connection);
      if (answer !== 'later' && (answer.dataDirectory ?? home.database) === home.database) return connection;
    }
    if (hold.announce() === 'gone') return null;
    const now = performance.now();
    if (now - began > READY_MS) throw engineFailure(`The embedded PostgreSQL does not get ready; see ${home.log}.`);
    if (now - reportedAt > PATIENCE_MS) {
      log('Waiting for PostgreSQL to recover its data.');
      reportedAt = now;
    }
    await sleep(POLL_MS);
  }
}

const STOP_MS = 20_000;

/** Closes the hold. The last process waits for the server's end, up to 20 s; a server that needs longer ends later by itself. */
export async function letGo(home: Home, hold: Hold): Promise<void> {
  const watched = hold.announce() !== 'gone';
  hold.close();
  const deadline = performance.now() + STOP_MS;
  while (performance.now() < deadline && !isHeld(home)) {
    const file = readPostmasterFile(home);
    if (file === null || !isServer(home, file)) return;
    // A watcher that was killed stops nothing; the signal may be repeated.
    if (!watched) stop(file.pid);
    await sleep(20);
  }
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Opens the server's log for appending; a large one is first renamed to `postgres.log.1`. `size` is the length of its old content. */
function openLog(home: Home): { fd: number; size: number } {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const open = (): number => {
    const fd = openSync(home.log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    if (home.account !== null) fchownSync(fd, home.account.uid, home.account.gid);
    return fd;
  };
  const fd = open();
  const { size } = fstatSync(fd);
  if (size <= LOG_BYTES) return { fd, size };
  closeSync(fd);
  renameSync(home.log, `${home.log}.1`);
  return { fd: open(), size: 0 };
}

/** The last lines that the server logged in this start; they describe problems with its files, and contain no data. */
function logSince(home: Home, size: number): string {
  const fd = openSync(home.log, 'r');
  try {
    const buffer = Buffer.alloc(4096);
    const text = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, size)).toString();
    return text.trim().split('\n').slice(-5).join(' | ') || 'it logged nothing';
  } catch (error) {
    return `its log cannot be read (${errorCode(error)})`;
  } finally {
    closeSync(fd);
  }
}
