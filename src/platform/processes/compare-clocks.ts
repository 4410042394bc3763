// How far this machine's clock is from the database's: leases, retries and caps of all processes share the times that they write.
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { serverClock } from './server-clock.sql.ts';

/** Leases and windows bear some seconds between machines; more is a machine without time synchronisation. */
const CLOCKS_DIFFER_MS = 5000;

/** How many milliseconds `clock` is ahead; negative where it is behind, 0 where the time that the question took explains it. */
export async function compareClocks(database: Database, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await database.query(serverClock);
  const after = clock.now().getTime();
  const server = row?.clock.getTime() ?? before;
  if (server < before) return before - server;
  return server > after ? after - server : 0;
}

export function areClocksApart(aheadMs: number): boolean {
  return Math.abs(aheadMs) > CLOCKS_DIFFER_MS;
}
