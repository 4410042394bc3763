// Limits the requests of each credential in this process, and reports the remaining ones in headers (contract 1.12).
import type { IncomingMessage } from 'node:http';

import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';

import { draw, type Rate } from './token-bucket.rules.ts';

// A bucket is dropped, and thus full again, only after this many other credentials were used.
const MOST_BUCKETS = 100_000;

export type RateLimiter = {
  /** Takes a token and sets the headers; returns the seconds to wait when there was none, else 0. */
  take(credentialId: string, rate: Rate, at: { readonly nowMs: number; readonly reply: FastifyReply }): number;
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

/** RateLimit-Limit is the burst, RateLimit-Reset the whole seconds until the bucket is full. */
export function createRateLimiter(): RateLimiter {
  const buckets = new LRUCache<string, { fullAtMs: number }>({ max: MOST_BUCKETS });
  const rejections = new LRUCache<string, { second: number; count: number }>({ max: MOST_BUCKETS });
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
    take(credentialId, rate, { nowMs, reply }) {
      let bucket = buckets.get(credentialId);
      if (bucket === undefined) buckets.set(credentialId, (bucket = { fullAtMs: 0 }));
      const { fullAtMs, remaining, resetSeconds, retryAfterSeconds } = draw(rate, bucket.fullAtMs, nowMs);
      bucket.fullAtMs = fullAtMs;
      reply.header('ratelimit-limit', rate.burst);
      reply.header('ratelimit-remaining', remaining);
      reply.header('ratelimit-reset', resetSeconds);
      (reply.request.raw as Counted)[COUNT] = { limit: rate.burst, remaining, resetSeconds };
      return retryAfterSeconds;
    },
  };
}
