// Takes parts of lists one at a time in this process, by turns of their senders, and limits what a partner sends (contract 15.4).
import type { Clock } from '../platform/clock.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { draw, type Rate } from '../platform/http/token-bucket.rules.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { createRecentCache } from '../platform/recent-cache.ts';

/** `characters`: its length, the work that it makes. `buyerKey`: null for an operator. */
export type SentPart = { readonly buyerKey: string | null; readonly characters: number };

export type ListParts = {
  /** Runs `work` in its turn, or returns why the part is not taken now. A waiting part holds no connection. */
  run<Value>(part: SentPart, work: () => Promise<Value>): Promise<Value> | Refusal;
};

/** A million phone numbers in under a minute. Per process: parts are rare, and a shared bucket counts requests. */
const RATE: Rate = { perSecond: 20_000_000 / 60, burst: 5_000_000 };
/** Of one sender, with the one that is read; a waiting part is held in memory. */
const AT_ONCE = 4;
const BUCKETS_MAX = 10_000;

export function createListParts(clock: Clock): ListParts {
  const inTurn = oneAtATime();
  const buckets = createRecentCache<{ fullAtMs: number }>(BUCKETS_MAX);
  const running = new Map<string, number>();

  /** Seconds to wait; 0 for a part within the rate. */
  const takeCharacters = ({ buyerKey, characters }: SentPart): number => {
    if (buyerKey === null) return 0;
    const fullAtMs = buckets.get(buyerKey)?.fullAtMs ?? 0;
    const drawn = draw(RATE, fullAtMs, clock.now().getTime(), { cost: characters });
    buckets.set(buyerKey, { fullAtMs: drawn.fullAtMs });
    return drawn.retryAfterSeconds;
  };

  const runCounted = async <Value>(sender: string, work: () => Promise<Value>): Promise<Value> => {
    running.set(sender, (running.get(sender) ?? 0) + 1);
    try {
      return await inTurn(sender, work);
    } finally {
      const left = (running.get(sender) ?? 1) - 1;
      if (left === 0) running.delete(sender);
      else running.set(sender, left);
    }
  };

  return {
    run(part, work) {
      const sender = part.buyerKey === null ? 'operators' : `partner ${part.buyerKey}`;
      const isBusy = (running.get(sender) ?? 0) >= AT_ONCE;
      const wait = isBusy ? 1 : takeCharacters(part);
      if (wait === 0) return runCounted(sender, work);
      const detail = isBusy
        ? `${AT_ONCE} parts of this account are being read already.`
        : `A partner sends at most ${60 * RATE.perSecond} characters of lists a minute.`;
      return { status: 429, code: 'rate_limited', detail, headers: { 'retry-after': String(wait) } };
    },
  };
}
