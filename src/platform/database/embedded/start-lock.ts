// A lock for creating, starting or adopting the engine of a data directory: one process at a time holds it.
import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';

import { errorCode } from './engine-failure.ts';
import { factsOf } from './process-facts.ts';

/**
 * Takes the lock and returns the function that releases it, or null. The lock is a symbolic link whose "target" names its holder:
 * unlike a file, a link has its text from the first instant. A lock of a dead process is taken over. Should two processes ever both
 * hold it, PostgreSQL's own lock file and the rename after initdb still protect the data.
 */
export function tryStartLock(path: string): (() => void) | null {
  if (!createLock(path)) {
    removeStale(path);
    if (!createLock(path)) return null;
  }
  return () => remove(path);
}

/** The pid of the lock's holder, for a message. */
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
 * The removal needs a second lock: between the check and the removal another process could have done both and created its own
 * lock. The second lock is held for three system calls; a stale one is simply removed.
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
