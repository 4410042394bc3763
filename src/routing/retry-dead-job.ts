// Puts a dead job back into its queue at the operator's request (contract 7.2).
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Jobs, JobName } from '../jobs.ts';
import { queueLeads } from '../leads/inbox.ts';
import { requeueMessage } from '../messages/message-queue.ts';
import type { Tx } from '../platform/database/database.ts';
import { takeDeadJob } from '../platform/queue/dead-jobs.ts';
import { dueAtOnce } from '../platform/queue/due-at-once.ts';
import type { DeadJob } from '../platform/queue/dead-job.ts';

type Requeue = { readonly [Name in JobName]: (tx: Tx, payload: Jobs[Name], now: Date) => Promise<void> };

const requeue: Requeue = {
  'route-lead': (tx, { leadId }, now) => queueLeads(tx, [{ leadId, dueAt: dueAtOnce(now), failures: 0 }]),
  'send-message': requeueMessage,
};

export async function retryDeadJob(
  tx: Tx,
  jobId: string,
  now: Date,
): Promise<Outcome<{ name: JobName }, 'job_not_found'>> {
  const job = await takeDeadJob(tx, jobId);
  if (job === null) return refuse('job_not_found');
  await requeueJob(tx, job, now);
  return done({ name: job.name });
}

async function requeueJob<Name extends JobName>(tx: Tx, { name, payload }: DeadJob<Name>, now: Date): Promise<void> {
  await requeue[name](tx, payload, now);
}
