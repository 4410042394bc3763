// The dead letters of every queue: jobs that failed for good, kept until the operator requeues them.
import type { JobName, Jobs } from '../../jobs.ts';
import type { Tx } from '../database/database.ts';
import { deleteDeadJob, dropDeadJobsSql, insertDeadJob, lockDeadJobs, rewriteDeadJob } from './dead-job.sql.ts';

export type DeadJob<Name extends JobName> = {
  readonly jobId: string;
  readonly name: Name;
  readonly payload: Jobs[Name];
  readonly attempts: number;
  /** What failed, without any value of the job's subject. */
  readonly error: string;
};

/** Its name says what its payload is. */
export type AnyDeadJob = { readonly [Name in JobName]: DeadJob<Name> }[JobName];

export type ListedDeadJob = AnyDeadJob & { readonly failedAt: Date };

export async function moveToDeadLetters<Name extends JobName>(tx: Tx, job: DeadJob<Name>, now: Date): Promise<void> {
  await tx.query(insertDeadJob, [job.jobId, job.name, JSON.stringify(job.payload), job.attempts, job.error, now]);
}

/** Removes the job from the dead letters for the caller to requeue in the same transaction; null when it is not there. */
export async function takeDeadJob(tx: Tx, jobId: string): Promise<AnyDeadJob | null> {
  const [job] = await tx.query<AnyDeadJob>(deleteDeadJob, [jobId]);
  return job ?? null;
}

/** Reads all of a kind, which are few: an operator has to look at each. `change` returns the new payload, or null to leave it. */
export async function rewriteDeadJobs<Name extends JobName>(
  tx: Tx,
  name: Name,
  change: (payload: Jobs[Name]) => Jobs[Name] | null,
): Promise<void> {
  for (const { jobId, payload } of await tx.query<DeadJob<Name>>(lockDeadJobs, [name])) {
    const changed = change(payload);
    if (changed !== null) await tx.query(rewriteDeadJob, [jobId, JSON.stringify(changed)]);
  }
}

/** Those that could never succeed again; `member` of their payloads is one of `values`. */
export async function dropDeadJobs<Name extends JobName>(
  tx: Tx,
  name: Name,
  { member, values }: { readonly member: keyof Jobs[Name] & string; readonly values: readonly string[] },
): Promise<void> {
  await tx.query(dropDeadJobsSql, [name, member, values]);
}
