// The SQL of dead letters.
import type { JobName } from '../../jobs.ts';
import { statement } from '../database/database.ts';
import type { ListedDeadJob, DeadJobFilter, DeadJobGroup } from './dead-job.ts';

const COLUMNS = `job_id AS "jobId", name, payload, attempts, error, failed_at AS "failedAt"`;

export const insertDeadJob = statement<{
  readonly jobId: string;
  readonly name: string;
  readonly payload: string;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: Date;
}>(
  'queue.insert_dead',
  'INSERT INTO dead_job (job_id, name, payload, attempts, error, failed_at) VALUES ($jobId, $name, $payload, $attempts, $error, $failedAt)',
);

export const deleteDeadJob = statement<{ readonly jobId: string }, ListedDeadJob>(
  'queue.delete_dead',
  `DELETE FROM dead_job WHERE job_id = $jobId RETURNING ${COLUMNS}`,
);

export const lockDeadJobs = statement<{ readonly name: string }, ListedDeadJob>(
  'queue.lock_dead',
  `SELECT ${COLUMNS} FROM dead_job WHERE name = $name ORDER BY job_id FOR UPDATE`,
);

export const rewriteDeadJob = statement<{ readonly jobId: string; readonly payload: string }>(
  'queue.rewrite_dead',
  'UPDATE dead_job SET payload = $payload WHERE job_id = $jobId',
);

/** Deletes the jobs whose payload has one of $values as its $member. */
export const dropDeadJobsSql = statement<{
  readonly name: string;
  readonly member: string;
  readonly values: readonly string[];
}>('queue.drop_dead', `DELETE FROM dead_job WHERE name = $name AND payload ->> $member = ANY($values::text[])`);

/** By the members of `DeadJobFilter`. */
const MATCHES = `($name::text IS NULL OR name = $name) AND ($ownerKey::text IS NULL OR payload ->> 'ownerKey' = $ownerKey)
     AND ($error::text IS NULL OR error = $error)`;

/** Starts after the one that failed at $afterTime with the id $afterId. */
const page = (name: string, isAfter: '<' | '>', direction: 'ASC' | 'DESC') =>
  statement<
    DeadJobFilter & { readonly afterTime: Date; readonly afterId: string; readonly limit: number },
    ListedDeadJob
  >(
    `queue.page_${name}`,
    `SELECT ${COLUMNS} FROM dead_job WHERE ${MATCHES} AND (failed_at, job_id) ${isAfter} ($afterTime, $afterId)
     ORDER BY failed_at ${direction}, job_id ${direction} LIMIT $limit`,
  );
export const pageOfDeadJobs = { newest: page('dead', '<', 'DESC'), oldest: page('oldest_dead', '>', 'ASC') };

/** The latest $limit jobs, grouped by name, owner and error. */
export const groupDeadJobs = statement<{ readonly limit: number }, DeadJobGroup>(
  'queue.group_dead',
  `SELECT name, payload ->> 'ownerKey' AS "ownerKey", error, count(*) AS jobs, max(failed_at) AS "latestAt"
   FROM (SELECT * FROM dead_job ORDER BY failed_at DESC, job_id DESC LIMIT $limit) AS latest
   GROUP BY 1, 2, 3 ORDER BY count(*) DESC, 1, 2, 3 LIMIT 50`,
);

/** The latest $limit jobs by name. */
export const sumDeadJobs = statement<DeadJobFilter & { readonly limit: number }, { name: JobName; jobs: number }>(
  'queue.sum_dead',
  `SELECT name, count(*) AS jobs
   FROM (SELECT name FROM dead_job WHERE ${MATCHES} ORDER BY failed_at DESC, job_id DESC LIMIT $limit) AS latest
   GROUP BY name ORDER BY name COLLATE "C"`,
);

/** Oldest first: the job that has waited longest is requeued first. */
export const dueDeadJobs = statement<DeadJobFilter & { readonly limit: number }, { jobId: string }>(
  'queue.due_dead',
  `SELECT job_id AS "jobId" FROM dead_job WHERE ${MATCHES} ORDER BY failed_at, job_id LIMIT $limit FOR UPDATE SKIP LOCKED`,
);

export const countDeadJobs = statement<DeadJobFilter & { readonly limit: number }, { jobs: number }>(
  'queue.count_dead',
  `SELECT count(*) AS jobs FROM (SELECT FROM dead_job WHERE ${MATCHES} LIMIT $limit) AS part`,
);
