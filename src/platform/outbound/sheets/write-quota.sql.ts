// The SQL of the writes that each account has made in a minute.
import { statement } from '../../database/database.ts';

/** $3: as many as there may be. No row where they are used up. */
export const takeSlot = statement(
  'sheets.take_slot',
  `INSERT INTO write_quota (account, minute, used) VALUES ($1, $2, 1)
   ON CONFLICT (account, minute) DO UPDATE SET used = write_quota.used + 1 WHERE write_quota.used < $3
   RETURNING used`,
);

export const forgetMinutes = statement('sheets.forget_minutes', 'DELETE FROM write_quota WHERE minute < $1');
