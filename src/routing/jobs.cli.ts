// The commands `jobs list` and `jobs retry`: dead letters, seen and run again (contract 7).
import type { Command } from 'commander';

import { typeId, uuidOf } from '../base/ids.ts';
import type { CliContext } from '../platform/cli.ts';
import { type AnyDeadJob, listDeadJobs } from '../platform/queue/dead-jobs.ts';
import { retryDeadJob } from './retry-dead-job.ts';

/** More dead jobs than this say the same thing again. */
const LISTED_AT_MOST = 500;

export function registerJobsCommands(program: Command, { withDatabase, clock, out }: CliContext): void {
  const jobs = program.command('jobs').description('jobs that failed for good');
  jobs
    .command('list')
    .description('list them, the latest first')
    .action(async () => {
      const dead = await withDatabase((database) => database.tx((tx) => listDeadJobs(tx, LISTED_AT_MOST)));
      const data = dead.map((job) => ({
        jobId: typeId('event', job.jobId),
        name: job.name,
        subject: subjectOf(job),
        attempts: job.attempts,
        error: job.error,
        failedAt: job.failedAt.toISOString(),
      }));
      const columns = ['job', 'name', 'subject', 'attempts', 'error', 'failed at'];
      const rows = data.map((job) => [job.jobId, job.name, job.subject, job.attempts, job.error, job.failedAt]);
      out.print({ json: { data }, text: rows.length === 0 ? 'No job has failed for good.' : { columns, rows } });
    });
  jobs
    .command('retry')
    .description('run one again')
    .argument('<job>', 'its id from the list')
    .action(async (id: string) => {
      const jobId = uuidOf('event', id);
      const outcome =
        jobId === null
          ? null
          : await withDatabase((database) => database.tx((tx) => retryDeadJob(tx, jobId, clock.now())));
      if (outcome === null || !outcome.ok) return out.refuse('job_not_found', `There is no dead job ${id}.`);
      out.print({ json: { jobId: id, retried: true }, text: `${outcome.value.name} ${id} will run again.` });
    });
}

/** What the job is about. */
function subjectOf(job: AnyDeadJob): string {
  return job.name === 'route-lead'
    ? typeId('lead', job.payload.leadId)
    : `${job.payload.type} to ${job.payload.ownerKey}`;
}
