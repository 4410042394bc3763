// The dead letters of every queue: jobs that failed for good, kept until the operator requeues them.
import type { JobName, Jobs } from '../../jobs.ts';
import type { Tx } from '../database/database.ts';
import { deleteDeadJob, dropDeadJobsSql, insertDeadJob, lockDeadJobs, rewriteDeadJob } from './dead-job.sql.ts';
import type { DeadJob, AnyDeadJob } from './dead-job.ts';

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

/** Reads all of a kind, which are few: an operator has to look at each. `change` returns the new payload, or null to leave it. */
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

/** Drops jobs that could never succeed again: those whose payload has one of `values` as its `member`. */
export async function dropDeadJobs<Name extends JobName>(
  tx: Tx,
  name: Name,
  { member, values }: { readonly member: keyof Jobs[Name] & string; readonly values: readonly string[] },
): Promise<void> {
  await tx.query(dropDeadJobsSql, { name, member, values });
}
