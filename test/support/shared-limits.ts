// Several processes' shared buckets on one timeline that a test lets run: timers and requests happen at their instant, however long a real
// database takes meanwhile.
import type { Charge, Charged } from '../../src/platform/http/shared-bucket.rules.ts';
import { createSharedBuckets, type SharedBuckets } from '../../src/platform/http/shared-buckets.ts';
import { draw, type Rate, ROUNDING_MS } from '../../src/platform/http/token-bucket.rules.ts';

/** `nowMs` is the time of the process's own clock. */
export type Exchange = (charges: readonly Charge[], nowMs: number, process: number) => Promise<readonly Charged[]>;
export type Arrival = { readonly atMs: number; readonly process: number };
export type Admission = Arrival & { readonly waitedMs: number; readonly retryAfterSeconds: number };

const START_MS = Date.UTC(2026, 10, 20, 12);
/** Of an exchange, on the timeline. */
const ROUND_TRIP_MS = 4;

export type Course = {
  readonly rate: Rate;
  readonly processes: number;
  readonly arrivals: readonly Arrival[];
  readonly exchange: Exchange;
  /** How much each process's clock is ahead of the timeline. */
  readonly aheadMs?: readonly number[];
};

/** Lets requests arrive in their order and returns what became of each, in the order of decision. Times are in milliseconds from the start. */
export async function runProcesses({
  rate,
  processes,
  arrivals,
  exchange,
  aheadMs = [],
}: Course): Promise<Admission[]> {
  const timers: Array<{ readonly atMs: number; run: () => void }> = [];
  const working = new Set<Promise<unknown>>();
  let nowMs = START_MS;
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = { atMs: nowMs + ms, run };
    timers.push(timer);
    return () => void (timer.run = () => undefined);
  };
  const clockOf = (process: number): number => nowMs + (aheadMs[process] ?? 0);
  const buckets: SharedBuckets[] = Array.from({ length: processes }, (_, process) =>
    createSharedBuckets({
      clock: { now: () => new Date(clockOf(process)) },
      processes: () => processes,
      async exchange(charges, machineMs) {
        const charging = exchange(charges, machineMs, process);
        working.add(charging);
        const charged = await charging.finally(() => working.delete(charging));
        await new Promise<void>((resolve) => after(ROUND_TRIP_MS, resolve));
        return charged;
      },
      onFault: () => undefined,
      after,
    }),
  );
  const found: Admission[] = [];
  const arrive = ({ atMs, process }: Arrival): void => {
    nowMs = START_MS + atMs;
    const askedAtMs = nowMs;
    buckets[process]?.take('one', rate, clockOf(process), ({ retryAfterSeconds }) =>
      found.push({ atMs: nowMs - START_MS, process, waitedMs: nowMs - askedAtMs, retryAfterSeconds }),
    );
  };
  let arrived = 0;
  for (;;) {
    const arrival = arrivals[arrived];
    const timer = timers.toSorted((one, other) => one.atMs - other.atMs)[0];
    if (arrival !== undefined && (timer === undefined || START_MS + arrival.atMs <= timer.atMs)) {
      arrived += 1;
      arrive(arrival);
      continue;
    }
    if (timer === undefined) return found;
    timers.splice(timers.indexOf(timer), 1);
    nowMs = timer.atMs;
    timer.run();
    await Promise.allSettled(working);
    // What was waiting for it continues, and may set a timer.
    await new Promise(setImmediate);
  }
}

/** A database in memory, which follows the statement's rules. test/platform/shared-limits.test.ts compares the two. */
export function memoryExchange(): Exchange {
  const stored = new Map<string, number>();
  return async (charges, nowMs) =>
    charges.map(({ bucket, perTokenMs, capacityMs, debtMs, admitted, wanted }) => {
      const before = Math.min(Math.max(stored.get(bucket) ?? 0, nowMs), nowMs + capacityMs + debtMs);
      const charged = before + admitted * perTokenMs;
      const room = Math.floor((nowMs + capacityMs - charged + ROUNDING_MS) / perTokenMs);
      const granted = Math.max(0, Math.min(wanted, room));
      const fullAtMs = charged + granted * perTokenMs;
      stored.set(bucket, fullAtMs);
      return { bucket, fullAtMs, granted };
    });
}

/** How many of the requests one process would admit that got all of them. */
export function admittedByOne(rate: Rate, arrivals: readonly Arrival[]): number {
  let fullAtMs = 0;
  return arrivals.filter(({ atMs }) => {
    const drawn = draw(rate, fullAtMs, START_MS + atMs);
    fullAtMs = drawn.fullAtMs;
    return drawn.allowed;
  }).length;
}

/** By how many requests the fullest span of at least `leastMs` is above `factor` times the limit; 0 or less where none is. */
export function mostOver(
  rate: Rate,
  times: readonly number[],
  { leastMs, factor }: { leastMs: number; factor: number },
): number {
  const sorted = times.toSorted((one, other) => one - other);
  // The excess of a span from one request to another is the difference of two of these, and a request.
  const level = sorted.map((atMs, index) => index - (factor * rate.perSecond * atMs) / 1000);
  let [end, highest, most] = [sorted.length, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let first = sorted.length - 1; first >= 0; first -= 1) {
    while (end > 0 && (sorted[end - 1] as number) >= (sorted[first] as number) + leastMs) {
      end -= 1;
      highest = Math.max(highest, level[end] as number);
    }
    most = Math.max(most, highest - (level[first] as number) + 1 - factor * rate.burst);
  }
  return most;
}
