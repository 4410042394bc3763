// What the database says of itself, for `leadmarket doctor`.
import { statement } from './database/database.ts';

/** The server's clock is asked here and nowhere else: to be compared with ours, not to decide anything. */
export const serverFacts = statement(
  'platform.server_facts',
  `SELECT current_setting('server_version_num')::integer AS "version", current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('fsync') AS "fsync", clock_timestamp() AS "clock"`,
);
