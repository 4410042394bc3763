// Records the results of attempts at endpoints, and opens and closes their breakers (contract 4.12). Healthy endpoints cost no write.
import type { Tx } from '../platform/database/database.ts';
import {
  type BreakerPolicy,
  endpointChanges,
  type EndpointChange,
  type EndpointKey,
  endpointName,
  type EndpointResult,
  type Health,
  nextHealth,
  healthy,
} from './breaker.rules.ts';
import {
  closeOutages,
  deleteHealthRows,
  insertHealth,
  insertOutages,
  lockHealth,
  updateHealth,
} from './endpoint.sql.ts';

export type HealthChanges = {
  readonly opened: readonly EndpointChange[];
  /** With the time since when it was open. */
  readonly closed: readonly (EndpointKey & { readonly since: Date })[];
  /** Endpoints whose breaker is open now, with the time when it opened. */
  readonly open: readonly (EndpointKey & { readonly openedAt: Date })[];
};

/** Takes results in the order of their arrival. Locks the endpoints in the order of their keys until the transaction ends. */
export async function recordResults(
  tx: Tx,
  results: readonly EndpointResult[],
  policy: BreakerPolicy,
  now: Date,
): Promise<HealthChanges> {
  const changes = endpointChanges(results);
  if (changes.length === 0) return { opened: [], closed: [], open: [] };
  const failing = changes.filter((change) => change.failures > 0);
  if (failing.length > 0) await tx.query(insertHealth, { ...keysOf(failing), now });
  const rows = await tx.query(lockHealth, keysOf(changes));
  const before = new Map(rows.map((row) => [endpointName(row), row]));
  // A success without a stored row changes nothing.
  const known = changes.filter((change) => before.has(endpointName(change)));
  const after = known.map((change) => {
    const was: Health = before.get(endpointName(change)) ?? healthy;
    return { change, was, is: nextHealth(was, change, policy, now) };
  });
  await write(tx, after, now);
  // A breaker that is open again after a success in between ends one outage and begins another.
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
    closed: closed.flatMap(({ change, was, is }) =>
      is.openedAt === null && was.openedAt !== null ? [{ ...change, since: was.openedAt }] : [],
    ),
    open: after.flatMap(({ change, is }) => (is.openedAt === null ? [] : [{ ...change, openedAt: is.openedAt }])),
  };
}

type After = { readonly change: EndpointChange; readonly was: Health; readonly is: Health };

async function write(tx: Tx, after: readonly After[], now: Date): Promise<void> {
  const recovered = after.filter(({ is }) => is.failures === 0).map(({ change }) => change);
  if (recovered.length > 0) await tx.query(deleteHealthRows, keysOf(recovered));
  const failing = after.filter(({ is }) => is.failures > 0);
  if (failing.length === 0) return;
  await tx.query(updateHealth, {
    ...keysOf(failing.map(({ change }) => change)),
    failures: failing.map(({ is }) => is.failures),
    openTimes: failing.map(({ is }) => is.openedAt),
    nextProbeTimes: failing.map(({ is }) => is.nextProbeAt),
    lastErrors: failing.map(({ change }) => change.lastError),
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
