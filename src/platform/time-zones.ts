// Finds time zones that the database server does not know: its list of zones is another one than Node's.
import type { Database, Tx } from './database/database.ts';
import { selectRefusedZones, selectUnknownZones } from './doctor.sql.ts';

/** Those of `zones` that `AT TIME ZONE` would reject. The server reads all of its zones for it: some hundred milliseconds. */
export async function unknownTimeZones(database: Database, zones: readonly string[]): Promise<string[]> {
  return (await database.query(selectUnknownZones, { zones })).map(({ zone }) => zone);
}

/** The same, for few zones: reads no others. For databases that are migrated. */
export async function zonesToRefuse(tx: Tx, zones: readonly string[]): Promise<string[]> {
  return zones.length === 0 ? [] : (await tx.query(selectRefusedZones, { zones })).map(({ zone }) => zone);
}
