// When an endpoint counts as broken and when as back (contract 4.12).
export type EndpointKey = {
  readonly ownerKind: 'supplier' | 'buyer';
  readonly ownerKey: string;
  /** `webhook` is also a supplier's callback. */
  readonly channel: string;
};

export type EndpointResult = EndpointKey & {
  readonly succeeded: boolean;
  /** Of a failure, in words that its owner may read. */
  readonly error: string;
};

/** What a batch of results means for one endpoint. */
export type EndpointChange = EndpointKey & {
  /** At least one attempt succeeded. */
  readonly succeeded: boolean;
  /** Failures after the last success, or all of them without one. */
  readonly failures: number;
  readonly lastError: string;
};

/** `openedAt` is null while the breaker is closed, and so is `nextProbeAt`. */
export type Health = { readonly failures: number; readonly openedAt: Date | null; readonly nextProbeAt: Date | null };

export const wellHealth: Health = { failures: 0, openedAt: null, nextProbeAt: null };

/** In failures in a row, and seconds. */
export type BreakerPolicy = { readonly failures: number; readonly probeSeconds: number };

/** The results in the order in which they came; the changes in the order of their keys, which is the order of locking. */
export function changesOf(results: readonly EndpointResult[]): EndpointChange[] {
  const changes = new Map<string, EndpointChange>();
  for (const { ownerKind, ownerKey, channel, succeeded, error } of results) {
    const name = endpointName({ ownerKind, ownerKey, channel });
    const before = changes.get(name);
    changes.set(name, {
      ownerKind,
      ownerKey,
      channel,
      succeeded: succeeded || before?.succeeded === true,
      failures: succeeded ? 0 : (before?.failures ?? 0) + 1,
      lastError: succeeded ? '' : error,
    });
  }
  return [...changes].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, change]) => change);
}

export function nextHealth(before: Health, change: EndpointChange, policy: BreakerPolicy, now: Date): Health {
  const failures = (change.succeeded ? 0 : before.failures) + change.failures;
  const openedAt = failures < policy.failures ? null : change.succeeded ? now : earlier(before.openedAt, now);
  if (openedAt === null) return { failures, openedAt: null, nextProbeAt: null };
  const wait = new Date(now.getTime() + policy.probeSeconds * 1000);
  // An attempt that was under way when it opened does not move the next probe.
  return { failures, openedAt, nextProbeAt: openedAt === before.openedAt ? before.nextProbeAt : wait };
}

/** Nothing has been open since a time that is still to come: a clock was wrong then. */
function earlier(openedAt: Date | null, now: Date): Date {
  return openedAt === null || openedAt > now ? now : openedAt;
}

export function endpointName({ ownerKind, ownerKey, channel }: EndpointKey): string {
  return `${ownerKind} ${ownerKey} ${channel}`;
}

export type EndpointState = {
  readonly channel: string;
  /** Failed attempts since the last that succeeded; at least 1. */
  readonly failures: number;
  /** Since when attempts wait for a probe to succeed; null while they go out as usual. */
  readonly openedAt: Date | null;
  readonly lastError: string;
  readonly lastFailedAt: Date;
};
