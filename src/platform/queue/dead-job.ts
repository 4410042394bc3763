// Types of a dead letter: a job that failed for good, as the operator sees it.
import type { JobName, Jobs } from '../../jobs.ts';

export type DeadJob<Name extends JobName> = {
  readonly jobId: string;
  readonly name: Name;
  readonly payload: Jobs[Name];
  readonly attempts: number;
  /** Describes the failure without any value of the job's subject. */
  readonly error: string;
};

/** Discriminated by its name. */
export type AnyDeadJob = { readonly [Name in JobName]: DeadJob<Name> }[JobName];

export type ListedDeadJob = AnyDeadJob & { readonly failedAt: Date };

/** A null member is no condition. */
export type DeadJobFilter = {
  readonly name: JobName | null;
  /** The recipient of a message. */
  readonly ownerKey: string | null;
  readonly error: string | null;
};

export type DeadJobGroup = {
  readonly name: JobName;
  readonly ownerKey: string | null;
  readonly error: string;
  readonly jobs: number;
  readonly latestAt: Date;
};
