// The health of endpoints: reads it, lets probes through to endpoints whose breaker is open, and resets it (contract 4.12).
import type { Tx } from '../platform/database/database.ts';
import { type EndpointKey, type EndpointState, endpointName } from './breaker.rules.ts';
import {
  selectHealth,
  selectFailing,
  takeProbesSql,
  expediteProbeSql,
  closeOutages,
  deleteHealthSql,
  purgeOutagesSql,
} from './endpoint.sql.ts';
import { CLOCKS_DIFFER_MS } from '../platform/queue/due-at-once.ts';

/** The owner's endpoints with failures since their last success, at most one for each channel. */
export async function readHealth(
  tx: Tx,
  { ownerKind, ownerKey }: Pick<EndpointKey, 'ownerKind' | 'ownerKey'>,
): Promise<EndpointState[]> {
  return tx.query(selectHealth, { ownerKind, ownerKey });
}

/** The least time within which a waiting job must be due, also if leads may not wait at all. */
const PROBED_WITHIN_MS = 60_000;

/**
 * Buyers whose primary channel has failed for longer than leads may wait (`holdMs`), so that they get no new leads; by buyer key, with the
 * time when the breaker opened. Only if a job waits that will be sent within that time: otherwise nothing would probe the endpoint, so the
 * next lead is let through as a probe.
 */
export async function failingEndpoints(tx: Tx, holdMs: number, now: Date): Promise<Map<string, Date>> {
  const rows = await tx.query(selectFailing, {
    openedAt: new Date(now.getTime() - holdMs),
    dueAt: new Date(now.getTime() + Math.max(holdMs, PROBED_WITHIN_MS)),
  });
  return new Map(rows.map(({ buyerKey, openedAt }) => [buyerKey, openedAt]));
}

type Probe = EndpointKey & { readonly openedAt: Date };

/** Returns the endpoints that the caller may send one probe to. Of several concurrent callers only one gets a probe. */
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

/** A probe scheduled later than this comes from a wrong clock or an older policy, and counts as due. */
export function latestProbe(now: Date, probeSeconds: number): Date {
  return new Date(now.getTime() + probeSeconds * 1000 + CLOCKS_DIFFER_MS);
}

/** Makes the next probe due at once, when an operator says that the endpoint works again. False if its breaker is not open. */
export async function expediteProbe(
  tx: Tx,
  { ownerKind, ownerKey, channel }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(expediteProbeSql, { ownerKind, ownerKey, channel, now });
  return rows.length > 0;
}

/** Resets an endpoint that was enabled by hand or has a new address. */
export async function deleteHealth(tx: Tx, { ownerKind, ownerKey, channel }: EndpointKey, now: Date): Promise<void> {
  const [row] = await tx.query(deleteHealthSql, { ownerKind, ownerKey, channel });
  if (row !== undefined && row.openedAt !== null)
    await tx.query(closeOutages, { ownerKinds: [ownerKind], ownerKeys: [ownerKey], channels: [channel], now });
}

/** Deletes outages that ended before `before`, some at a time (decision 021); returns how many. */
export async function purgeOutages(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeOutagesSql, { before, atOnce });
  return row?.purged ?? 0;
}
