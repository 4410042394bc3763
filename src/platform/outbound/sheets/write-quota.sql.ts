// The SQL of the write quota: the writes of each account per minute.
import { statement } from '../../database/database.ts';

/** Returns no row when the $perMinute writes of the minute are used up. */
export const takeSlot = statement<{ readonly account: string; readonly minute: Date; readonly perMinute: number }>(
  'sheets.take_slot',
  `INSERT INTO write_quota (account, minute, used) VALUES ($account, $minute, 1)
   ON CONFLICT (account, minute) DO UPDATE SET used = write_quota.used + 1 WHERE write_quota.used < $perMinute
   RETURNING used`,
);

export const purgeMinutes = statement<{ readonly minute: Date }>(
  'sheets.purge_minutes',
  'DELETE FROM write_quota WHERE minute < $minute',
);
