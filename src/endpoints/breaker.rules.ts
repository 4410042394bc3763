// The circuit breaker of an endpoint: opens after consecutive failures, closes with a success (contract 4.12).
export type EndpointKey = {
  readonly ownerKind: 'supplier' | 'buyer';
  readonly ownerKey: string;
  /** `webhook` is also a supplier's callback. */
  readonly channel: string;
};

export type EndpointResult = EndpointKey & {
  readonly succeeded: boolean;
  /** Of a failure; a text that its owner may read. */
  readonly error: string;
};

/** The results of one endpoint in a batch, summed up. */
export type EndpointChange = EndpointKey & {
  /** At least one attempt succeeded. */
  readonly succeeded: boolean;
  /** Failures after the last success, or all failures if there was none. */
  readonly failures: number;
  readonly lastError: string;
};

/** `openedAt` is null while the breaker is closed, and so is `nextProbeAt`. */
export type Health = { readonly failures: number; readonly openedAt: Date | null; readonly nextProbeAt: Date | null };

export const healthy: Health = { failures: 0, openedAt: null, nextProbeAt: null };

/** `failures`: consecutive failures that open the breaker; `probeSeconds`: the time between probes. */
export type BreakerPolicy = { readonly failures: number; readonly probeSeconds: number };

/** Takes results in the order of their arrival; returns changes in the order of their keys, which is the order of locking. */
export function endpointChanges(results: readonly EndpointResult[]): EndpointChange[] {
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
  // A late failure of an attempt that began before the breaker opened does not move the next probe.
  return { failures, openedAt, nextProbeAt: openedAt === before.openedAt ? before.nextProbeAt : wait };
}

/** An opening time in the future comes from a wrong clock, and is replaced by now. */
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
