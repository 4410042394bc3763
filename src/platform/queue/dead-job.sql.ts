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
