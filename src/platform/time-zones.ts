// Finds time zones that the database server does not know: its list of zones is another one than Node's.
import type { Database } from './database/database.ts';
import { selectUnknownZones } from './doctor.sql.ts';

/** Those of `zones` that `AT TIME ZONE` would reject. The server reads all of its zones for it: some hundred milliseconds. */
export async function unknownTimeZones(database: Database, zones: readonly string[]): Promise<string[]> {
  return (await database.query(selectUnknownZones, { zones })).map(({ zone }) => zone);
}
