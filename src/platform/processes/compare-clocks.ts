// Measures how far this machine's clock is from the database's. Leases, retries and caps compare times that different machines wrote.
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { serverClock } from './server-clock.sql.ts';

/** Leases and windows tolerate a few seconds between machines; a larger difference means a machine without time synchronisation. */
const CLOCKS_DIFFER_MS = 5000;

/** The milliseconds by which `clock` is ahead: negative when it is behind, 0 when the round trip explains the difference. */
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
