// Token buckets by name that all API processes share through the database: requests are charged in the background, many at a time. While
// there is one process, its buckets are in its memory alone (contract 1.12; decision 054).
import type { Clock } from '../clock.ts';
import { createRecentCache } from '../recent-cache.ts';
import { type After, afterTimeout, createExchangePace } from './exchange-pace.ts';
import {
  afterExchange,
  type Charge,
  type Charged,
  chargeOf,
  decide,
  NEW_BUCKET,
  outcomes,
  type SharedBucket,
  type Urgency,
  unreserve,
  urgencyOf,
  withoutRefilled,
} from './shared-bucket.rules.ts';
import { draw, type Draw, type Rate } from './token-bucket.rules.ts';

export type Decided = (draw: Draw) => void;

export type SharedBuckets = {
  /**
   * Takes a token. Calls `decided` before it returns, unless only the database can tell whether there is still a token: then some
   * milliseconds later.
   */
  take(name: string, rate: Rate, nowMs: number, decided: Decided): void;
  /** Ends the exchanges and decides the requests that wait. */
  close(): void;
};

export type SharedBucketsOptions = {
  readonly clock: Clock;
  /** That serve requests now, with this one. */
  readonly processes: () => number;
  /** Charges the buckets in the database and returns them all, in any order. */
  readonly exchange: (charges: readonly Charge[], nowMs: number) => Promise<readonly Charged[]>;
  readonly onFault: (error: unknown) => void;
  /** For tests with a clock of their own. */
  readonly after?: After;
};

/** A bucket is dropped, and thus full again in the eyes of this process, only after this many others were used. */
const MOST_BUCKETS = 100_000;
/** A database that takes longer counts as away, and no request waits for it longer. */
const LATE_MS = 250;
const CHARGES_AT_MOST = 2000;

type Entry = { readonly name: string; rate: Rate; bucket: SharedBucket; waiting: Decided[] };
/** A part of an exchange: what was sent, and the requests that wait for it. */
type Sent = { readonly entry: Entry; readonly charge: Charge; readonly asking: Decided[] };

type Now = { readonly nowMs: number; readonly processes: number };

/** Errors of the database go to `onFault`; each process then admits its share. */
export function createSharedBuckets(options: SharedBucketsOptions): SharedBuckets {
  const { clock, processes, onFault, after = afterTimeout } = options;
  const entries = createRecentCache<Entry>(MOST_BUCKETS);
  /** Those with something to charge or to ask. */
  const due = new Set<Entry>();
  let isAway = false;
  const current = (): Now => ({ nowMs: clock.now().getTime(), processes: processes() });
  const decideAllAlone = (): void => {
    for (const entry of due) decideAlone(entry, entry.waiting, current());
  };

  const exchange = async (startedAtMs: number): Promise<Urgency | null> => {
    const sent = [...due].slice(0, CHARGES_AT_MOST).map((entry) => {
      due.delete(entry);
      if (isAway) entry.bucket = withoutRefilled(entry.bucket, entry.rate, current());
      return prepare(entry, current());
    });
    const giveUp = (): void => {
      isAway = true;
      for (const { entry, asking } of sent) decideAlone(entry, asking, current());
      decideAllAlone();
    };
    const cancel = after(LATE_MS, giveUp);
    try {
      const charges = sent.map(({ charge }) => charge);
      const charged = new Map((await options.exchange(charges, startedAtMs)).map((one) => [one.bucket, one]));
      isAway = false;
      for (const one of sent) settle(one, charged.get(one.entry.name) as Charged, current());
    } catch (error) {
      onFault(error);
      giveUp();
      for (const { entry } of sent) due.add(entry);
    } finally {
      cancel();
    }
    const left = [...due].map(({ bucket, waiting }) => (waiting.length === 0 ? 'later' : urgencyOf(bucket)));
    return (['now', 'soon', 'later'] as const).find((urgency) => left.includes(urgency)) ?? null;
  };
  const pace = createExchangePace({ clock, exchange, after });

  return {
    take(name, rate, nowMs, decided) {
      let entry = entries.get(name);
      if (entry === undefined) entries.set(name, (entry = { name, rate, bucket: NEW_BUCKET, waiting: [] }));
      entry.rate = rate;
      const count = processes();
      if (count === 1) {
        const alone = draw(rate, entry.bucket.fullAtMs, nowMs);
        entry.bucket = { ...NEW_BUCKET, fullAtMs: alone.fullAtMs, shareFullAtMs: alone.fullAtMs };
        return decided(alone);
      }
      const isAsking = entry.waiting.length > 0;
      const found = decide(entry.bucket, rate, { nowMs, processes: count, isAway, isAsking });
      entry.bucket = found.bucket;
      if (found.kind === 'unsure') entry.waiting.push(decided);
      else decided(found.draw);
      if (found.kind === 'rejected') return undefined;
      due.add(entry);
      return pace.due(found.urgency);
    },
    close() {
      pace.stop();
      decideAllAlone();
    },
  };
}

function prepare(entry: Entry, { processes }: Now): Sent {
  const { name: bucket, rate, waiting: asking } = entry;
  entry.waiting = [];
  return { entry, asking, charge: chargeOf(entry.bucket, rate, { bucket, wanted: asking.length, processes }) };
}

function settle({ entry, charge, asking }: Sent, charged: Charged, now: Now): void {
  const { rate, waiting } = entry;
  entry.bucket = afterExchange(entry.bucket, rate, { charge, charged, waiting: waiting.length, ...now });
  const { granted, rejected } = outcomes(entry.bucket, rate, now);
  for (const [index, decided] of asking.splice(0).entries()) decided(index < charged.granted ? granted : rejected);
}

/** Takes requests that the database does not decide in time off the list: they get what this process may admit by itself. */
function decideAlone(entry: Entry, requests: Decided[], now: Now): void {
  entry.bucket = unreserve(entry.bucket, entry.rate, requests.length);
  for (const decided of requests.splice(0)) {
    const found = decide(entry.bucket, entry.rate, { ...now, isAway: true, isAsking: false });
    entry.bucket = found.bucket;
    decided(found.draw);
  }
}
