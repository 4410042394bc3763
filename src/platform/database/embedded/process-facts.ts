// Reads facts about a process from the operating system: whether it lives, its start time and its working directory.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import { errorCode } from './engine-failure.ts';

export type ProcessFacts = {
  /** A zombie has ended and holds nothing but its pid. */
  readonly zombie: boolean;
  /** Opaque; identifies the process together with its pid until the machine restarts. Empty when hidden. */
  readonly started: string;
  /** Its working directory; null when hidden, which it never is for a process of the same user. */
  readonly directory: string | null;
  /** The program's name on systems without /proc, where the directory is unknown. */
  readonly program: string | null;
};

const HIDDEN: ProcessFacts = { zombie: false, started: '', directory: null, program: null };

/** Null when the process does not exist. */
export function factsOf(pid: number): ProcessFacts | null {
  if (process.platform !== 'linux') return factsFromPs(pid);
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return isAlive(pid) ? HIDDEN : null;
  }
  // The second field is the name in parentheses, which may itself contain parentheses and blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    zombie: /[ZX]/.test(fields[0] ?? ''),
    started: fields[19] ?? '',
    directory: directoryOf(pid),
    program: null,
  };
}

/** The pids of the processes with this working directory (a real path): a server and its children. Empty without /proc. */
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

/** For systems other than Linux; untested. */
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
