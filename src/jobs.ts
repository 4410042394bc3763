// The table of contents of the asynchronous path: which jobs may end as dead letters, and with which data they can be run again.
// Sendings are not among them: a delivery that cannot be sent ends as Failed, which is its own record.
import type { Uuid } from './base/ids.ts';

export type Jobs = {
  /** A row of the routing inbox: decide who gets the lead. */
  'route-lead': { readonly leadId: Uuid };
};

export type JobName = keyof Jobs;
