// Reads memory, processor time and children of processes from /proc on Linux.
import { readdirSync, readFileSync } from 'node:fs';

import type pg from 'pg';

export type Memory = { readonly rssMb: number; readonly pssMb: number };

/** PSS divides memory that several processes map, such as PostgreSQL's buffers; only its sum is the memory that the machine needs. */
export function memoryOf(pids: readonly number[]): Memory {
  const totals = pids.map((pid) => {
    // A child of PostgreSQL may have ended meanwhile.
    const text = readOfRunning(`/proc/${pid}/smaps_rollup`) ?? '';
    const megabytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
    return { rssMb: megabytes('Rss'), pssMb: megabytes('Pss') };
  });
  return totals.reduce((sum, one) => ({ rssMb: sum.rssMb + one.rssMb, pssMb: sum.pssMb + one.pssMb }), {
    rssMb: 0,
    pssMb: 0,
  });
}

/** The postmaster of the database in `dataDir`, and its children. */
export function postgresPids(dataDir: string): number[] {
  const postmaster = Number(readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n', 1)[0]);
  return [postmaster, ...childrenOf(postmaster)];
}

/** Milliseconds of processor time so far; of a postmaster also that of children that have ended. */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = statOf(pid);
    return fields === null ? sum : sum + fields.ownTicks * 10 + fields.endedChildrenTicks * 10;
  }, 0);
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => statOf(candidate)?.parent === pid);
}

/** Null if the process has ended. Ticks are hundredths of a second on every Linux that Node runs on. */
function statOf(pid: number): { parent: number; ownTicks: number; endedChildrenTicks: number } | null {
  const text = readOfRunning(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name in brackets may hold blanks.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number): number => fields[index] ?? 0;
  return { parent: at(1), ownTicks: at(11) + at(12), endedChildrenTicks: at(13) + at(14) };
}

/** Null if the process has ended. */
function readOfRunning(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null;
    throw error;
  }
}

/** Nanoseconds of processor time of the processes of all other connections, which must be open already; waiting is not included. */
export async function connectionClock({ client }: { readonly client: pg.Client }): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  const files = rows.map(({ pid }) => `/proc/${pid}/schedstat`);
  return () => files.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0);
}
