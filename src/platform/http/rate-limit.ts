// Counts the requests of each credential in this process and says in headers how many are left (contract 1).
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';

import { draw, type Rate } from './token-bucket.rules.ts';

// A bucket is forgotten, and so full again, only when so many other credentials were used since.
const MOST_BUCKETS = 100_000;

export type RateLimiter = {
  /** Takes a token and sets the headers; seconds to wait where there was none, else 0. */
  take(credentialId: string, rate: Rate, at: { readonly nowMs: number; readonly reply: FastifyReply }): number;
};

/** RateLimit-Limit is the burst, RateLimit-Reset the whole seconds until all of it is there again. */
export function createRateLimiter(): RateLimiter {
  const buckets = new LRUCache<string, { fullAtMs: number }>({ max: MOST_BUCKETS });
  return {
    take(credentialId, rate, { nowMs, reply }) {
      let bucket = buckets.get(credentialId);
      if (bucket === undefined) buckets.set(credentialId, (bucket = { fullAtMs: 0 }));
      const { fullAtMs, remaining, resetSeconds, retryAfterSeconds } = draw(rate, bucket.fullAtMs, nowMs);
      bucket.fullAtMs = fullAtMs;
      reply.header('ratelimit-limit', rate.burst);
      reply.header('ratelimit-remaining', remaining);
      reply.header('ratelimit-reset', resetSeconds);
      return retryAfterSeconds;
    },
  };
}
