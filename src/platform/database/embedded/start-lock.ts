// Lets exactly one process at a time make, start or adopt the engine of a data directory.
import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';

import { errorCode } from './engine-failure.ts';
import { factsOf } from './process-facts.ts';

/**
 * Takes the lock or returns null; the result of a success gives it back. The lock is a symbolic link whose "target" names its
 * holder: unlike a file, a link has its text from the first instant. What a killed process leaves is taken over. Should two
 * processes ever both hold it, PostgreSQL's own lock file and the rename after initdb still keep the data whole.
 */
export function tryStartLock(path: string): (() => void) | null {
  if (!createLock(path)) {
    removeStale(path);
    if (!createLock(path)) return null;
  }
  return () => remove(path);
}

/** The number of the process that holds the lock, for a message. */
export function lockHolder(path: string): number | null {
  return read(path)?.pid ?? null;
}

function createLock(path: string): boolean {
  try {
    symlinkSync(`${process.pid} ${factsOf(process.pid)?.started ?? ''}`, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removing needs a second lock: between "its holder is dead" and the removal another process could have done both and
 * placed its own. The second is held for three system calls; when its holder died just there, it is simply removed.
 */
function removeStale(path: string): void {
  if (!isStale(path)) return;
  const breaking = `${path}.breaking`;
  if (!createLock(breaking)) {
    if (isStale(breaking)) remove(breaking);
    return;
  }
  try {
    if (isStale(path)) remove(path);
  } finally {
    remove(breaking);
  }
}

function isStale(path: string): boolean {
  const holder = read(path);
  if (holder === null) return false;
  const { pid, started } = holder;
  const facts = factsOf(pid);
  if (facts === null || facts.zombie) return true;
  return facts.started !== '' && started !== '' && facts.started !== started;
}

function read(path: string): { pid: number; started: string } | null {
  try {
    const text = readlinkSync(path);
    const blank = text.indexOf(' ');
    return { pid: Number(text.slice(0, blank)), started: text.slice(blank + 1) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
