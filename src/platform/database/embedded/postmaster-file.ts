// Reads postmaster.pid, in which a server says who and where it is and how far it has come; and removes one that lies.
import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { engineFailure, errorCode } from './engine-failure.ts';
import type { Home } from './home.ts';
import { factsOf, processesIn } from './process-facts.ts';

export type PostmasterFile = {
  readonly pid: number;
  /** Directory of its socket; empty while the server is only just starting. */
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

/** Whether the file's process is this database's own server, and not another one that got its number later. */
export function isServer(home: Home, file: PostmasterFile): boolean {
  const facts = file.pid === 0 ? null : factsOf(file.pid);
  if (facts === null || facts.zombie) return false;
  return facts.program === null ? facts.directory === home.database : facts.program.endsWith('postgres');
}

// A server that was told to stop finishes its checkpoint first; backends of a killed one end when they look up from their work.
const WAIT_MS = 60_000;
// From the signal to the word "stopping" in the file a server needs some milliseconds, on a crowded machine more.
const GRACE_MS = 2_000;

/**
 * Waits until no server of this database is in the way of a new one, and removes a file that names a process which is
 * something else now: PostgreSQL itself would take every live process of the same user for a server. `adopt`: a server runs
 * and does not stop, but nobody watches it. Only under the start lock, and only where nobody holds the lifeline.
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
      // A number that nobody has is known to be stale by PostgreSQL itself.
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
