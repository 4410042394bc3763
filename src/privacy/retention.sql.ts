// The SQL of how far retention has come.
import { statement } from '../platform/database/database.ts';

export const selectProgress = statement(
  'retention.progress',
  'SELECT last_id AS "lastId" FROM retention_progress WHERE step = $1 FOR UPDATE',
);

export const saveProgress = statement(
  'retention.save_progress',
  `INSERT INTO retention_progress (step, last_id) VALUES ($1, $2)
   ON CONFLICT (step) DO UPDATE SET last_id = excluded.last_id`,
);
