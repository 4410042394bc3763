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

/** At most one for each channel. One in good health is not in it. */
export async function readHealth(
  tx: Tx,
  { ownerKind, ownerKey }: Pick<EndpointKey, 'ownerKind' | 'ownerKey'>,
): Promise<EndpointState[]> {
  return tx.query(selectHealth, { ownerKind, ownerKey });
}

/** Where leads may not wait at all. */
const ASKED_WITHIN_MS = 60_000;

/**
 * By buyer key: since when the breaker is open. Only where something waits that will be sent within the time for which leads may wait:
 * without it nothing would ask whether the endpoint is back, so the next lead is let through to ask.
 */
export async function failingEndpoints(tx: Tx, holdMs: number, now: Date): Promise<Map<string, Date>> {
  const rows = await tx.query(selectFailing, {
    openedAt: new Date(now.getTime() - holdMs),
    dueAt: new Date(now.getTime() + Math.max(holdMs, ASKED_WITHIN_MS)),
  });
  return new Map(rows.map(({ buyerKey, openedAt }) => [buyerKey, openedAt]));
}

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

/** False where its breaker is not open. If it does not answer well, everything is as before. */
export async function expediteProbe(
  tx: Tx,
  { ownerKind, ownerKey, channel }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(expediteProbeSql, { ownerKind, ownerKey, channel, now });
  return rows.length > 0;
}

export async function deleteHealth(tx: Tx, { ownerKind, ownerKey, channel }: EndpointKey, now: Date): Promise<void> {
  const [row] = await tx.query(deleteHealthSql, { ownerKind, ownerKey, channel });
  if (row !== undefined && row.openedAt !== null)
    await tx.query(closeOutages, { ownerKinds: [ownerKind], ownerKeys: [ownerKey], channels: [channel], now });
}

/** Of those that were over before then; how many they were. */
export async function purgeOutages(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeOutagesSql, { before, atOnce });
  return row?.purged ?? 0;
}
