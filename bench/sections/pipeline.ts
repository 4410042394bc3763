// Measures the whole path of a lead in one process: from the response to its supplier to the partner's webhook.
import type { Arrival } from '../webhook-receiver.ts';
import { applyLoad, sendAndRecord, type SenderReport } from '../support/load.ts';
import { percentile, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import {
  countOf,
  type Engine,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  startService,
  untilEmpty,
} from '../support/service.ts';

const BACKLOG_SECONDS = 6;
const STEADY = { connections: 16, seconds: 20, rate: 50 } as const;
const SATURATED = { connections: 64, seconds: 15, rate: null } as const;
// A backlog that takes longer to deliver is itself the finding.
const PATIENCE_SECONDS = 120;

type Backlog = {
  readonly leads: number;
  readonly routedPerSecond: number;
  readonly deliveredPerSecond: number;
  readonly finished: boolean;
};
type Run = {
  readonly acceptedPerSecond: number;
  readonly deliveredPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly leads: number;
  readonly notReceived: number;
  readonly failed: number;
};

export async function measurePipeline(options: BenchOptions): Promise<Section> {
  const receiver = await startReceiver();
  const workspace = await makeWorkspace(options.directory, receiver.origin);
  const engine = await holdEngine(workspace);
  const loader = await startService(workspace, 'api');
  await applyLoad(loader, { connections: 64, seconds: BACKLOG_SECONDS });
  await loader.stop();
  options.progress(`pipeline: ${await countOf(engine.client, 'routing_inbox')} leads wait`);
  const service = await startService(workspace, 'all');
  const backlog = await workOff(engine, receiver);
  options.progress(
    `pipeline: routed ${shown(backlog.routedPerSecond)}/s, delivered ${shown(backlog.deliveredPerSecond)}/s`,
  );
  const runs: Run[] = [];
  for (const input of [STEADY, SATURATED]) {
    const report = await sendAndRecord(service, input);
    await untilEmpty(engine.client, 'routing_inbox', PATIENCE_SECONDS);
    await untilEmpty(engine.client, 'send_job', PATIENCE_SECONDS);
    runs.push(joined(report, await receiver.takeArrivals()));
    options.progress(`pipeline: ${JSON.stringify(runs.at(-1))}`);
  }
  await service.stop();
  await engine.release();
  await receiver.stop();
  removeWorkspace(workspace);
  return describe(backlog, runs);
}

/** Times how a service that has just started processes the backlog of the inbox. */
async function workOff({ client }: Engine, receiver: Receiver): Promise<Backlog> {
  const leads = await countOf(client, 'routing_inbox');
  const deliveriesBefore = await countOf(client, 'delivery');
  const began = performance.now();
  let finished = await untilEmpty(client, 'routing_inbox', PATIENCE_SECONDS);
  const routingSeconds = (performance.now() - began) / 1000;
  const routed = (await countOf(client, 'delivery')) - deliveriesBefore;
  finished = (await untilEmpty(client, 'send_job', PATIENCE_SECONDS)) && finished;
  const allSeconds = (performance.now() - began) / 1000;
  const arrived = (await receiver.takeArrivals()).length;
  return {
    leads,
    routedPerSecond: routed / routingSeconds,
    deliveredPerSecond: arrived / allSeconds,
    finished,
  };
}

function joined(report: SenderReport, arrivals: readonly Arrival[]): Run {
  const arrivedAt = new Map(arrivals.map((arrival) => [arrival.number, arrival.arrivedAt]));
  const delays = report.sent.flatMap(({ number, answeredAt }) => {
    const arrived = arrivedAt.get(number);
    return arrived === undefined ? [] : [(arrived - answeredAt) / 1000];
  });
  const answered = report.sent.map((lead) => lead.answeredAt);
  const span = (Math.max(...arrivals.map((arrival) => arrival.arrivedAt)) - Math.min(...answered)) / 1e6;
  return {
    acceptedPerSecond: report.perSecond,
    deliveredPerSecond: delays.length / span,
    p50Ms: percentile(delays, 50),
    p99Ms: percentile(delays, 99),
    leads: report.sent.length,
    notReceived: report.sent.length - delays.length,
    failed: report.failed,
  };
}

function describe(backlog: Backlog, runs: readonly Run[]): Section {
  return {
    name: 'pipeline',
    title: 'From accepted to delivered',
    notes: [
      'One process, `--role all`, ten partners with a webhook each at one receiver that answers at once; load generator and receiver share the processors.',
      'Delay is from the moment the supplier has its answer to the moment the whole webhook was read; it can be negative by a little, because the answer and the lead travel at the same time.',
      backlog.finished ? '' : `The backlog was not worked off within ${PATIENCE_SECONDS} s.`,
    ],
    tables: [
      {
        title: `A backlog of ${backlog.leads.toLocaleString('en-US')} leads, no new ones`,
        columns: ['', 'leads per second'],
        rows: [
          ['delivery rows created, while sending goes on', shown(backlog.routedPerSecond)],
          ['webhooks received', shown(backlog.deliveredPerSecond)],
        ],
      },
      {
        title: 'From answer to webhook',
        columns: ['', 'accepted/s', 'received/s', 'p50 ms', 'p99 ms', 'leads', 'not received', 'refused'],
        rows: runs.map((run, index) => [
          index === 0
            ? `${STEADY.rate} leads/s for ${STEADY.seconds} s`
            : `${SATURATED.connections} connections, ${SATURATED.seconds} s`,
          shown(run.acceptedPerSecond),
          shown(run.deliveredPerSecond),
          shown(run.p50Ms),
          shown(run.p99Ms),
          String(run.leads),
          String(run.notReceived),
          String(run.failed),
        ]),
      },
    ],
    data: { backlog, runs },
  };
}
