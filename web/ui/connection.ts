// Detects outages of the service: after one request without a response a probe confirms the outage, and repeats until the service is back. Also
// counts responses of other releases, which come while the service is being updated.
import { useSyncExternalStore } from 'react';

/** Long enough for a restart that loses one request, short enough to report an outage soon. */
const CONFIRM_MS = 1000;
const PROBE_EVERY_MS = 3000;
/** A probe that takes longer than this counts as no response. */
const PROBE_TIMEOUT_MS = 8000;
/** Statuses of a proxy whose upstream is down, and of the service without its database. */
const UNAVAILABLE = new Set([502, 503, 504]);
/** So many responses of another release in a row mean that no process has the release of this page any more … */
const OUTDATED_AFTER = 8;
/** … and so many of its own since then that an update is over. */
const UPDATED_AFTER = 20;
/** Of this page. */
const RELEASE = document.querySelector<HTMLMetaElement>('meta[name=release]')?.content;

export type Connection = {
  readonly isReachable: boolean;
  /** Time of the last response. */
  readonly answeredAt: Date;
  /** The service has another release of the pages. */
  readonly isOutdated: boolean;
};

let connection: Connection = { isReachable: true, answeredAt: new Date(), isOutdated: false };
/** The latest responses in a row of this release, and of others. */
let own = UPDATED_AFTER;
let others = 0;
/** Whether any response has named its release. A proxy may remove the header from all of them. */
let areNamed = false;
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

/** How many of the latest responses came from another release in a row; null if the service is not being updated. */
export function countOthers(): number | null {
  return own < UPDATED_AFTER ? others : null;
}

/** Whether only another release responds. */
export function isOutdated(): boolean {
  return others >= OUTDATED_AFTER;
}

/** Reports a response; the stream of live updates has none to look at. */
export function noteResponse(response?: Response): void {
  if (response !== undefined) countRelease(response);
  const { isReachable: wasReachable, isOutdated: wasOutdated } = connection;
  if (probeTimer !== null) clearTimeout(probeTimer);
  probeTimer = null;
  connection = { isReachable: true, answeredAt: new Date(), isOutdated: isOutdated() };
  if (wasReachable && wasOutdated === connection.isOutdated) return;
  for (const watcher of watchers) watcher();
  if (wasReachable) return;
  for (const listener of recoveryListeners) listener();
}

function countRelease({ ok, headers }: Response): void {
  const release = headers.get('x-pages-release');
  areNamed ||= release !== null;
  // Releases before the header do not name themselves. An error without a name may come from a proxy.
  if (release === null && !(ok && areNamed)) return;
  own = release === RELEASE ? own + 1 : 0;
  others = release === RELEASE ? 0 : others + 1;
}

/** Reports that a request or connection got no response, or none for long. */
export function noteNoResponse(): void {
  probeTimer ??= setTimeout(() => void probe(), CONFIRM_MS);
}

/** Probes at once; true if the service responded. */
export async function probe(): Promise<boolean> {
  if (probeTimer !== null) clearTimeout(probeTimer);
  // Keeps other callers from starting a probe meanwhile.
  probeTimer = setTimeout(() => void probe(), PROBE_TIMEOUT_MS + PROBE_EVERY_MS);
  const response = await requestSession();
  if (response !== null) {
    noteResponse(response);
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

/** Null if the service does not respond. */
async function requestSession(): Promise<Response | null> {
  const base = location.pathname.startsWith('/console') ? '/console' : '/portal';
  try {
    const response = await fetch(`${base}/api/session`, {
      headers: { 'x-unattended': '1' },
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return isUnavailable(response.status) ? null : response;
  } catch {
    return null;
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

addEventListener('offline', noteNoResponse);
addEventListener('online', () => void probe());
