// Reads the database server's version, durability settings and time zones for `leadmarket doctor`.
import { statement } from './database/database.ts';

export const serverFacts = statement<void, { version: number; synchronousCommit: string; fsync: string }>(
  'platform.server_facts',
  `SELECT current_setting('server_version_num')::integer AS "version", current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('fsync') AS "fsync"`,
);

export const selectUnknownZones = statement<{ zones: readonly string[] }, { zone: string }>(
  'platform.select_unknown_zones',
  `SELECT wanted.zone AS "zone" FROM unnest($zones::text[]) AS wanted (zone)
   WHERE NOT EXISTS (SELECT FROM pg_timezone_names known WHERE lower(known.name) = lower(wanted.zone))
   ORDER BY wanted.zone`,
);

/** For databases that are migrated: `selectUnknownZones` reads all zones of the server. */
export const selectRefusedZones = statement<{ zones: readonly string[] }, { zone: string }>(
  'platform.select_refused_zones',
  'SELECT wanted.zone AS "zone" FROM unnest($zones::text[]) AS wanted (zone) WHERE NOT knows_time_zone(wanted.zone)',
);
