// Counts what attempts at endpoints came to, and opens and closes their breakers (contract 4.12). In good health nothing is written.
import type { Tx } from '../platform/database/database.ts';
import {
  type BreakerPolicy,
  changesOf,
  type EndpointChange,
  type EndpointKey,
  endpointName,
  type EndpointResult,
  type Health,
  nextHealth,
  wellHealth,
} from './breaker.rules.ts';
import { closeOutages, deleteHealth, insertHealth, insertOutages, lockHealth, updateHealth } from './endpoint.sql.ts';

export type HealthNews = {
  readonly opened: readonly EndpointKey[];
  readonly closed: readonly EndpointKey[];
  /** Those that are open, with the time since when. */
  readonly open: readonly (EndpointKey & { readonly openedAt: Date })[];
};

/** The results in the order in which they came. Locks the endpoints in the order of their keys until the transaction ends. */
export async function recordResults(
  tx: Tx,
  results: readonly EndpointResult[],
  policy: BreakerPolicy,
  now: Date,
): Promise<HealthNews> {
  const changes = changesOf(results);
  if (changes.length === 0) return { opened: [], closed: [], open: [] };
  const failing = changes.filter((change) => change.failures > 0);
  if (failing.length > 0) await tx.query(insertHealth, { ...keysOf(failing), now });
  const rows = await tx.query(lockHealth, keysOf(changes));
  const before = new Map(rows.map((row) => [endpointName(row), row]));
  // Without a row and without a failure there is nothing to write.
  const known = changes.filter((change) => before.has(endpointName(change)));
  const after = known.map((change) => {
    const was: Health = before.get(endpointName(change)) ?? wellHealth;
    return { change, was, is: nextHealth(was, change, policy, now) };
  });
  await write(tx, after, now);
  // One that took something in between and is open again ends an outage and begins another.
  const opened = after.filter(
    ({ change, was, is }) => is.openedAt !== null && (was.openedAt === null || change.succeeded),
  );
  const closed = after.filter(
    ({ change, was, is }) => was.openedAt !== null && (is.openedAt === null || change.succeeded),
  );
  if (closed.length > 0) await tx.query(closeOutages, { ...keysOf(closed.map(({ change }) => change)), now });
  if (opened.length > 0) await tx.query(insertOutages, { ...keysOf(opened.map(({ change }) => change)), now });
  return {
    opened: opened.map(({ change }) => change),
    closed: closed.flatMap(({ change, is }) => (is.openedAt === null ? [change] : [])),
    open: after.flatMap(({ change, is }) => (is.openedAt === null ? [] : [{ ...change, openedAt: is.openedAt }])),
  };
}

type After = { readonly change: EndpointChange; readonly was: Health; readonly is: Health };

async function write(tx: Tx, after: readonly After[], now: Date): Promise<void> {
  const healed = after.filter(({ is }) => is.failures === 0).map(({ change }) => change);
  if (healed.length > 0) await tx.query(deleteHealth, keysOf(healed));
  const ill = after.filter(({ is }) => is.failures > 0);
  if (ill.length === 0) return;
  await tx.query(updateHealth, {
    ...keysOf(ill.map(({ change }) => change)),
    failures: ill.map(({ is }) => is.failures),
    openTimes: ill.map(({ is }) => is.openedAt),
    nextProbeTimes: ill.map(({ is }) => is.nextProbeAt),
    lastErrors: ill.map(({ change }) => change.lastError),
    now,
  });
}

function keysOf(keys: readonly EndpointKey[]): { ownerKinds: string[]; ownerKeys: string[]; channels: string[] } {
  return {
    ownerKinds: keys.map((key) => key.ownerKind),
    ownerKeys: keys.map((key) => key.ownerKey),
    channels: keys.map((key) => key.channel),
  };
}
