// Carries deliveries to their buyers: leases due jobs, sends them side by side with a bound per lane, and writes results down in
// batches. An endpoint that hangs fills its own places and nobody else's (contract 4.9, 4.10; decision 007).
import type { Channel } from '../../buyers/buyer.ts';
import type { BadEndpoint } from '../../buyers/set-endpoint.ts';
import type { MarketplaceSettings } from '../../marketplace/settings.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import { createMicroBatch, type MicroBatch } from '../../platform/database/micro-batch.ts';
import { repeatThroughOutage } from '../../platform/database/repeat-through-outage.ts';
import { repeatTransient } from '../../platform/database/repeat-transient.ts';
import { giveUp, judge } from '../../platform/outbound/retry.rules.ts';
import { notTried, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { type Places, sharePlaces } from '../../platform/queue/share-places.rules.ts';
import { startWorkLoop } from '../../platform/queue/work-loop.ts';
import type { Wakeups } from '../../platform/queue/wakeups.ts';
import { jobToJudge, type Standing, whyHopeless } from './attempt-fate.rules.ts';
import { beginAttempts, type DueLane, lanesWithDueJobs, parcelOf, type StartedAttempt } from './begin-attempts.ts';
import type { DeliveryChannel } from '../channels/channel.ts';
import { disableEndpoints } from './disable-endpoints.ts';
import { type AttemptResult, finishAttempts, type FinishReport } from './finish-attempts.ts';
import { laneName } from './lane.rules.ts';
import { JOBS_AT_ONCE } from './send.sql.ts';

export type SenderOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly channels: Readonly<Record<Channel, DeliveryChannel>>;
  readonly settings: () => MarketplaceSettings;
  /** Called after the commit, for what other slices do about it. */
  readonly onFinished: (report: FinishReport) => void;
  readonly onFault: (error: unknown) => void;
};

export type Sender = {
  /** Takes no new jobs and waits for the sendings under way, which are bounded by their own time limit. */
  stop(): Promise<void>;
  inFlight(): number;
};

/** The 20 s of a sending, and room for the commits around it; a dead worker's jobs run again after it, within 60 s. */
const LEASE_MS = 40_000;
/**
 * Enough in all to hide answers of 100 ms at 1,000 a second and more. Eight lanes that hang fill half of it, and thirty-two more find room
 * in the other half.
 */
const PLACES: Places = { inAll: 256, perLane: 16, perLaneWhenScarce: 4 };
const RESULTS_PER_FLUSH = 200;
/** A result that is not written is asked for by sending again. This and the 20 s of a sending end before the lease does. */
const REPEAT_WITHIN_MS = 15_000;
/** A process that ends has 30 s for everything. */
const REPEAT_WITHIN_AT_END_MS = 5000;

export function startSender(options: SenderOptions): Sender {
  const { database, clock, wakeups, channels, onFault } = options;
  const busy = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let probing = 0;
  let ending = false;
  const books = openBooks(options, () => ending);

  const round = async (): Promise<boolean> => {
    if (running.size >= PLACES.inAll) return false;
    const { probeSeconds } = options.settings().breaker;
    const due = await database.tx((tx) => lanesWithDueJobs(tx, probeSeconds, clock.now()));
    const lanes = withPlaces(due, { busy, probing, channels });
    if (lanes.length === 0) return false;
    const started = await database.tx((tx) =>
      beginAttempts(tx, { lanes, leaseMs: LEASE_MS, probeSeconds }, clock.now()),
    );
    for (const call of callsOf(started, channels)) begin(call);
    return started.length > 0;
  };

  const begin = (call: Call): void => {
    const lane = laneName(call[0]);
    const probes = call[0].job.isProbe ? 1 : 0;
    busy.set(lane, (busy.get(lane) ?? 0) + 1);
    probing += probes;
    const sending = carry(call, options, books).finally(() => {
      running.delete(sending);
      probing -= probes;
      const left = (busy.get(lane) ?? 1) - 1;
      if (left === 0) busy.delete(lane);
      else busy.set(lane, left);
      wakeups.wakeHere('sending');
    });
    running.add(sending);
  };

  const loop = startWorkLoop({ topic: 'sending', wakeups, round, onFault });
  return {
    inFlight: () => running.size,
    async stop() {
      ending = true;
      await loop.stop();
      await Promise.allSettled(running);
    },
  };
}

/** What goes out at once: attempts of one lane, as many as its channel takes in one call. */
type Call = readonly [StartedAttempt, ...StartedAttempt[]];

function withPlaces(
  due: readonly DueLane[],
  { busy, probing, channels }: Pick<SenderOptions, 'channels'> & { busy: ReadonlyMap<string, number>; probing: number },
): (DueLane & { jobs: number })[] {
  const takesMany = (lane: DueLane): boolean => channels[lane.channel].parcelsPerCall > 1;
  const places = sharePlaces(PLACES, {
    lanes: due.map(laneName),
    // Two calls at once would share out what one could carry; and a broken lane gets one attempt.
    narrow: new Map(due.filter((lane) => lane.isBroken || takesMany(lane)).map((lane) => [laneName(lane), 1])),
    broken: new Set(due.filter((lane) => lane.isBroken).map(laneName)),
    probing,
    busy,
    chance: Math.random(),
  });
  return due.flatMap((lane) => {
    const given = places.get(laneName(lane)) ?? 0;
    return given === 0
      ? []
      : [{ ...lane, jobs: Math.min(given * channels[lane.channel].parcelsPerCall, JOBS_AT_ONCE) }];
  });
}

function callsOf(started: readonly StartedAttempt[], channels: SenderOptions['channels']): Call[] {
  return [...Map.groupBy(started, laneName).values()].flatMap((attempts) => {
    const [first] = attempts;
    if (first === undefined) return [];
    const isShared = channels[first.channel].parcelsPerCall > 1;
    return isShared ? [[first, ...attempts.slice(1)] as const] : attempts.map((attempt) => [attempt] as const);
  });
}

/** Never rejects. */
async function carry(call: Call, options: SenderOptions, books: Books): Promise<void> {
  try {
    const { retrySeconds } = options.settings();
    const hopeless = new Map(call.map((attempt) => [attempt, whyHopeless(standingOf(attempt), retrySeconds)]));
    const hopeful = call.filter((attempt) => hopeless.get(attempt) === null);
    const outcomes = await sendAll(hopeful, options);
    const told = new Set<SendOutcome['kind']>();
    await Promise.all(
      call.map(async (attempt) => {
        const outcome = outcomes.get(attempt) ?? UNMADE;
        const now = options.clock.now();
        const { attemptId, deliveryId, buyerKey, channel, purpose, job, recipient } = attempt;
        const why = hopeless.get(attempt) ?? null;
        const wasMade = why === null && outcome !== UNMADE;
        const judgement =
          why === null
            ? judge(outcome, jobToJudge(standingOf(attempt), { wasMade, retrySeconds, now }), {
                retrySeconds,
                chance: Math.random(),
                now,
              })
            : giveUp(job);
        // A call says of the endpoint's health only once what it says, however much it carries.
        const wasTried = wasMade && !told.has(outcome.kind);
        if (wasTried) told.add(outcome.kind);
        const { longBroken } = await books.results.add({
          ...{ attemptId, deliveryId, buyerKey, channel, purpose, judgement, wasTried },
          outcome: why === null ? outcome : notTried(why),
        });
        // Should the process end in between, the endpoint is asked once more.
        const { webhookUrl } = recipient.settings;
        if (channel !== 'webhook' || webhookUrl === null) return;
        const long = longBroken.find((lane) => laneName(lane) === laneName(attempt));
        if (judgement.kind === 'failed' && judgement.endpointGone) {
          await books.badEndpoints.add({ buyerKey, webhookUrl, reason: 'gone', since: now });
        } else if (long !== undefined) {
          await books.badEndpoints.add({ buyerKey, webhookUrl, reason: 'failing', since: long.since });
        }
      }),
    );
  } catch (error) {
    // The lease ends by itself and the job runs again; nothing is lost but time.
    options.onFault(error);
  }
}

function standingOf({ row, recipient, ...attempt }: StartedAttempt): Standing {
  return { ...attempt, isErased: row.fields === null, hasWebhook: recipient.settings.webhookUrl !== null };
}

/** A message that cannot even be made counts as one that never left the house: it is tried again, and fails in the end. */
const UNMADE = notTried('The message could not be made.');

/** Without those that could not be made. */
async function sendAll(
  attempts: readonly StartedAttempt[],
  { channels, clock, onFault }: SenderOptions,
): Promise<ReadonlyMap<StartedAttempt, SendOutcome>> {
  const now = clock.now();
  const made = attempts.flatMap((attempt) => {
    try {
      return [{ attempt, parcel: parcelOf(attempt, now) }];
    } catch (error) {
      onFault(error);
      return [];
    }
  });
  const outcomes = new Map<StartedAttempt, SendOutcome>();
  const [first] = made;
  if (first === undefined) return outcomes;
  const { channel, recipient } = first.attempt;
  try {
    const answers = await channels[channel].send(
      recipient,
      made.map(({ parcel }) => parcel),
      now,
    );
    for (const [index, { attempt }] of made.entries()) outcomes.set(attempt, answers[index] ?? UNMADE);
  } catch (error) {
    onFault(error);
  }
  return outcomes;
}

type Books = {
  readonly results: MicroBatch<AttemptResult, FinishReport>;
  readonly badEndpoints: MicroBatch<Omit<BadEndpoint, 'waiting'>, null>;
};

/** Where it is written down what came of attempts. */
function openBooks(options: SenderOptions, isEnding: () => boolean): Books {
  const { database, clock, wakeups } = options;
  /** For transactions that come to the same however often they run. */
  const insist = <Value>(work: (tx: Tx) => Promise<Value>): Promise<Value> =>
    repeatThroughOutage(
      () => repeatTransient(() => database.tx(work)),
      () => (isEnding() ? REPEAT_WITHIN_AT_END_MS : REPEAT_WITHIN_MS),
    );
  return {
    results: createMicroBatch({
      itemsPerFlush: RESULTS_PER_FLUSH,
      async flush(items) {
        const { breaker } = options.settings();
        const report = await insist((tx) => finishAttempts(tx, items, { breaker, now: clock.now() }));
        if (report.rerouted.length > 0) wakeups.wake('routing');
        if (report.isMoreDue) wakeups.wake('sending');
        options.onFinished(report);
        return items.map(() => report);
      },
    }),
    // Apart from the results, because it waits for whoever changes the configuration; one at a time, to wait on one connection.
    badEndpoints: createMicroBatch({
      flushesAtOnce: 1,
      async flush(items) {
        await insist((tx) => disableEndpoints(tx, items, clock.now()));
        wakeups.wake('callbacks');
        return items.map(() => null);
      },
    }),
  };
}
