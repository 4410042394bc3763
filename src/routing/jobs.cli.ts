// The commands `jobs list` and `jobs retry`: lists dead jobs and runs them again (contract 7.2).
import type { Command } from 'commander';

import { typeId, uuidOf } from '../base/ids.ts';
import { positionOf, positionText, type TimePosition } from '../base/time-position.ts';
import type { CliContext } from '../platform/cli.ts';
import { addPageOptions, type Cursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { pageDeadJobs } from '../platform/queue/dead-jobs.ts';
import { retryDeadJob } from './retry-dead-job.ts';
import type { AnyDeadJob, ListedDeadJob } from '../platform/queue/dead-job.ts';

const NO_FILTER = { name: null, ownerKey: null, error: null };
const cursor: Cursor<ListedDeadJob, TimePosition> = {
  of: (job) => positionText(job.failedAt, typeId('event', job.jobId)),
  read: (text) => positionOf(['event'], text),
};

export function registerJobsCommands(jobs: Command, { withDatabase, clock, out }: CliContext): void {
  addPageOptions(jobs.command('list'), { cursor, limit: 500 })
    .description('list dead jobs, newest first')
    .action((options: PageOptions<TimePosition>) =>
      withDatabase((database) =>
        printPages(out, options, {
          cursor,
          read: (page) => pageDeadJobs(database, { filter: NO_FILTER, isOldestFirst: false, ...page }),
          json: (job) => ({
            jobId: typeId('event', job.jobId),
            name: job.name,
            subject: subjectOf(job),
            attempts: job.attempts,
            error: job.error,
            failedAt: job.failedAt.toISOString(),
          }),
          columns: ['job', 'name', 'subject', 'attempts', 'error', 'failed at'],
          cells: (job) => [
            typeId('event', job.jobId),
            job.name,
            subjectOf(job),
            job.attempts,
            job.error,
            job.failedAt.toISOString(),
          ],
          empty: 'No job has failed for good.',
        }),
      ),
    );
  jobs
    .command('retry')
    .description('run a dead job again')
    .argument('<job>', 'the id of the job, as listed')
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

/** The id of the lead, or the type and owner of the message. */
function subjectOf(job: AnyDeadJob): string {
  return job.name === 'route-lead'
    ? typeId('lead', job.payload.leadId)
    : `${job.payload.type} to ${job.payload.ownerKey}`;
}
