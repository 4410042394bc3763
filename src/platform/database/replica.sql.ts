// The SQL that compares a replica with its primary, and that remembers how far an owner's own changes reach in the log (decision 055).
import type { ServerFacts } from './replica.rules.ts';
import { statement } from './database.ts';

const IDENTITY = `(SELECT system_identifier::text FROM pg_control_system()) AS "systemId",
  (SELECT oid FROM pg_database WHERE datname = current_database())::int AS "databaseId"`;

/**
 * Written, and not inserted: at the start of a page the position of the next record is beyond what an idle standby has replayed. A commit
 * is written before it is acknowledged.
 */
const WRITTEN = 'pg_current_wal_lsn()';

/** Fails on a standby. The name of a log file begins with the timeline. */
export const selectPrimary = statement<void, ServerFacts>(
  'platform.primary',
  `SELECT false AS "isStandby", ${WRITTEN}::text AS position, ${IDENTITY},
     ('x' || left(pg_walfile_name(${WRITTEN}), 8))::bit(32)::int AS timeline`,
);

export const selectStandby = statement<void, ServerFacts>(
  'platform.standby',
  `SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn()::text AS position, ${IDENTITY},
     coalesce((SELECT min_recovery_end_timeline FROM pg_control_recovery()), 0) AS timeline`,
);

/** Evaluated under the lock of the row, so that of two changes at a time the later position stays. */
export const saveOwnChange = statement<{ readonly owner: string }>(
  'platform.save_own_change',
  `INSERT INTO own_change (owner, position) VALUES ($owner, ${WRITTEN})
   ON CONFLICT (owner) DO UPDATE SET position = ${WRITTEN}`,
);

export const selectOwnChange = statement<{ readonly owner: string }, { position: string }>(
  'platform.own_change',
  'SELECT position::text AS position FROM own_change WHERE owner = $owner',
);
