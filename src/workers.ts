// Starts what works behind the API: routing, sending, chores. The one table of what runs without being asked.
import type pg from 'pg';

import { foldDeliveryCounts } from './deliveries/fold-delivery-counts.ts';
import { takeOverLeases } from './deliveries/take-over-leases.ts';
import { startSender } from './deliveries/send-delivery.job.ts';
import { createWebhookChannel } from './deliveries/webhook.channel.ts';
import { foldLeadCounts } from './leads/fold-lead-counts.ts';
import type { MarketplaceSettings } from './marketplace/settings.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { forgetOldAnswers } from './platform/http/idempotency.ts';
import { createGuardedClient } from './platform/outbound/guarded-client.ts';
import { type Chore, startChores } from './platform/queue/chores.ts';
import type { Wakeups } from './platform/queue/wakeups.ts';
import { createMarketReader } from './routing/market-reader.ts';
import { startRouter } from './routing/route-leads.job.ts';
import type { RuntimeEvents } from './runtime-metrics.ts';

export type WorkersOptions = {
  readonly database: Database;
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  /** Nobody else works on this database: what was under way when this process starts was its dead predecessor's. */
  readonly isAlone: boolean;
  readonly wakeups: Wakeups;
  readonly events: RuntimeEvents;
  readonly allowTargets: readonly string[];
  readonly demoOrigin: string | null;
  readonly settings: () => MarketplaceSettings;
  readonly withChores: boolean;
  readonly onFault: (error: unknown) => void;
};

export type Workers = {
  /** Finishes what is under way and takes nothing new. */
  stop(): Promise<void>;
};

/** While one waits for its commit the other decides; a third would only wait for the same rows. */
const ROUTERS = 2;
const DAY_MS = 86_400_000;

export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { database, clock, wakeups, events, onFault } = options;
  // First, because it is what can fail.
  const chores = options.withChores
    ? await startChores({ connection: options.connection, chores: choresOf(database, clock), onFault })
    : null;
  const client = createGuardedClient({
    allowTargets: options.demoOrigin === null ? options.allowTargets : [...options.allowTargets, options.demoOrigin],
  });
  if (options.isAlone) await database.tx((tx) => takeOverLeases(tx, clock.now()));
  const market = createMarketReader();
  const routers = Array.from({ length: ROUTERS }, () =>
    startRouter({ database, clock, wakeups, market, onRouted: events.routed, onFault }),
  );
  const sender = startSender({
    database,
    clock,
    wakeups,
    webhook: createWebhookChannel(client),
    settings: options.settings,
    onFinished: events.sent,
    onFault,
  });
  return {
    async stop() {
      await Promise.all([...routers.map((router) => router.stop()), sender.stop(), chores?.stop()]);
      await client.close();
    },
  };
}

function choresOf(database: Database, clock: Clock): Chore[] {
  return [
    {
      name: 'fold-counts',
      cron: '* * * * *',
      run: async () => {
        await database.tx(foldLeadCounts);
        await database.tx(foldDeliveryCounts);
      },
    },
    {
      name: 'forget-answers',
      cron: '17 * * * *',
      run: async () => {
        await database.tx((tx) => forgetOldAnswers(tx, new Date(clock.now().getTime() - DAY_MS)));
      },
    },
  ];
}
