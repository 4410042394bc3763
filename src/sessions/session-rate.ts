// How many requests the sessions of an owner may make, and which of them are a person's (decisions 009 and 022).
import type { Rate } from '../platform/http/token-bucket.rules.ts';

/** A page asks for some ten things at once, a live one again at each change: far from this, and a loop that ran wild is stopped. */
export const SESSION_RATE: Rate = { perSecond: 50, burst: 200 };

/** A partner's sessions together: five times the rate of a token and ten times its burst, but at least what its pages need. */
export function sessionRate({ perSecond, burst }: Rate): Rate {
  return { perSecond: Math.max(10, 5 * perSecond), burst: Math.max(50, 10 * burst) };
}

/**
 * Pages say with `X-Unattended: 1` what they ask by themselves, so that a screen that nobody looks at falls idle. A live line, which a
 * browser opens again by itself, can have no such header.
 */
export function isAttended({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): {
  attended: boolean;
} {
  return { attended: headers['x-unattended'] === undefined && headers['accept'] !== 'text/event-stream' };
}
