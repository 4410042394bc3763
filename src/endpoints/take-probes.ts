// Lets one attempt through to each endpoint whose breaker is open and whose time for the next attempt has come (contract 4.12).
import type { Tx } from '../platform/database/database.ts';
import { CLOCKS_DIFFER_MS } from '../platform/queue/due-at-once.ts';
import { type EndpointKey, endpointName } from './breaker.rules.ts';
import { takeProbesSql } from './endpoint.sql.ts';

type Probe = EndpointKey & { readonly openedAt: Date };

/** Answers those that this caller may make one attempt at; of several callers at one instant one gets it. */
export async function takeProbes(
  tx: Tx,
  endpoints: readonly EndpointKey[],
  { now, probeSeconds }: { now: Date; probeSeconds: number },
): Promise<readonly Probe[]> {
  if (endpoints.length === 0) return [];
  const inOrder = endpoints.toSorted((left, right) => (endpointName(left) < endpointName(right) ? -1 : 1));
  return tx.query(takeProbesSql, {
    ownerKinds: inOrder.map((endpoint) => endpoint.ownerKind),
    ownerKeys: inOrder.map((endpoint) => endpoint.ownerKey),
    channels: inOrder.map((endpoint) => endpoint.channel),
    now,
    nextProbeAt: new Date(now.getTime() + probeSeconds * 1000),
    farAway: latestProbe(now, probeSeconds),
  });
}

/** A probe that is further away was put there by a clock that was wrong, or while probes were rarer: it is due. */
export function latestProbe(now: Date, probeSeconds: number): Date {
  return new Date(now.getTime() + probeSeconds * 1000 + CLOCKS_DIFFER_MS);
}
