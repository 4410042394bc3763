// Registers the metrics that a scrape reads from the database: the age of the oldest due job of each queue, and the clock difference.
import { Gauge } from '@prometheus-io/client';

import { EVERY_MINUTE } from './scheduled-jobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { ProcessReport } from '../platform/processes/report-process.ts';
import { readLastRun } from '../platform/queue/scheduled-jobs.ts';
import { readQueueAges } from '../reports/read-queues.ts';

export type StateMetricsOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly report: ProcessReport;
  readonly onFault: (error: unknown) => void;
};

/** A scrape waits ten seconds; without the database it still gets the other metrics. */
const WITHIN_MS = 2000;

export function watchState({ registry }: Metrics, { database, clock, report, onFault }: StateMetricsOptions): void {
  const registers = [registry];
  const gauge = new Gauge({
    name: 'leadmarket_queue_oldest_due_seconds',
    help:
      'How long the oldest due job of a queue has been waiting: routing, sending, messages; 0 where none is. What waits for an ' +
      'endpoint that fails is left out. scheduled_jobs: since the one of every minute was last done.',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      try {
        for (const [queue, seconds] of await within(WITHIN_MS, readAges(database, clock.now()))) {
          gauge.set({ queue }, seconds);
        }
      } catch (error) {
        onFault(error);
      }
    },
  });
  const apart = new Gauge({
    name: 'leadmarket_clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of the database’s; negative where it is behind.',
    registers,
    collect() {
      apart.set((report.clockAheadMs() ?? 0) / 1000);
    },
  });
}

async function readAges(database: Database, now: Date): Promise<Array<[queue: string, seconds: number]>> {
  return database.tx(
    async (tx) => {
      const ages = await readQueueAges(tx, now);
      const lastRun = await readLastRun(tx, EVERY_MINUTE);
      return [
        ...ages.map(({ queue, ageSeconds }): [string, number] => [queue, ageSeconds]),
        ...(lastRun === null
          ? []
          : [['scheduled_jobs', Math.max(0, (now.getTime() - lastRun.getTime()) / 1000)] satisfies [string, number]]),
      ];
    },
    { snapshot: true },
  );
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not respond in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
