// Limits per supplier: rejected submissions per day whose body is stored, and test leads per second.
import type { RateLimiter } from '../platform/http/rate-limit.ts';
import type { Refusal } from '../platform/http/request-fault.ts';

/** Per supplier, UTC day and process (decision 054). At 8 KiB each, 80 MB: enough to debug a faulty integration. */
export const REFUSED_BODIES_A_DAY = 10_000;

export type RefusedBodyLimit = {
  /** Counts one body; false if the limit of the day is reached. */
  take(supplierKey: string, now: Date): boolean;
};

export function createRefusedBodyLimit(mostADay: number): RefusedBodyLimit {
  let today = '';
  const taken = new Map<string, number>();
  return {
    take(supplierKey, now) {
      const day = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
      if (day !== today) taken.clear();
      today = day;
      const count = taken.get(supplierKey) ?? 0;
      if (count >= mostADay) return false;
      taken.set(supplierKey, count + 1);
      return true;
    },
  };
}

const RATE = { perSecond: 1, burst: 20 } as const;

/** For the API and the portal together. Counts one test lead and sets the rate-limit headers; the problem to respond with, or null. */
export async function takeTestLead(
  limiter: RateLimiter,
  supplierKey: string,
  at: Parameters<RateLimiter['take']>[2],
): Promise<Refusal | null> {
  const wait = await new Promise<number>((resolve) => limiter.take(`test leads of ${supplierKey}`, RATE, at, resolve));
  if (wait === 0) return null;
  const detail = `Test leads are limited to ${RATE.perSecond} a second, ${RATE.burst} at once.`;
  return { status: 429, code: 'rate_limited', detail, headers: { 'retry-after': String(wait) } };
}
