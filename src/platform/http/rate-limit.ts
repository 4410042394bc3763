// Limits the requests of each credential, and reports the remaining ones in headers (contract 1.12; decision 054).
import type { IncomingMessage } from 'node:http';

import type { FastifyReply } from 'fastify';

import { createRecentCache } from '../recent-cache.ts';
import type { Decided, SharedBuckets } from './shared-buckets.ts';
import { draw, type Rate } from './token-bucket.rules.ts';

type At = {
  readonly nowMs: number;
  readonly reply: FastifyReply;
  /** Limits this process alone, while others are limited over all processes. */
  readonly perProcess?: boolean;
};

export type RateLimiter = {
  /**
   * Takes a token, sets the headers and calls `decided` with the seconds to wait, 0 if there was a token. Nearly always before it returns:
   * a request waits some milliseconds where only the database can tell whether another process has left a token.
   */
  take(name: string, rate: Rate, at: At, decided: (waitSeconds: number) => void): void;
  /**
   * Calls `respond` with a rejection: at once, or a little later for a credential that is rejected more often than its rate allows requests.
   * A client that waits for each response then cannot keep the process busy with rejections.
   */
  reject(credentialId: string, rate: Rate, respond: () => void): void;
};

/** Of each held rejection. A connection then gets some seven a second. */
const HOLD_MS = 150;
/** In this process; further rejections are sent at once, because a held one costs memory. */
const HELD_MAX = 1000;
/** A bucket is dropped, and thus full again, only after this many others were used. */
const MOST_BUCKETS = 100_000;

const COUNT = Symbol('rate limit');
type Count = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };
type Counted = IncomingMessage & { [COUNT]?: Count };

/** The rate limit headers of a request that broke off; none if it was not counted yet. */
export function countedHeaders(request: IncomingMessage | null): string[] {
  const counted: Counted | null = request;
  const count = counted?.[COUNT];
  if (count === undefined) return [];
  const { limit, remaining, resetSeconds } = count;
  return [`RateLimit-Limit: ${limit}`, `RateLimit-Remaining: ${remaining}`, `RateLimit-Reset: ${resetSeconds}`];
}

/**
 * RateLimit-Limit is the burst, RateLimit-Reset the whole seconds until the bucket is full. Without `shared` all limits are those of this
 * process.
 */
export function createRateLimiter(shared: SharedBuckets | null = null): RateLimiter {
  const own = ownBuckets();
  const rejections = createRecentCache<{ second: number; count: number }>(MOST_BUCKETS);
  let held = 0;
  return {
    reject(credentialId, rate, respond) {
      const second = Math.floor(performance.now() / 1000);
      let rejected = rejections.get(credentialId);
      if (rejected?.second !== second) rejections.set(credentialId, (rejected = { second, count: 0 }));
      rejected.count += 1;
      if (rejected.count <= rate.perSecond || held >= HELD_MAX) {
        respond();
        return;
      }
      held += 1;
      setTimeout(() => {
        held -= 1;
        respond();
      }, HOLD_MS);
    },
    take(name, rate, { nowMs, reply, perProcess = false }, decided) {
      const buckets = perProcess || shared === null ? own : shared;
      buckets.take(name, rate, nowMs, ({ remaining, resetSeconds, retryAfterSeconds }) => {
        reply.header('ratelimit-limit', rate.burst);
        reply.header('ratelimit-remaining', remaining);
        reply.header('ratelimit-reset', resetSeconds);
        (reply.request.raw as Counted)[COUNT] = { limit: rate.burst, remaining, resetSeconds };
        decided(retryAfterSeconds);
      });
    },
  };
}

function ownBuckets(): Pick<SharedBuckets, 'take'> {
  const states = createRecentCache<{ fullAtMs: number }>(MOST_BUCKETS);
  return {
    take(name: string, rate: Rate, nowMs: number, decided: Decided) {
      let state = states.get(name);
      if (state === undefined) states.set(name, (state = { fullAtMs: 0 }));
      const drawn = draw(rate, state.fullAtMs, nowMs);
      state.fullAtMs = drawn.fullAtMs;
      decided(drawn);
    },
  };
}
