// Measures the whole path of a lead in one process, from the response to its supplier to the partner's webhook, of the service and of the
// plain program in turn.
import { applyLoad } from '../support/load.ts';
import { type Journey, measureJourney } from '../support/journey.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { PLAIN_NOTE, type PlainService, startPlain } from '../support/plain.ts';
import { untilQuiet } from '../support/quiet.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Section } from '../support/report.ts';
import {
  countOf,
  type Engine,
  holdEngine,
  makeWorkspace,
  removeWorkspace,
  type Service,
  startService,
  untilAllSent,
  untilEmpty,
  type Workspace,
} from '../support/service.ts';
import { sized } from '../support/size.ts';

const BACKLOG_SECONDS = sized(6, 1);
const STEADY = { connections: 16, seconds: sized(10, 1), rate: 50 } as const;
const SATURATED = { connections: sized(64, 4), seconds: sized(10, 1), rate: null } as const;
// A backlog that takes longer to deliver is itself the finding.
const PATIENCE_SECONDS = 120;

type Backlog = {
  readonly leads: number;
  readonly routedPerSecond: number;
  readonly deliveredPerSecond: number;
  readonly finished: boolean;
};
type Side = 'service' | 'plain';
type Run = Journey & { readonly side: Side; readonly round: number; readonly load: typeof STEADY | typeof SATURATED };

const SIDES = ['service', 'plain'] as const;
const LOADS = [STEADY, SATURATED] as const;
const TITLES: Readonly<Record<Side, string>> = { service: 'the service', plain: 'the plain program' };

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
  const plain = await startPlain(engine, 'all', receiver.origin);
  const stage: Stage = { workspace, engine, receiver, service, plain };
  const runs: Run[] = [];
  // Interleaved, so that whatever else the machine does meets both alike.
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const load of LOADS) {
      for (const side of SIDES) {
        await untilQuiet(options.patience);
        runs.push({ side, round, load, ...(await measureRun(stage, side, load)) });
        options.progress(`pipeline: ${JSON.stringify(runs.at(-1))}`);
      }
    }
  }
  await plain.stop();
  await service.stop();
  await engine.release();
  await receiver.stop();
  removeWorkspace(workspace);
  return describe(backlog, runs, options.rounds);
}

type Stage = {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly receiver: Receiver;
  readonly service: Service;
  readonly plain: PlainService;
};

/** Until everything is sent and confirmed; the other side is idle meanwhile. */
async function measureRun(stage: Stage, side: Side, load: Run['load']): Promise<Journey> {
  const { engine, receiver, workspace } = stage;
  const untilDone = async (): Promise<void> => {
    if (side === 'plain') await stage.plain.untilDone(PATIENCE_SECONDS);
    else await untilAllSent(engine.client, PATIENCE_SECONDS);
  };
  return measureJourney({ target: stage[side], pids: [stage[side].pid], workspace, receiver, untilDone }, load);
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

function describe(backlog: Backlog, runs: readonly Run[], rounds: number): Section {
  const of = (side: Side, load: Run['load']): readonly Run[] =>
    runs.filter((run) => run.side === side && run.load === load);
  const medianOf = (some: readonly Run[], figure: (run: Run) => number): string => shown(median(some.map(figure)));
  const sumOf = (some: readonly Run[], figure: (run: Run) => number): string =>
    String(some.reduce((sum, run) => sum + figure(run), 0));
  /** Of the two runs of a round, and the median of the rounds. */
  const overPlain = (load: Run['load'], figure: (run: Run) => number): string => {
    const plain = of('plain', load).map(figure);
    return shown(median(of('service', load).map((run, index) => figure(run) / (plain[index] ?? Number.NaN))));
  };
  const titleOf = (load: Run['load']): string =>
    load.rate === null
      ? `${load.connections} connections, ${load.seconds} s`
      : `${load.rate} leads/s for ${load.seconds} s`;
  return {
    name: 'pipeline',
    title: 'From accepted to delivered',
    notes: [
      'One process, `--role all`, ten partners with a webhook each at one receiver that answers at once; load generator and receiver share the processors.',
      'Delay is from the moment the supplier has its answer to the moment the whole webhook was read; it can be negative by a little, because the answer and the lead travel at the same time.',
      `Received per second counts from the first answer to the last webhook, so that it includes the work that is left when the load ends. ${rounds} rounds, interleaved; medians of the rounds, leads and losses of all together. Ratios are taken within a round, and then their median. Processor time is per lead, until all are confirmed and charged; PostgreSQL's includes what the other side takes while idle, which counts at 50 leads/s only.`,
      PLAIN_NOTE,
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
        columns: [
          ...['', 'accepted/s', 'received/s', 'p50 ms', 'p99 ms', 'Node µs', 'PostgreSQL µs'],
          ...['leads', 'not received', 'refused'],
        ],
        rows: LOADS.flatMap((load) =>
          SIDES.map((side) => {
            const some = of(side, load);
            return [
              `${titleOf(load)}: ${TITLES[side]}`,
              medianOf(some, (run) => run.acceptedPerSecond),
              medianOf(some, (run) => run.deliveredPerSecond),
              medianOf(some, (run) => run.p50Ms),
              medianOf(some, (run) => run.p99Ms),
              medianOf(some, (run) => run.nodeMicros),
              medianOf(some, (run) => run.postgresMicros),
              sumOf(some, (run) => run.leads),
              sumOf(some, (run) => run.notReceived),
              sumOf(some, (run) => run.failed),
            ];
          }),
        ),
      },
      {
        title: 'The service over the plain program',
        columns: ['', 'accepted/s', 'received/s', 'p50', 'Node µs', 'PostgreSQL µs'],
        rows: LOADS.map((load) => [
          titleOf(load),
          overPlain(load, (run) => run.acceptedPerSecond),
          overPlain(load, (run) => run.deliveredPerSecond),
          overPlain(load, (run) => run.p50Ms),
          overPlain(load, (run) => run.nodeMicros),
          overPlain(load, (run) => run.postgresMicros),
        ]),
      },
    ],
    data: { backlog, runs },
  };
}
