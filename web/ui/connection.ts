// Whether the service answers, as the pages of this window know it. One request without an answer raises a doubt; a second look confirms
// it, and goes on until the service is back.
import { useSyncExternalStore } from 'react';

/** Long enough for a restart that loses one request, short enough to be told of an outage soon. */
const CONFIRM_MS = 1000;
const LOOK_EVERY_MS = 3000;
/** A service that takes longer than this for who is signed in does not answer. */
const PATIENCE_MS = 8000;
/** What a proxy answers for a service that is away, and the service itself without its database. */
const AWAY = new Set([502, 503, 504]);

export type Connection = {
  readonly isReachable: boolean;
  /** When the service last answered. */
  readonly answeredAt: Date;
};

let connection: Connection = { isReachable: true, answeredAt: new Date() };
let look: ReturnType<typeof setTimeout> | null = null;
const watchers = new Set<() => void>();
const returns = new Set<() => void>();

export function useConnection(): Connection {
  return useSyncExternalStore(watch, () => connection);
}

/** Called each time the service is back after an outage. Answers how to stop that. */
export function whenBack(listener: () => void): () => void {
  returns.add(listener);
  return () => void returns.delete(listener);
}

export function isAway(status: number): boolean {
  return AWAY.has(status);
}

export function noteResponse(): void {
  const wasReachable = connection.isReachable;
  if (look !== null) clearTimeout(look);
  look = null;
  connection = { isReachable: true, answeredAt: new Date() };
  if (wasReachable) return;
  for (const watcher of watchers) watcher();
  for (const listener of returns) listener();
}

/** Of a request or a connection that got no answer. */
export function noteSilence(): void {
  look ??= setTimeout(() => void lookAgain(), CONFIRM_MS);
}

/** Asks at once; true if the service answered. */
export async function lookAgain(): Promise<boolean> {
  if (look !== null) clearTimeout(look);
  // Nobody else begins to look meanwhile.
  look = setTimeout(() => void lookAgain(), PATIENCE_MS + LOOK_EVERY_MS);
  if (await responses()) {
    noteResponse();
    return true;
  }
  clearTimeout(look);
  look = setTimeout(() => void lookAgain(), LOOK_EVERY_MS);
  if (connection.isReachable) {
    connection = { ...connection, isReachable: false };
    for (const watcher of watchers) watcher();
  }
  return false;
}

async function responses(): Promise<boolean> {
  const base = location.pathname.startsWith('/console') ? '/console' : '/portal';
  try {
    const { status } = await fetch(`${base}/api/session`, {
      headers: { 'x-unattended': '1' },
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return !isAway(status);
  } catch {
    return false;
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

addEventListener('offline', noteSilence);
addEventListener('online', () => void lookAgain());
