// The SQL of dead letters.
import { statement } from '../database/database.ts';

const COLUMNS = `job_id AS "jobId", name, payload, attempts, error, failed_at AS "failedAt"`;

export const insertDeadJob = statement(
  'queue.insert_dead',
  'INSERT INTO dead_job (job_id, name, payload, attempts, error, failed_at) VALUES ($1, $2, $3, $4, $5, $6)',
);

export const selectDeadJobs = statement(
  'queue.select_dead',
  `SELECT ${COLUMNS} FROM dead_job ORDER BY failed_at DESC, job_id LIMIT $1`,
);

export const deleteDeadJob = statement(
  'queue.delete_dead',
  `DELETE FROM dead_job WHERE job_id = $1 RETURNING ${COLUMNS}`,
);

export const lockDeadJobs = statement(
  'queue.lock_dead',
  `SELECT ${COLUMNS} FROM dead_job WHERE name = $1 ORDER BY job_id FOR UPDATE`,
);

export const rewriteDeadJob = statement('queue.rewrite_dead', 'UPDATE dead_job SET payload = $2 WHERE job_id = $1');

/** $2: a member of the payload, $3: its values. */
export const dropDeadJobs = statement(
  'queue.drop_dead',
  `DELETE FROM dead_job WHERE name = $1 AND payload ->> $2 = ANY($3::text[])`,
);
