// Carries deliveries to their buyers: leases due jobs, sends them side by side with a bound per buyer, and writes results down in
// batches. A buyer that hangs fills its own places and nobody else's (contract 4; house, the way of one lead).
import { typeId } from '../base/ids.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createMicroBatch } from '../platform/database/micro-batch.ts';
import { repeatTransient } from '../platform/database/repeat-transient.ts';
import type { HttpOutcome } from '../platform/outbound/http-outcome.ts';
import { startWorkLoop } from '../platform/queue/work-loop.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import { beginAttempts, buyersWithDueJobs, type StartedAttempt } from './begin-attempts.ts';
import { deliveryView } from './delivery-view.rules.ts';
import { type AttemptResult, finishAttempts, type FinishReport } from './finish-attempts.ts';
import { giveUp, judge } from './retry.rules.ts';
import type { WebhookChannel } from './webhook.channel.ts';

export type SenderOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly webhook: WebhookChannel;
  readonly settings: () => MarketplaceSettings;
  readonly buyerOf: (buyerKey: string) => Buyer | null;
  /** Called after the commit, for what other slices do about it. */
  readonly onFinished: (report: FinishReport) => void;
  readonly onFault: (error: unknown) => void;
};

export type Sender = {
  /** Takes no new jobs and waits for the sendings under way, which are bounded by their own time limit. */
  stop(): Promise<void>;
  inFlight(): number;
};

/** Sendings at once in this process: enough to hide 100 ms answers at 1,000 a second and more. */
const PLACES = 256;
/** And for one buyer, so that a hanging endpoint can hold back 16 sendings and no more. */
const PLACES_PER_BUYER = 16;
/** The 15 s of a sending, twice, and room for the commits; a dead worker's jobs run again after it, within 60 s. */
const LEASE_MS = 40_000;
const RESULTS_PER_FLUSH = 200;

export function startSender(options: SenderOptions): Sender {
  const { database, clock, wakeups, onFault } = options;
  const busy = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const results = createMicroBatch<AttemptResult, FinishReport>({
    itemsPerFlush: RESULTS_PER_FLUSH,
    async flush(items) {
      // An answer that has been lost would be asked for again by sending again.
      const report = await repeatTransient(() => database.tx((tx) => finishAttempts(tx, items, clock.now())));
      if (report.rerouted.length > 0) wakeups.wake('routing');
      options.onFinished(report);
      return items.map(() => report);
    },
  });

  const round = async (): Promise<boolean> => {
    if (running.size >= PLACES) return false;
    const places = freePlaces(
      await database.tx((tx) => buyersWithDueJobs(tx, clock.now())),
      busy,
      PLACES - running.size,
    );
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
      const outcome = await sendOrSayWhyNot(attempt, options);
      const { attemptId, buyerKey, row, job } = attempt;
      const { retrySeconds } = options.settings();
      const judgement = attempt.isDisabled
        ? giveUp(job)
        : judge(outcome, job, { retrySeconds, chance: Math.random(), now: clock.now() });
      await results.add({ attemptId, buyerKey, deliveryId: row.deliveryId, outcome, judgement });
    } catch (error) {
      // The lease ends by itself and the job runs again; nothing is lost but time.
      onFault(error);
    }
  };

  const loop = startWorkLoop({ topic: 'sending', wakeups, round, onFault });
  return {
    inFlight: () => running.size,
    async stop() {
      await loop.stop();
      await Promise.allSettled(running);
    },
  };
}

function freePlaces(buyers: readonly string[], busy: ReadonlyMap<string, number>, free: number): Map<string, number> {
  const places = new Map<string, number>();
  let left = free;
  for (const buyerKey of buyers) {
    const count = Math.min(PLACES_PER_BUYER - (busy.get(buyerKey) ?? 0), left);
    if (count <= 0) continue;
    places.set(buyerKey, count);
    left -= count;
  }
  return places;
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

async function send(attempt: StartedAttempt, { webhook, buyerOf, clock }: SenderOptions): Promise<HttpOutcome> {
  const buyer = buyerOf(attempt.buyerKey);
  if (attempt.isDisabled) return notSent('The endpoint is disabled because it answered 410 Gone.');
  if (attempt.webhookUrl === null || buyer === null) return notSent('No webhook URL is set.');
  if (attempt.secrets.length === 0) return notSent('There is no secret to sign with.');
  const now = clock.now();
  return webhook.send(
    {
      url: attempt.webhookUrl,
      id: typeId('delivery', attempt.row.deliveryId),
      type: 'lead.delivered',
      occurredAt: attempt.row.deliveredAt,
      data: deliveryView(attempt.row, { policy: buyer.returnPolicy, timeZone: buyer.timeZone, now, claim: null }),
      secrets: attempt.secrets,
    },
    now,
  );
}

function notSent(message: string): HttpOutcome {
  return { kind: 'error', error: 'blocked', message, receipt: 'no', latencyMs: 0 };
}
