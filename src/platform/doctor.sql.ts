// Reads the database server's version and durability settings for `leadmarket doctor`.
import { statement } from './database/database.ts';

export const serverFacts = statement<void, { version: number; synchronousCommit: string; fsync: string }>(
  'platform.server_facts',
  `SELECT current_setting('server_version_num')::integer AS "version", current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('fsync') AS "fsync"`,
);
