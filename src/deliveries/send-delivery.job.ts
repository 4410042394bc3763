// Carries deliveries to their buyers: leases due jobs, sends them side by side with a bound per buyer, and writes results down in
// batches. A buyer that hangs fills its own places and nobody else's (contract 4; house, the way of one lead).
import { typeId } from '../base/ids.ts';
import { disableEndpoints, type GoneEndpoint } from '../buyers/set-endpoint.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { createMicroBatch, type MicroBatch } from '../platform/database/micro-batch.ts';
import { repeatThroughOutage } from '../platform/database/repeat-through-outage.ts';
import { repeatTransient } from '../platform/database/repeat-transient.ts';
import type { HttpOutcome } from '../platform/outbound/http-outcome.ts';
import { startWorkLoop } from '../platform/queue/work-loop.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import { beginAttempts, buyersWithDueJobs, type StartedAttempt } from './begin-attempts.ts';
import { deliveryView } from './delivery-view.rules.ts';
import { type AttemptResult, finishAttempts, type FinishReport } from './finish-attempts.ts';
import { giveUp, isUsedUp, judge } from './retry.rules.ts';
import { PLACES, sharePlaces } from './share-places.rules.ts';
import type { WebhookChannel } from './webhook.channel.ts';

export type SenderOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly webhook: WebhookChannel;
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

/** The 15 s of a sending, twice, and room for the commits; a dead worker's jobs run again after it, within 60 s. */
const LEASE_MS = 40_000;
const RESULTS_PER_FLUSH = 200;
/** A result that is not written is asked for by sending again. This and the 15 s of a sending end before the lease does. */
const REPEAT_WITHIN_MS = 15_000;
/** A process that ends has 30 s for everything. */
const REPEAT_WITHIN_AT_END_MS = 5000;

export function startSender(options: SenderOptions): Sender {
  const { database, clock, wakeups, onFault } = options;
  const busy = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let ending = false;
  const { results, goneEndpoints } = openBooks(options, () => ending);

  const round = async (): Promise<boolean> => {
    if (running.size >= PLACES) return false;
    const buyers = await database.tx((tx) => buyersWithDueJobs(tx, clock.now()));
    const places = sharePlaces({ buyers, busy, chance: Math.random() });
    if (places.size === 0) return false;
    const started = await database.tx((tx) => beginAttempts(tx, { places, leaseMs: LEASE_MS }, clock.now()));
    for (const attempt of started) begin(attempt);
    return started.length > 0;
  };

  const begin = (attempt: StartedAttempt): void => {
    busy.set(attempt.buyerKey, (busy.get(attempt.buyerKey) ?? 0) + 1);
    const sending = carry(attempt).finally(() => {
      running.delete(sending);
      const left = (busy.get(attempt.buyerKey) ?? 1) - 1;
      if (left === 0) busy.delete(attempt.buyerKey);
      else busy.set(attempt.buyerKey, left);
      wakeups.wakeHere('sending');
    });
    running.add(sending);
  };

  const carry = async (attempt: StartedAttempt): Promise<void> => {
    try {
      const { attemptId, buyerKey, channel, row, job, webhookUrl } = attempt;
      const { retrySeconds } = options.settings();
      const hopeless = whyHopeless(attempt, retrySeconds);
      const outcome = hopeless === null ? await sendOrSayWhyNot(attempt, options) : notSent(hopeless);
      const judgement =
        hopeless === null
          ? judge(outcome, job, { retrySeconds, chance: Math.random(), now: clock.now() })
          : giveUp(job);
      await results.add({ attemptId, buyerKey, channel, deliveryId: row.deliveryId, outcome, judgement });
      // Should the process end in between, the endpoint is asked once more.
      const isGone = judgement.kind === 'failed' && judgement.endpointGone;
      if (isGone && webhookUrl !== null) await goneEndpoints.add({ buyerKey, webhookUrl });
    } catch (error) {
      // The lease ends by itself and the job runs again; nothing is lost but time.
      onFault(error);
    }
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

type Books = {
  readonly results: MicroBatch<AttemptResult, FinishReport>;
  readonly goneEndpoints: MicroBatch<GoneEndpoint, null>;
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
        const report = await insist((tx) => finishAttempts(tx, items, clock.now()));
        if (report.rerouted.length > 0) wakeups.wake('routing');
        options.onFinished(report);
        return items.map(() => report);
      },
    }),
    // Apart from the results, because it waits for whoever changes the configuration; one at a time, to wait on one connection.
    goneEndpoints: createMicroBatch({
      flushesAtOnce: 1,
      async flush(items) {
        await insist((tx) => disableEndpoints(tx, items, clock.now()));
        return items.map(() => null);
      },
    }),
  };
}

/** A message that cannot even be made counts as one that never left the house: it is tried again, and fails in the end. */
async function sendOrSayWhyNot(attempt: StartedAttempt, options: SenderOptions): Promise<HttpOutcome> {
  try {
    return await send(attempt, options);
  } catch (error) {
    options.onFault(error);
    return notSent('The message could not be made.');
  }
}

async function send(attempt: StartedAttempt, { webhook, clock }: SenderOptions): Promise<HttpOutcome> {
  const { row, webhookUrl, secrets, returnPolicy, timeZone } = attempt;
  if (webhookUrl === null) return notSent('No webhook URL is set.');
  if (secrets.length === 0) return notSent('There is no secret to sign with.');
  const now = clock.now();
  return webhook.send(
    {
      url: webhookUrl,
      id: typeId('delivery', row.deliveryId),
      type: 'lead.delivered',
      occurredAt: row.deliveredAt,
      data: deliveryView(row, { policy: returnPolicy, timeZone, now, claim: null }),
      secrets,
    },
    now,
  );
}

/** Why nothing is sent now and nothing will be sent later; null where an attempt is to be made. */
function whyHopeless(attempt: StartedAttempt, retrySeconds: readonly number[]): string | null {
  if (attempt.isDisabled) return 'The endpoint is disabled because it answered 410 Gone.';
  return isUsedUp(attempt.job, retrySeconds) ? 'No attempt is left: earlier ones were interrupted.' : null;
}

function notSent(message: string): HttpOutcome {
  return { kind: 'error', error: 'blocked', message, receipt: 'no', latencyMs: 0 };
}
