// Starts the background workers: routing, sending, messages, scheduled jobs.
import { createNoticeAttachments } from './notice-attachments.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import { takeOverLeases } from '../deliveries/sending/begin-attempts.ts';
import { disableEndpoints } from '../deliveries/sending/switch-endpoints.ts';
import { startSender } from '../deliveries/sending/send-delivery.job.ts';
import { brandOf, type MarketplaceSettings } from '../marketplace/settings.ts';
import { startMessenger } from '../messages/send-messages.job.ts';
import { takeOverMessages } from '../messages/begin-messages.ts';
import { startNotifier } from '../notices/send-notices.job.ts';
import { takeOverSends } from '../notices/begin-sends.ts';
import type { ConfigWatch } from '../marketplace/config-watch.ts';
import type { Integrations } from './integrations.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { startScheduler } from '../platform/queue/scheduled-jobs.ts';
import type { WorkLoop } from '../platform/queue/work-loop.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { type PasswordLinkOptions, startPasswordLinks } from '../users/send-password-links.job.ts';
import { createMarketReader } from '../routing/market-reader.ts';
import { startRouter } from '../routing/route-leads.job.ts';
import type { RuntimeEvents } from './runtime-metrics.ts';
import { watchDueWork } from './watch-due-work.ts';

export type WorkersOptions = Pick<PasswordLinkOptions, 'accountNameOf' | 'hasMailServer'> & {
  readonly database: Database;
  readonly clock: Clock;
  /** No other process works on this database, so leases found at the start belong to a dead predecessor and are taken over. */
  readonly isAlone: boolean;
  readonly wakeups: Wakeups;
  readonly events: RuntimeEvents;
  readonly integrations: Integrations;
  readonly settings: () => MarketplaceSettings;
  readonly withScheduledJobs: boolean;
  readonly watch: Pick<ConfigWatch, 'version' | 'refresh'>;
  readonly onFault: (error: unknown) => void;
  /** Whether this process is storing posted leads at this moment. */
  readonly isIngesting: () => boolean;
  readonly tracing: Tracing | null;
};

export type Workers = {
  /** Finishes running work and takes no more. Can be called repeatedly. */
  stop(): Promise<void>;
};

/** `watchDueWork` wakes the loops when there is something to do; this only covers what it might leave out. */
const POLL_MS = 30_000;

export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { database, clock, wakeups, events, integrations, settings, onFault, isIngesting } = options;
  if (options.isAlone) {
    await database.tx((tx) => takeOverLeases(tx, clock.now()));
    await database.tx((tx) => takeOverMessages(tx, clock.now()));
    await database.tx((tx) => takeOverSends(tx, clock.now()));
  }
  const scheduler = options.withScheduledJobs
    ? startScheduler({ database, clock, jobs: scheduledJobs(database, clock), onFault })
    : null;
  const market = createMarketReader();
  const common = { database, clock, wakeups, onFault, tracing: options.tracing, pollMs: POLL_MS };
  const routing = { ...common, market, isIngesting, onRouted: events.routed };
  // One decides while the other waits for its commit; a third would only wait for the same rows. A wake-up is for the second one only if the
  // first is busy. Started before it, so that it sees how the wake-up found the first.
  const second = startRouter({ ...routing, heeds: () => !first.isAsleep() });
  const first: WorkLoop = startRouter(routing);
  const sender = startSender({
    ...common,
    settings,
    channels: integrations.channels,
    onFinished: events.sent,
  });
  const messenger = startMessenger({
    ...common,
    settings,
    client: integrations.client,
    mailer: integrations.mailer,
    async onGone(endpoint) {
      const since = clock.now();
      await database.tx((tx) => disableEndpoints(tx, [{ ...endpoint, reason: 'gone', since }], since));
      wakeups.wake('callbacks');
    },
  });
  const notifier = startNotifier({
    ...{ ...common, client: integrations.client, mailer: integrations.mailer },
    brand: () => brandOf(settings()),
    attachmentOf: createNoticeAttachments({ database, clock, brand: () => brandOf(settings()) }),
  });
  const passwordLinks = startPasswordLinks({
    ...{ ...common, mailer: integrations.mailer },
    ...{ hasMailServer: options.hasMailServer, accountNameOf: options.accountNameOf },
    brand: () => brandOf(settings()),
    timeZone: () => settings().timeZone,
    publicUrl: () => settings().notices.publicUrl,
  });
  const dueWork = watchDueWork({ database, clock, wakeups, watch: options.watch, onFault });
  let stopped: Promise<unknown> | null = null;
  return {
    async stop() {
      const loops = [first, second, sender, messenger, notifier, passwordLinks];
      stopped ??= Promise.all([...loops.map((loop) => loop.stop()), dueWork.stop(), scheduler?.stop()]);
      await stopped;
    },
  };
}
