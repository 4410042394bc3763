// The SQL of dead letters.
import { statement } from '../database/database.ts';

const COLUMNS = `job_id AS "jobId", name, payload, attempts, error, failed_at AS "failedAt"`;

export const insertDeadJob = statement(
  'queue.insert_dead',
  'INSERT INTO dead_job (job_id, name, payload, attempts, error, failed_at) VALUES ($1, $2, $3, $4, $5, $6)',
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
export const dropDeadJobsSql = statement(
  'queue.drop_dead',
  `DELETE FROM dead_job WHERE name = $1 AND payload ->> $2 = ANY($3::text[])`,
);

/** $1 name, $2 owner of a message, $3 error; null for no condition. */
const DEAD = `($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR payload ->> 'ownerKey' = $2) AND ($3::text IS NULL OR error = $3)`;

/** Newest first, from behind the one that failed at $4 with the id $5; $6 of them. */
export const pageOfDeadJobs = statement(
  'queue.page_dead',
  `SELECT ${COLUMNS} FROM dead_job WHERE ${DEAD} AND (failed_at, job_id) < ($4, $5)
   ORDER BY failed_at DESC, job_id DESC LIMIT $6`,
);

/** Of the latest $1, told apart by what they were to do, for whom, and why they failed. */
export const groupDeadJobs = statement(
  'queue.group_dead',
  `SELECT name, payload ->> 'ownerKey' AS "ownerKey", error, count(*) AS jobs, max(failed_at) AS "latestAt"
   FROM (SELECT * FROM dead_job ORDER BY failed_at DESC, job_id DESC LIMIT $1) AS latest
   GROUP BY 1, 2, 3 ORDER BY count(*) DESC, 1, 2, 3 LIMIT 50`,
);

/** The oldest $4 first: what waited longest is run again first. */
export const dueDeadJobs = statement(
  'queue.due_dead',
  `SELECT job_id AS "jobId" FROM dead_job WHERE ${DEAD} ORDER BY failed_at, job_id LIMIT $4 FOR UPDATE SKIP LOCKED`,
);

export const countDeadJobs = statement(
  'queue.count_dead',
  `SELECT count(*) AS jobs FROM (SELECT FROM dead_job WHERE ${DEAD} LIMIT $4) AS part`,
);
