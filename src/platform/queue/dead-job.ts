// A job that failed too often, as the operator sees it.
import type { JobName, Jobs } from '../../jobs.ts';

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

/** Each null for no condition. */
export type DeadJobFilter = {
  readonly name: JobName | null;
  /** Of a message: to whom it was. */
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
