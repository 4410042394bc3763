// Detects outages of the service. After one request without a response a probe confirms the outage, and repeats until the service is back.
import { useSyncExternalStore } from 'react';

/** Long enough for a restart that loses one request, short enough to report an outage soon. */
const CONFIRM_MS = 1000;
const PROBE_EVERY_MS = 3000;
/** A probe that takes longer than this counts as no response. */
const PROBE_TIMEOUT_MS = 8000;
/** Statuses of a proxy whose upstream is down, and of the service without its database. */
const UNAVAILABLE = new Set([502, 503, 504]);

export type Connection = {
  readonly isReachable: boolean;
  /** Time of the last response. */
  readonly answeredAt: Date;
};

let connection: Connection = { isReachable: true, answeredAt: new Date() };
let probeTimer: ReturnType<typeof setTimeout> | null = null;
const watchers = new Set<() => void>();
const recoveryListeners = new Set<() => void>();

export function useConnection(): Connection {
  return useSyncExternalStore(watch, () => connection);
}

/** Calls the listener each time the service is back after an outage; the function returned unsubscribes it. */
export function whenBack(listener: () => void): () => void {
  recoveryListeners.add(listener);
  return () => void recoveryListeners.delete(listener);
}

export function isUnavailable(status: number): boolean {
  return UNAVAILABLE.has(status);
}

export function noteResponse(): void {
  const wasReachable = connection.isReachable;
  if (probeTimer !== null) clearTimeout(probeTimer);
  probeTimer = null;
  connection = { isReachable: true, answeredAt: new Date() };
  if (wasReachable) return;
  for (const watcher of watchers) watcher();
  for (const listener of recoveryListeners) listener();
}

/** Reports that a request or connection got no response. */
export function noteNoResponse(): void {
  probeTimer ??= setTimeout(() => void probe(), CONFIRM_MS);
}

/** Probes at once; true if the service responded. */
export async function probe(): Promise<boolean> {
  if (probeTimer !== null) clearTimeout(probeTimer);
  // Keeps other callers from starting a probe meanwhile.
  probeTimer = setTimeout(() => void probe(), PROBE_TIMEOUT_MS + PROBE_EVERY_MS);
  if (await isResponding()) {
    noteResponse();
    return true;
  }
  clearTimeout(probeTimer);
  probeTimer = setTimeout(() => void probe(), PROBE_EVERY_MS);
  if (connection.isReachable) {
    connection = { ...connection, isReachable: false };
    for (const watcher of watchers) watcher();
  }
  return false;
}

async function isResponding(): Promise<boolean> {
  const base = location.pathname.startsWith('/console') ? '/console' : '/portal';
  try {
    const { status } = await fetch(`${base}/api/session`, {
      headers: { 'x-unattended': '1' },
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return !isUnavailable(status);
  } catch {
    return false;
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

addEventListener('offline', noteNoResponse);
addEventListener('online', () => void probe());
