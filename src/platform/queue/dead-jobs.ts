// Stores, lists and requeues the dead letters of every queue: jobs that failed for good, kept until the operator requeues them.
import type { JobName, Jobs } from '../../jobs.ts';
import {
  deleteDeadJob,
  dropDeadJobsSql,
  insertDeadJob,
  lockDeadJobs,
  rewriteDeadJob,
  countDeadJobs,
  dueDeadJobs,
  groupDeadJobs,
  pageOfDeadJobs,
  sumDeadJobs,
} from './dead-job.sql.ts';
import type { DeadJob, AnyDeadJob, ListedDeadJob, DeadJobFilter, DeadJobGroup } from './dead-job.ts';
import { NEWEST, OLDEST, type TimePosition } from '../../base/time-position.ts';
import type { Tx } from '../database/database.ts';

export async function moveToDeadLetters<Name extends JobName>(tx: Tx, job: DeadJob<Name>, now: Date): Promise<void> {
  await tx.query(insertDeadJob, {
    jobId: job.jobId,
    name: job.name,
    payload: JSON.stringify(job.payload),
    attempts: job.attempts,
    error: job.error,
    failedAt: now,
  });
}

/** Removes the job from the dead letters for the caller to requeue in the same transaction; null when it is not there. */
export async function takeDeadJob(tx: Tx, jobId: string): Promise<AnyDeadJob | null> {
  const [job] = await tx.query(deleteDeadJob, { jobId });
  return job ?? null;
}

/** Reads all dead letters with this name; there are few, as an operator looks at each. `change` returns the new payload, or null to keep it. */
export async function rewriteDeadJobs<Name extends JobName>(
  tx: Tx,
  name: Name,
  change: (payload: Jobs[Name]) => Jobs[Name] | null,
): Promise<void> {
  for (const { jobId, payload } of await tx.query(lockDeadJobs, { name })) {
    const changed = change(payload as Jobs[Name]);
    if (changed !== null) await tx.query(rewriteDeadJob, { jobId, payload: JSON.stringify(changed) });
  }
}

/** Deletes the jobs whose payload has one of `values` as its `member`: they could never succeed. */
export async function dropDeadJobs<Name extends JobName>(
  tx: Tx,
  name: Name,
  { member, values }: { readonly member: keyof Jobs[Name] & string; readonly values: readonly string[] },
): Promise<void> {
  await tx.query(dropDeadJobsSql, { name, member, values });
}

/** Enough to see what is wrong; more would repeat it. */
const GROUPED_AT_MOST = 10_000;

export type DeadJobQuery = {
  readonly filter: DeadJobFilter;
  /** Where the previous page ended; null for the first page. */
  readonly after: TimePosition | null;
  readonly isOldestFirst: boolean;
  readonly limit: number;
};

/** By the time of failure. */
export async function pageDeadJobs(
  tx: Tx,
  { filter, after, isOldestFirst, limit }: DeadJobQuery,
): Promise<ListedDeadJob[]> {
  const { at, id } = after ?? (isOldestFirst ? OLDEST : NEWEST);
  const page = isOldestFirst ? pageOfDeadJobs.oldest : pageOfDeadJobs.newest;
  return tx.query(page, { ...filter, afterTime: at, afterId: id, limit });
}

export async function deadJobGroups(tx: Tx): Promise<DeadJobGroup[]> {
  return tx.query(groupDeadJobs, { limit: GROUPED_AT_MOST });
}

/** Of the jobs that `pageDeadJobs` lists on all pages, how many have each name; the latest `limit` are counted. */
export async function countDeadByName(
  tx: Tx,
  filter: DeadJobFilter,
  limit: number,
): Promise<ReadonlyMap<JobName, number>> {
  const rows = await tx.query(sumDeadJobs, { ...filter, limit });
  return new Map(rows.map(({ name, jobs }) => [name, jobs]));
}

/** Locks the jobs, so that two concurrent requests take different ones. */
export async function takeDeadJobs(tx: Tx, filter: DeadJobFilter, limit: number): Promise<string[]> {
  const rows = await tx.query(dueDeadJobs, { ...filter, limit });
  return rows.map(({ jobId }) => jobId);
}

/** Counts up to `limit`. */
export async function countDead(tx: Tx, filter: DeadJobFilter, limit: number): Promise<number> {
  const [row] = await tx.query(countDeadJobs, { ...filter, limit });
  return row?.jobs ?? 0;
}
