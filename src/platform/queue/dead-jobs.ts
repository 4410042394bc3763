// The dead letters of every queue: jobs that failed for good, kept until the operator has them run again.
import type { JobName, Jobs } from '../../jobs.ts';
import type { Tx } from '../database/database.ts';
import { deleteDeadJob, insertDeadJob, selectDeadJobs } from './dead-job.sql.ts';

export type DeadJob<Name extends JobName> = {
  readonly jobId: string;
  readonly name: Name;
  readonly payload: Jobs[Name];
  readonly attempts: number;
  /** What failed, without any value of the job's subject. */
  readonly error: string;
};

/** One of them: what its payload is goes by its name. */
export type AnyDeadJob = { readonly [Name in JobName]: DeadJob<Name> }[JobName];

export type ListedDeadJob = AnyDeadJob & { readonly failedAt: Date };

export async function buryJob<Name extends JobName>(tx: Tx, job: DeadJob<Name>, now: Date): Promise<void> {
  await tx.query(insertDeadJob, [job.jobId, job.name, JSON.stringify(job.payload), job.attempts, job.error, now]);
}

/** Newest first. */
export async function listDeadJobs(tx: Tx, limit: number): Promise<ListedDeadJob[]> {
  return tx.query<ListedDeadJob>(selectDeadJobs, [limit]);
}

/** Takes the job out of the dead letters for the caller to queue again in the same transaction; null when it is not there. */
export async function digUpJob(tx: Tx, jobId: string): Promise<AnyDeadJob | null> {
  const [job] = await tx.query<AnyDeadJob>(deleteDeadJob, [jobId]);
  return job ?? null;
}
