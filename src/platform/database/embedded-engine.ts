// Runs an embedded PostgreSQL in the data directory: all processes with the same directory share it, and it stops with the last of them
// (contract 8.1; decision 010).
import { setTimeout as sleep } from 'node:timers/promises';

import type { Connection } from './embedded/connection.ts';
import { engineFailure, errorCode, USE_EXTERNAL } from './embedded/engine-failure.ts';
import { findHome, type Home } from './embedded/home.ts';
import { takeHold } from './embedded/lifeline.ts';
import { letGo, type Running, type Settings, startServer, whenReady } from './embedded/server.ts';
import { lockHolder, tryStartLock } from './embedded/start-lock.ts';

export type EmbeddedEngine = {
  /** Options for `pg`: the socket's directory as host, user and database. */
  readonly connection: Connection;
  /** Whether this process started it, or found it running. */
  readonly how: 'started' | 'joined';
  /** The last process that releases the engine waits until PostgreSQL has stopped, up to 20 s. Can be called repeatedly. */
  release(): Promise<void>;
};

export type EngineOptions = {
  readonly dataDir: string;
  readonly log: (message: string) => void;
  /** Override the engine's own server settings; only used by the process that starts it. */
  readonly settings?: Settings;
};

// The lock is held while a database is created (1 s, on slow disks 20 s) and while an old server stops (up to 60 s).
const LOCK_MS = 120_000;

/**
 * Joins the engine of `dataDir`, or starts it. The server runs until the last process that uses it has released it, ended or been
 * killed. Rejects with an OutsideError whose text says what to do.
 *
 * Windows has no FIFO and no sockets in directories that `pg` could use. There it would listen on 127.0.0.1 with a random port
 * (postmaster.pid names it), a SCRAM password in a private file, and be stopped by `pg_ctl stop -m fast`. That is untested and
 * therefore not supported. macOS works like Linux, with `ps` instead of /proc; untested as well.
 */
export async function useEmbeddedEngine(options: EngineOptions): Promise<EmbeddedEngine> {
  if (process.platform === 'win32') {
    throw engineFailure(`The embedded PostgreSQL is not available on Windows: use WSL, or ${USE_EXTERNAL}.`);
  }
  const home = await findHome(options.dataDir);
  const deadline = performance.now() + LOCK_MS;
  for (;;) {
    const running = (await join(home, options)) ?? (await startAlone(home, options));
    if (running !== null) return engine(home, running);
    if (performance.now() > deadline) {
      throw engineFailure(
        `Process ${lockHolder(home.lock)} has been starting the database in ${home.directory} for two minutes: try again later.`,
      );
    }
    await sleep(20);
  }
}

async function join(home: Home, options: EngineOptions): Promise<Running | null> {
  const hold = await takeHold(home);
  if (hold === null) return null;
  return whenReady(home, hold, { found: true, log: options.log });
}

/** Null while another process holds the start lock. */
async function startAlone(home: Home, options: EngineOptions): Promise<Running | null> {
  const unlock = lock(home);
  if (unlock === null) return null;
  try {
    // Another process may have started it before this one got the lock.
    return (await join(home, options)) ?? (await startServer(home, options.settings ?? {}, options.log));
  } finally {
    unlock();
  }
}

function lock(home: Home): (() => void) | null {
  try {
    return tryStartLock(home.lock);
  } catch (error) {
    throw engineFailure(`The directory ${home.directory} cannot be written by this user (${errorCode(error)}).`, error);
  }
}

function engine(home: Home, { hold, connection, found }: Running): EmbeddedEngine {
  let released: Promise<void> | null = null;
  return {
    connection,
    how: found ? 'joined' : 'started',
    release() {
      released ??= letGo(home, hold);
      return released;
    },
  };
}
