// How many requests a session may make, and which of them are a person's (decision 022).

/** A page asks for some ten things at once, a live one again at each change: far from this, and a loop that ran wild is stopped. */
export const SESSION_RATE = { perSecond: 50, burst: 200 } as const;

/**
 * Pages say with `X-Unattended: 1` what they ask by themselves, so that a screen that nobody looks at falls idle. A live line, which a
 * browser opens again by itself, can have no such header.
 */
export function isAttended({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): {
  attended: boolean;
} {
  return { attended: headers['x-unattended'] === undefined && headers['accept'] !== 'text/event-stream' };
}
