// Counts the processes that use the engine through a FIFO: each holds it open for writing, and when the last one closes it, also
// by being killed, a separate watcher process stops the server.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { bareEnvironment, run, spawnAs } from './account.ts';
import { engineFailure, errorCode } from './engine-failure.ts';
import { give, type Home } from './home.ts';

/** The hold of one process on the engine. */
export type Hold = {
  /** `gone`: the watcher has ended, so this hold keeps nothing alive. `ending`: the watcher is deciding whether to stop the server. */
  announce(): 'kept' | 'ending' | 'gone';
  close(): void;
};

/** Passed to the shell as text, because it may run as a user who cannot read this folder. */
const WATCHER = readFileSync(join(import.meta.dirname, 'watcher.sh'), 'utf8');

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

// The `ending` sign is set for a few milliseconds; longer only while a server that has just started is being stopped again.
const ENDING_MS = 30_000;

/** Joins the processes that use a running engine; null when none runs, or when it is about to stop. */
export async function takeHold(home: Home): Promise<Hold | null> {
  const hold = open(home);
  if (hold === null) return null;
  const deadline = performance.now() + ENDING_MS;
  while (performance.now() < deadline) {
    const state = hold.announce();
    if (state === 'kept') return hold;
    if (state === 'gone') break;
    await sleep(10);
  }
  hold.close();
  return null;
}

function open(home: Home): Hold | null {
  let fd: number;
  try {
    const { uid } = lstatSync(home.lifeline);
    const here = process.geteuid?.();
    if (here !== 0 && uid !== here) {
      throw engineFailure(
        `The engine in ${home.directory} belongs to user ${uid}, and this process is user ${here}: run it as that user.`,
      );
    }
    fd = openSync(home.lifeline, O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    // ENXIO: no reader, so no watcher.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENXIO') return null;
    throw error;
  }
  return holdOn(home, fd);
}

function holdOn(home: Home, fd: number): Hold {
  if (!fstatSync(fd).isFIFO()) {
    closeSync(fd);
    throw engineFailure(`${home.lifeline} must be a FIFO: remove it and start again.`);
  }
  let closed = false;
  return {
    announce() {
      try {
        writeSync(fd, '\n');
      } catch (error) {
        if (errorCode(error) === 'EPIPE') return 'gone';
        // A full pipe only means that its reader is slow.
        if (errorCode(error) !== 'EAGAIN') throw error;
      }
      return (fstatSync(fd).mode & 0o100) === 0 ? 'kept' : 'ending';
    },
    close() {
      if (!closed) closeSync(fd);
      closed = true;
    },
  };
}

/** A server to start (`log` is the descriptor of its output), or the pid of a running one. */
export type Watched =
  | { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly log: number }
  | { readonly pid: number };

/** Starts the watcher, and the server as its child. Requires the start lock, and that `takeHold` found nothing. */
export async function startWatcher(home: Home, watched: Watched): Promise<Hold> {
  await makeLifeline(home);
  // Open for both: as long as this end is open the watcher cannot see the end of the FIFO before the real hold exists.
  const both = openSync(home.lifeline, O_RDWR | O_NOFOLLOW);
  try {
    const reading = openSync(home.lifeline, O_RDONLY | O_NOFOLLOW);
    try {
      await spawnWatcher(home, watched, reading);
    } finally {
      closeSync(reading);
    }
    return holdOn(home, openSync(home.lifeline, O_WRONLY | O_NONBLOCK | O_NOFOLLOW));
  } finally {
    closeSync(both);
  }
}

/** Never replaces the FIFO: processes that still hold it from before also keep the next engine alive. */
async function makeLifeline(home: Home): Promise<void> {
  const { code, errors } = await run('mkfifo', ['-m', '600', home.lifeline], { account: null });
  if (code === 0) return give(home, home.lifeline);
  const found = lstatSync(home.lifeline, { throwIfNoEntry: false });
  if (found?.isFIFO() !== true) throw engineFailure(`${home.lifeline} cannot be made: ${errors.trim()}`);
  chmodSync(home.lifeline, 0o600);
}

/** Starts it in a session of its own, so that Ctrl-C does not reach it: the service needs its database while draining. */
function spawnWatcher(home: Home, watched: Watched, lifeline: number): Promise<void> {
  const { pid, command, env, log } =
    'pid' in watched
      ? { pid: String(watched.pid), command: [], env: {}, log: 'ignore' as const }
      : { ...watched, pid: '' };
  const args = ['-c', WATCHER, 'leadmarket-lifeline', home.lifeline, home.database, pid, ...command];
  return new Promise((resolve, reject) => {
    const watcher = spawn('/bin/sh', args, {
      ...spawnAs(home.account),
      env: bareEnvironment(env),
      stdio: ['ignore', log, log, lifeline],
      detached: true,
    });
    watcher.once('error', reject);
    watcher.once('spawn', () => {
      watcher.unref();
      resolve();
    });
  });
}

/** Whether any other process holds the lifeline: a read that would block means that there is a writer. Call it without a hold. */
export function isHeld(home: Home): boolean {
  let fd: number;
  try {
    fd = openSync(home.lifeline, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  try {
    while (readSync(fd, Buffer.alloc(512)) > 0);
    return false;
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return true;
    throw error;
  } finally {
    closeSync(fd);
  }
}
