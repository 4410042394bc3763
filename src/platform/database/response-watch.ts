// Cuts connections whose server has stopped responding: a paused server, or a route that drops all packets, would hang its callers forever.
//
// One timer checks all connections instead of the driver's timer per statement: with such a timer V8 treats the results of a statement as
// old, and keeps them until the next full collection. A long export then needs four times the memory.
import type pg from 'pg';

import { cut } from './connector.ts';

/** Checks within the time that a response may take. Many short ones, so that a pause of this process itself counts as one check only. */
const CHECKS = 20;
/** While the process stops, which has to end within 30 s. */
const CHECKS_AT_END = 8;

type Wait = { pending: number; checks: number };

const waits = new WeakMap<pg.ClientBase, Wait>();

export type ResponseWatch = {
  /** Shortens the limit to less than half, for a process that stops. */
  shorten(): void;
};

/** Measures from one response of a connection to the next while any is pending, until the pool is closed. */
export function watchResponses(pool: pg.Pool, withinMs: number): ResponseWatch {
  let most = CHECKS;
  const watched = new Map<pg.PoolClient, Wait>();
  pool.on('connect', (client) => {
    const wait = { pending: 0, checks: 0 };
    watched.set(client, wait);
    waits.set(client, wait);
  });
  pool.on('remove', (client) => void watched.delete(client));
  const check = (): void => {
    if (pool.ended && watched.size === 0) clearInterval(timer);
    for (const [client, wait] of watched) {
      if (wait.pending === 0) continue;
      wait.checks += 1;
      if (wait.checks > most) cut(client, 'The connection has had no response for too long.');
    }
  };
  const timer = setInterval(check, withinMs / CHECKS).unref();
  return {
    shorten() {
      most = CHECKS_AT_END;
    },
  };
}

/** Records that a statement was sent; the connection may be unwatched. */
export function noteSent(client: pg.ClientBase): void {
  const wait = waits.get(client);
  if (wait !== undefined) wait.pending += 1;
}

export function noteResponse(client: pg.ClientBase): void {
  const wait = waits.get(client);
  if (wait === undefined) return;
  wait.pending -= 1;
  wait.checks = 0;
}
