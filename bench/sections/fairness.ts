// Measures how long the leads of a small supplier take to their buyers while another supplier floods the service.
import { applyLoad, type Load, type LoadResult, sendAndRecord } from '../support/load.ts';
import { percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import {
  countOf,
  holdEngine,
  issueKey,
  makeWorkspace,
  removeWorkspace,
  startService,
  untilAllSent,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const SMALL = { connections: 4, seconds: sized(25, 1), rate: 10 } as const;
const FLOODS: ReadonlyArray<Load | null> = [null, { connections: sized(256, 4), seconds: sized(25, 1) }];
const DRAIN_SECONDS = 300;

type Run = {
  readonly flood: LoadResult | null;
  /** When the small supplier had posted its last lead. */
  readonly backlog: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly posted: number;
  readonly notReceived: number;
};

export async function measureFairness(options: BenchOptions): Promise<Section> {
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(options.directory, receiver.origin);
  const engine = await holdEngine(workspace);
  const service = await startService(workspace, 'all');
  const small = { url: service.url, key: await issueKey(workspace, 'small') };
  await sendAndRecord(small, { ...SMALL, seconds: sized(3, 1) });
  const runs: Run[] = [];
  for (const load of FLOODS) {
    await receiver.takeArrivals();
    const [flood, report] = await Promise.all([
      load === null ? null : applyLoad(service, load),
      sendAndRecord(small, SMALL),
    ]);
    const backlog = (await countOf(engine.client, 'routing_inbox')) + (await countOf(engine.client, 'send_job'));
    await untilAllSent(engine.client, DRAIN_SECONDS);
    const arrivedAt = new Map(
      (await receiver.takeArrivals()).map((arrival) => [arrival.number, arrival.arrivedAt] as const),
    );
    const delays = report.sent.flatMap(({ number, answeredAt }) => {
      const arrived = arrivedAt.get(number);
      return arrived === undefined ? [] : [(arrived - answeredAt) / 1000];
    });
    runs.push({
      ...{ flood, backlog },
      p50Ms: percentile(delays, 50),
      p95Ms: percentile(delays, 95),
      p99Ms: percentile(delays, 99),
      posted: report.sent.length,
      notReceived: report.sent.length - delays.length,
    });
    options.progress(`fairness: ${JSON.stringify(runs.at(-1))}`);
  }
  await service.stop();
  await engine.release();
  await receiver.stop();
  removeWorkspace(workspace);
  return describe(runs);
}

function describe(runs: readonly Run[]): Section {
  return {
    name: 'fairness',
    title: 'A small supplier beside a flood',
    notes: [
      `One process, \`--role all\`, ten partners with a webhook each. The small supplier posts ${SMALL.rate} leads a second for ${SMALL.seconds} s; delay is from its response to the whole webhook.`,
      'The flood has no rate limit of its own. Load generators and receiver share the processors.',
    ],
    tables: [
      {
        title: 'From response to webhook, for the small supplier',
        columns: ['', 'p50 ms', 'p95 ms', 'p99 ms', 'posted', 'not received', 'flood/s', 'others than 202', 'backlog'],
        rows: runs.map((run) => [
          run.flood === null ? 'alone' : 'beside a flood over 256 connections',
          ...[run.p50Ms, run.p95Ms, run.p99Ms].map(shown),
          String(run.posted),
          String(run.notReceived),
          run.flood === null ? '' : shown(run.flood.perSecond),
          run.flood === null ? '' : String(run.flood.failed),
          String(run.backlog),
        ]),
      },
    ],
    data: runs,
  };
}
