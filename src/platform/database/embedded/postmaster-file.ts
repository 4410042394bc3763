// Reads postmaster.pid, which has a server's pid, socket and status, and removes a stale one.
import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { engineFailure, errorCode } from './engine-failure.ts';
import type { Home } from './home.ts';
import { factsOf, processesIn } from './process-facts.ts';

export type PostmasterFile = {
  readonly pid: number;
  /** The directory of its socket; empty while the server is starting. */
  readonly socket: string;
  readonly status: 'starting' | 'ready' | 'stopping' | 'unknown';
};

export function readPostmasterFile(home: Home): PostmasterFile | null {
  let lines: string[];
  try {
    lines = readFileSync(join(home.database, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw engineFailure(`The database in ${home.database} cannot be read by this user (${errorCode(error)}).`, error);
  }
  const status = lines[7]?.trim();
  return {
    pid: Math.abs(Number.parseInt(lines[0] ?? '', 10)) || 0,
    socket: lines[4] ?? '',
    status: status === 'starting' || status === 'ready' || status === 'stopping' ? status : 'unknown',
  };
}

/** Whether the file's process is this database's server, and not a later process with the same pid. */
export function isServer(home: Home, file: PostmasterFile): boolean {
  const facts = file.pid === 0 ? null : factsOf(file.pid);
  if (facts === null || facts.zombie) return false;
  return facts.program === null ? facts.directory === home.database : facts.program.endsWith('postgres');
}

// A stopping server finishes its checkpoint first; backends of a killed one end when they next check for its death.
const WAIT_MS = 60_000;
// After the signal a server needs some milliseconds to write "stopping" into the file, more on a busy machine.
const GRACE_MS = 2_000;

/**
 * Waits until no server of this database prevents a new one, and removes a file whose pid now belongs to another process:
 * PostgreSQL itself would take every live process of the same user for a server. `adopt` is the pid of a running server that has no
 * watcher. Requires the start lock, and that no process holds the lifeline.
 */
export async function clearTheWay(home: Home): Promise<{ adopt: number | null }> {
  const began = performance.now();
  for (;;) {
    const file = readPostmasterFile(home);
    if (file === null) return { adopt: null };
    const waited = performance.now() - began;
    if (isServer(home, file)) {
      if (file.status === 'ready' && waited > GRACE_MS) return { adopt: file.pid };
      if (waited > WAIT_MS)
        throw engineFailure(
          `The server (process ${file.pid}) of ${home.database} has been ${file.status} for a minute: try again later.`,
        );
    } else if (processesIn(home.database).length === 0) {
      // PostgreSQL itself recognizes a pid without a process as stale.
      if (factsOf(file.pid) !== null) unlinkSync(join(home.database, 'postmaster.pid'));
      return { adopt: null };
    } else if (waited > WAIT_MS) {
      throw engineFailure(
        `Processes of a server that was killed still work in ${home.database}: end them, or try again later.`,
      );
    }
    await sleep(20);
  }
}
