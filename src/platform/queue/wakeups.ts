// Wakes workers when there is new work: at once within the process, and in other processes by batched NOTIFYs from one connection.
// Correctness never depends on it: a process also looks once a second for what is due, and every loop polls.
import type pg from 'pg';

import { cut, endClient } from '../database/connector.ts';
import type { Database } from '../database/database.ts';

export const TOPICS = ['routing', 'sending', 'callbacks'] as const;
export type Topic = (typeof TOPICS)[number];

export type Wakeups = {
  wake(topic: Topic): void;
  /** Wakes only the loops of this process. */
  wakeHere(topic: Topic): void;
  /** Returns the function that removes the listener. */
  on(topic: Topic, listener: () => void): () => void;
  close(): Promise<void>;
};

export type WakeupsOptions = {
  readonly database: Database;
  /** Whether other processes share the database; a single process does without the connection. */
  readonly acrossProcesses: boolean;
  readonly onFault: (error: unknown) => void;
  /** For tests. */
  readonly heartbeatMs?: number;
};

// A connection that only listens sends nothing, so without a heartbeat a dead one would not be noticed.
const HEARTBEAT_MS = 10_000;
// NOTIFY takes a lock that every commit waits for, so it is sent outside transactions: at once after a pause, and else at most this often,
// because workers that are busy look for more by themselves.
const NOTIFY_EVERY_MS = 50;
const RECONNECT_MS = 1000;
const CHANNEL = 'leadmarket_wakeup';

export function createWakeups(options: WakeupsOptions): Wakeups {
  const { database, acrossProcesses, onFault, heartbeatMs = HEARTBEAT_MS } = options;
  const listeners = new Map<Topic, Set<() => void>>();
  const pendingTopics = new Set<Topic>();
  let timer: NodeJS.Timeout | null = null;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let client: pg.Client | null = null;
  let reconnecting: NodeJS.Timeout | null = null;

  const notifyLocal = (topic: Topic): void => {
    for (const listener of listeners.get(topic) ?? []) listener();
  };

  const connect = async (): Promise<void> => {
    let fresh: pg.Client | null = null;
    try {
      const opened = await database.connect();
      fresh = opened;
      opened.on('error', (error) => lost(opened, error));
      opened.on('end', () => lost(opened, null));
      // A process also receives its own notifications; waking twice costs one empty round.
      opened.on('notification', (notification) => notifyLocal(notification.payload as Topic));
      await opened.query(`LISTEN ${CHANNEL}`);
      if (closed) await endClient(opened);
      else client = opened;
    } catch (error) {
      if (!closed) onFault(error);
      // A standby rejects LISTEN. The connection must be closed, or each attempt would leave one open.
      if (fresh !== null) await endClient(fresh);
      retryLater();
    }
  };

  const lost = (old: pg.Client, error: Error | null): void => {
    if (client !== old) return;
    client = null;
    if (error !== null) onFault(error);
    retryLater();
  };

  const retryLater = (): void => {
    if (closed || reconnecting !== null) return;
    reconnecting = setTimeout(() => {
      reconnecting = null;
      void connect();
    }, RECONNECT_MS);
    reconnecting.unref();
  };

  const notify = async (): Promise<void> => {
    const topics = [...pendingTopics];
    pendingTopics.clear();
    notifiedAt = performance.now();
    try {
      for (const topic of topics) await client?.query('SELECT pg_notify($1, $2)', [CHANNEL, topic]);
    } catch (error) {
      onFault(error);
    }
    // The timer starts after the responses, so that notifications do not pile up on a slow server.
    timer = pendingTopics.size === 0 || closed ? null : setTimeout(() => void notify(), NOTIFY_EVERY_MS);
  };

  const heartbeat = acrossProcesses ? setInterval(() => checkAlive(client, heartbeatMs), heartbeatMs).unref() : null;
  if (acrossProcesses) void connect();

  return {
    wakeHere: notifyLocal,
    wake(topic) {
      notifyLocal(topic);
      if (!acrossProcesses || closed) return;
      pendingTopics.add(topic);
      timer ??= setTimeout(() => void notify(), performance.now() - notifiedAt < NOTIFY_EVERY_MS ? NOTIFY_EVERY_MS : 0);
    },
    on(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => set.delete(listener);
    },
    async close() {
      closed = true;
      for (const running of [timer, reconnecting, heartbeat]) if (running !== null) clearTimeout(running);
      const last = client;
      client = null;
      if (last !== null) await endClient(last);
    },
  };
}

/** Cuts a connection that does not respond before the next heartbeat. */
function checkAlive(client: pg.Client | null, withinMs: number): void {
  if (client === null) return;
  const timeout = setTimeout(() => cut(client), withinMs).unref();
  const done = (): void => clearTimeout(timeout);
  client.query('SELECT 1').then(done, done);
}
