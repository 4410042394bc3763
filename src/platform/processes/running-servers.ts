// Counts the servers that are connected to a database, by the names under which they connect.
import type { Database } from '../database/database.ts';
import { connectedServers } from './process.sql.ts';

export async function runningServers(database: Database): Promise<number> {
  const [row] = await database.query(connectedServers);
  return row?.servers ?? 0;
}
