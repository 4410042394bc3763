// Assigns programs to processors, so that the limit of a program can be distinguished from the limit of the machine.
import { availableParallelism } from 'node:os';

import { postgresPids } from './proc.ts';
import { hasCommand, run } from './processes.ts';

export type Layout = {
  /** Cores of the first worker, the second and so on, in the words of taskset; without any they run where this process runs. */
  readonly workers: readonly string[];
  /** Cores of PostgreSQL; null for where it runs already. */
  readonly postgres: string | null;
};

/** All programs on the cores of this process. */
export const sharedCores: Layout = { workers: [], postgres: null };

/** Two workers with one core each, and two cores for PostgreSQL; null if the machine has fewer than four. */
export async function ownCores(): Promise<Layout | null> {
  const mayPin = availableParallelism() >= 4 || (await allCores()) >= 4;
  return mayPin && (await hasCommand('taskset')) ? { workers: ['0', '1'], postgres: '2,3' } : null;
}

/** This process may be limited to fewer cores. */
async function allCores(): Promise<number> {
  return Number(await run('getconf', ['_NPROCESSORS_ONLN']));
}

/** Moves a running database; returns a function that moves it back. */
export async function placePostgres(dataDir: string, cores: string | null): Promise<() => Promise<void>> {
  if (cores === null) return () => Promise.resolve();
  const [postmaster] = postgresPids(dataDir);
  const before = /: (.*)$/m.exec(await run('taskset', ['-c', '-p', String(postmaster)]))?.[1] ?? '0';
  const move = async (to: string): Promise<void> => {
    for (const pid of postgresPids(dataDir)) await run('taskset', ['-a', '-c', '-p', to, String(pid)]);
  };
  await move(cores);
  return () => move(before);
}
