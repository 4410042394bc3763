// Which processes are alive, and what all of them counted minute by minute.
import type { Tx } from '../database/database.ts';
import { areClocksApart } from './compare-clocks.ts';
import { countedNames, type CountedName } from './process-counts.ts';
import { selectMinutes, selectProcesses } from './process.sql.ts';
import type { SeenProcess, Minute } from './process-row.ts';

/** Three times what a quiet process takes between two words, for clocks that differ and a machine that is busy. */
const LOST_AFTER_MS = 30_000;
const MINUTE_MS = 60_000;

/** The oldest first. */
export async function readProcesses(tx: Tx, now: Date): Promise<SeenProcess[]> {
  const rows = await tx.query(selectProcesses);
  return rows.map(({ role, startedAt, seenAt, clockAheadMs, untrustedProxy }) => ({
    role,
    startedAt,
    seenAt,
    // By the database's clock: one whose clock is behind is not thereby lost.
    isLost: now.getTime() - seenAt.getTime() + (clockAheadMs ?? 0) > LOST_AFTER_MS,
    clockAheadMs: clockAheadMs !== null && areClocksApart(clockAheadMs) ? clockAheadMs : null,
    untrustedProxy,
  }));
}

/** The last so many minutes, the present one included and last; one in which nothing was counted is there, too. */
export async function readMinutes(tx: Tx, count: number, now: Date): Promise<Minute[]> {
  const last = now.getTime() - (now.getTime() % MINUTE_MS);
  const first = last - (count - 1) * MINUTE_MS;
  const rows = await tx.query(selectMinutes, { from: new Date(first), until: new Date(last) });
  const known = new Map(rows.map((row) => [row.minute.getTime(), row]));
  return Array.from({ length: count }, (_, index) => {
    const minute = new Date(first + index * MINUTE_MS);
    return known.get(minute.getTime()) ?? { minute, ...nothing };
  });
}

const nothing = Object.fromEntries(countedNames.map((name) => [name, 0])) as Record<CountedName, number>;
