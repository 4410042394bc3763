// Lets one attempt through to each endpoint whose breaker is open and whose time for the next attempt has come (contract 4, breaker).
import type { Tx } from '../platform/database/database.ts';
import { type EndpointKey, endpointName } from './breaker.rules.ts';
import { takeProbes as take } from './endpoint.sql.ts';

/** Answers those that this caller may make one attempt at; of several callers at one instant one gets it. */
export async function takeProbes(
  tx: Tx,
  endpoints: readonly EndpointKey[],
  { now, probeSeconds }: { now: Date; probeSeconds: number },
): Promise<readonly EndpointKey[]> {
  if (endpoints.length === 0) return [];
  const inOrder = endpoints.toSorted((left, right) => (endpointName(left) < endpointName(right) ? -1 : 1));
  return tx.query<EndpointKey>(take, [
    inOrder.map((endpoint) => endpoint.ownerKind),
    inOrder.map((endpoint) => endpoint.ownerKey),
    inOrder.map((endpoint) => endpoint.channel),
    now,
    new Date(now.getTime() + probeSeconds * 1000),
  ]);
}
