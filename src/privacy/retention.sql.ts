// SQL on the progress of retention steps.
import { statement } from '../platform/database/database.ts';
import type { Uuid } from '../base/ids.ts';

export const selectProgress = statement<{ readonly step: string }, { lastId: Uuid }>(
  'retention.progress',
  'SELECT last_id AS "lastId" FROM retention_progress WHERE step = $step FOR UPDATE',
);

export const saveProgress = statement<{ readonly step: string; readonly last: Uuid }>(
  'retention.save_progress',
  `INSERT INTO retention_progress (step, last_id) VALUES ($step, $last)
   ON CONFLICT (step) DO UPDATE SET last_id = excluded.last_id`,
);
