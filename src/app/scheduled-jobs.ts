// The table of scheduled jobs: folding counts, overdue invoices and messages, retention.
import { DAY_MS } from '../base/time.ts';
import { billingJobs } from './billing-jobs.ts';
import { endOverPauses } from '../buyers/pause-receiving.ts';
import { foldDeliveryCounts } from '../deliveries/count-deliveries.ts';
import { EVENTS_KEPT_DAYS, purgeBuyerEvents } from '../deliveries/feed/buyer-events.ts';
import { listRunningReplays, purgeReplays } from '../deliveries/redelivery/replays.ts';
import { runReplays } from '../deliveries/redelivery/run-replays.job.ts';
import { foldLeadCounts } from '../leads/settle-leads.ts';
import { sweepLists } from '../lists/sweep-lists.job.ts';
import { type LeftOut, reportLeftOut } from '../notices/left-out.ts';
import { expireOverdueMessages, OVERDUE_DAYS } from '../messages/message-queue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { purgeOldResponses } from '../platform/http/idempotency.ts';
import { deleteKeptMail } from '../platform/outbound/mail/kept-mail.ts';
import { purgeWriteQuota } from '../platform/outbound/sheets/write-quota.ts';
import type { ScheduledJob } from '../platform/queue/scheduled-jobs.ts';
import { workApart } from '../platform/work-apart.ts';
import { RETENTION_WITHIN_MS, runRetention } from '../privacy/retention.job.ts';
import { foldReports } from '../reports/fold-reports.job.ts';
import { isFoldDue } from '../reports/fold-reports.ts';
import { reviveDeliveries } from '../routing/revive-deliveries.ts';
import { findSuppliersToFold, foldEarnings } from '../statements/fold-earnings.ts';
import { followWarnings } from '../watch/follow-warnings.job.ts';
import { pauseForRejections } from '../watch/pause-for-rejections.ts';
import { WATCH_FACTS, watchFacts } from '../watch/watch-facts.job.ts';

/** Responses are kept for a day (contract 1.11), mail of a service without a mail server for a week. */
const RESPONSES_KEPT_DAYS = 1;
const MAIL_KEPT_DAYS = 7;
const REPLAYS_KEPT_DAYS = 90;
/** The range of the statistics. */
const FOLDED_DAYS = 365;

/** After an upgrade of a large marketplace there is more to do than in one run. */
const FOLD_WITHIN_MS = 300_000;

/** Due every minute, so its last run shows whether scheduled jobs run at all. */
export const EVERY_MINUTE = 'fold-counts';

function daysAgo(clock: Clock): (days: number) => Date {
  return (days) => new Date(clock.now().getTime() - days * DAY_MS);
}

/**
 * The jobs of each minute have different seconds: together they would need a connection each, which takes PostgreSQL longer to open than the
 * jobs of an idle service take, and the pool has closed it before the next minute.
 */
export function scheduledJobs(database: Database, clock: Clock): ScheduledJob[] {
  const ago = daysAgo(clock);
  const foldSince = async (days: number): Promise<void> => {
    await database.tx((tx) => foldLeadCounts(tx, ago(days)));
    await database.tx((tx) => foldDeliveryCounts(tx, ago(days)));
  };
  const foldAllEarnings = async (): Promise<void> => {
    const failed = await workApart(await database.tx(findSuppliersToFold), async (supplier) => {
      while (await database.tx((tx) => foldEarnings(tx, supplier)));
    });
    const leftOut = failed.map(({ one: { supplierKey: key }, error }): LeftOut => ({
      ...{ account: 'supplier', key, partner: null, work: 'earnings', error },
    }));
    await reportLeftOut(database, clock, leftOut);
  };
  return [
    {
      name: EVERY_MINUTE,
      cron: '* * * * *',
      run: async () => {
        await foldSince(1);
        await foldAllEarnings();
      },
    },
    {
      // Often, so that few changes wait to be added up by each report.
      name: 'fold-reports',
      cron: '6-59/10 * * * * *',
      hasWork: () => isFoldDue(database, clock.now()),
      run: () => foldReports({ database, clock, withinMs: FOLD_WITHIN_MS }),
    },
    {
      // Returns and late failures change the counts of much earlier days.
      name: 'fold-old-counts',
      cron: '47 3 * * *',
      run: () => foldSince(FOLDED_DAYS),
    },
    ...billingJobs(database, clock),
    { name: 'follow-warnings', cron: '25 * * * * *', run: () => followWarnings(database, clock) },
    {
      name: 'pause-for-rejections',
      cron: '35 * * * * *',
      run: async () => {
        await database.tx((tx) => pauseForRejections(tx, clock.now()));
      },
    },
    {
      name: 'end-pauses',
      cron: '45 * * * * *',
      run: async () => {
        await database.tx((tx) => endOverPauses(tx, clock.now()));
      },
    },
    {
      name: 'run-replays',
      cron: '2-59/5 * * * * *',
      hasWork: async () => (await listRunningReplays(database)).length > 0,
      run: () => runReplays({ database, clock, revive: reviveDeliveries }),
    },
    { name: WATCH_FACTS, cron: '55 */5 * * * *', run: () => watchFacts(database, clock) },
    ...upkeep(database, clock),
  ];
}

/** Expires and purges what is old. */
function upkeep(database: Database, clock: Clock): ScheduledJob[] {
  const ago = daysAgo(clock);
  /** Purges in transactions of a limited size until nothing is left. */
  const inSlices = async (purgeSome: (tx: Tx) => Promise<number>): Promise<void> => {
    while ((await database.tx(purgeSome)) > 0);
  };
  return [
    {
      name: 'purge-answers',
      cron: '17 * * * *',
      run: async () => {
        await database.tx((tx) => purgeOldResponses(tx, ago(RESPONSES_KEPT_DAYS)));
      },
    },
    {
      name: 'expire-overdue-messages',
      cron: '57 * * * *',
      run: () => inSlices((tx) => expireOverdueMessages(tx, ago(OVERDUE_DAYS), clock.now())),
    },
    {
      name: 'purge-events',
      cron: '27 * * * *',
      run: () => inSlices((tx) => purgeBuyerEvents(tx, ago(EVENTS_KEPT_DAYS))),
    },
    {
      name: 'retention',
      cron: '47 * * * *',
      run: async () => {
        await runRetention({ database, clock, withinMs: RETENTION_WITHIN_MS });
      },
    },
    // Removed lists and loads that were cut off, soon; expired entries, which count for nothing already, by night.
    { name: 'sweep-lists', cron: '4 */10 * * * *', run: () => sweepLists({ database, clock, withExpired: false }) },
    { name: 'expire-list-entries', cron: '7 4 * * *', run: () => sweepLists({ database, clock, withExpired: true }) },
    {
      name: 'purge-mail',
      cron: '37 * * * *',
      run: async () => {
        await database.tx((tx) => deleteKeptMail(tx, ago(MAIL_KEPT_DAYS)));
        await database.tx((tx) => purgeWriteQuota(tx, ago(1)));
        await database.tx((tx) => purgeReplays(tx, ago(REPLAYS_KEPT_DAYS)));
      },
    },
  ];
}
