// How many test leads a supplier may post, at the API and in the portal together: they cost nothing, and people read their answers.
import type { RateLimiter } from '../platform/http/rate-limit.ts';

const RATE = { perSecond: 1, burst: 20 } as const;

/** Takes a place and sets the headers that say how many are left; the problem to answer with where there is none, else null. */
export function takeTestLead(limiter: RateLimiter, supplierKey: string, at: Parameters<RateLimiter['take']>[2]) {
  const wait = limiter.take(`test leads of ${supplierKey}`, RATE, at);
  if (wait === 0) return null;
  const detail = `Test leads are limited to ${RATE.perSecond} a second, ${RATE.burst} at once.`;
  return { status: 429, code: 'rate_limited', detail, headers: { 'retry-after': String(wait) } } as const;
}
