// Reads which processes are alive, how many servers are connected, and what all of them counted minute by minute.
import type { Uuid } from '../../base/ids.ts';
import type { Tx, Database } from '../database/database.ts';
import { areClocksApart } from './compare-clocks.ts';
import { countedNames, type CountedName } from './process-counts.ts';
import { selectMinutes, selectProcesses, connectedServers, endReports } from './process.sql.ts';
import { LOST_AFTER_MS, type SeenProcess, type Minute } from './process-row.ts';

const MINUTE_MS = 60_000;
const LOST_SHOWN_MS = 60 * MINUTE_MS;

/** Oldest first; those that are lost are listed for an hour. */
export async function readProcesses(tx: Tx, now: Date): Promise<SeenProcess[]> {
  const rows = await tx.query(selectProcesses, { seenSince: new Date(now.getTime() - LOST_SHOWN_MS) });
  return rows.map(({ role, startedAt, seenAt, clockAheadMs, untrustedProxy }) => ({
    role,
    startedAt,
    seenAt,
    // By the database's clock, so that a process whose own clock is behind does not count as lost.
    isLost: now.getTime() - seenAt.getTime() + (clockAheadMs ?? 0) > LOST_AFTER_MS,
    clockAheadMs: clockAheadMs !== null && areClocksApart(clockAheadMs) ? clockAheadMs : null,
    untrustedProxy,
  }));
}

/** Of processes that are gone. */
export async function deleteReports(tx: Tx, processIds: readonly Uuid[]): Promise<void> {
  if (processIds.length > 0) await tx.query(endReports, { processIds });
}

/** The last `count` minutes, the current one last; minutes in which nothing was counted have zeros. */
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

export async function runningServers(database: Database): Promise<number> {
  const [row] = await database.query(connectedServers);
  return row?.servers ?? 0;
}
