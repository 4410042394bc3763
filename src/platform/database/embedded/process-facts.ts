// What the operating system knows about a process: whether it lives, since when, and in which directory it works.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import { errorCode } from './engine-failure.ts';

export type ProcessFacts = {
  /** A zombie has ended and let go of everything but its number. */
  readonly zombie: boolean;
  /** Opaque; together with the number it names one process for as long as the machine is up. Empty where it is hidden. */
  readonly started: string;
  /** Its working directory, or null where that is hidden from this user, which it never is for a process of the same user. */
  readonly directory: string | null;
  /** The program's name where the directory cannot be known (no /proc). */
  readonly program: string | null;
};

const HIDDEN: ProcessFacts = { zombie: false, started: '', directory: null, program: null };

/** Null where no such process exists. */
export function factsOf(pid: number): ProcessFacts | null {
  if (process.platform !== 'linux') return factsFromPs(pid);
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return isAlive(pid) ? HIDDEN : null;
  }
  // The second field is the name in brackets and may itself hold brackets and blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    zombie: /[ZX]/.test(fields[0] ?? ''),
    started: fields[19] ?? '',
    directory: directoryOf(pid),
    program: null,
  };
}

/** Numbers of the processes that work in `directory` (a real path): a server and what it started. Empty without /proc. */
export function processesIn(directory: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => directoryOf(pid) === directory);
}

function directoryOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Other systems than Linux have `ps`; not tested there. */
function factsFromPs(pid: number): ProcessFacts | null {
  if (!isAlive(pid)) return null;
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state = '', ...rest] = line.split(/\s+/);
    return {
      zombie: state.startsWith('Z'),
      started: rest.slice(0, 5).join(' '),
      directory: null,
      program: rest.slice(5).join(' '),
    };
  } catch {
    return HIDDEN;
  }
}
