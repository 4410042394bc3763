// Puts a dead job back where it came from, by the operator's wish (contract 7, `jobs retry`).
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Jobs, JobName } from '../jobs.ts';
import { queueLeads } from '../leads/queue-leads.ts';
import type { Tx } from '../platform/database/database.ts';
import { digUpJob } from '../platform/queue/dead-jobs.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';

type Revive = { readonly [Name in JobName]: (tx: Tx, payload: Jobs[Name], now: Date) => Promise<void> };

const revive: Revive = {
  'route-lead': (tx, { leadId }, now) => queueLeads(tx, [{ leadId, dueAt: dueAtOnce(now), failures: 0 }]),
};

export async function retryDeadJob(
  tx: Tx,
  jobId: string,
  now: Date,
): Promise<Outcome<{ name: JobName }, 'job_not_found'>> {
  const job = await digUpJob(tx, jobId);
  if (job === null) return refuse('job_not_found');
  await revive[job.name](tx, job.payload, now);
  return done({ name: job.name });
}
