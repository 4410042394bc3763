// Cuts connections whose server has stopped answering: a paused one, or a route that drops everything, would hang its callers for ever.
//
// One look at all connections instead of the driver's timer for each statement: behind such a timer V8 takes what a statement answers
// for old, and keeps it until the next full collection. A long export then needs four times the memory.
import type pg from 'pg';

import { cut } from './connector.ts';

/** In the time that an answer may take. Who was stopped itself has missed one of them, and blames nobody for the rest. */
const LOOKS = 20;
/** In a process that ends within 30 s and has more to end than one statement. */
const LOOKS_AT_END = 8;

type Wait = { unanswered: number; looks: number };

const waits = new WeakMap<pg.ClientBase, Wait>();

export type AnswerWatch = {
  /** From now on an answer may take less than half as long. */
  wakeUp(): void;
};

/** From one answer of a connection to the next, while any is due; until the pool is closed. */
export function watchResponses(pool: pg.Pool, withinMs: number): AnswerWatch {
  let most = LOOKS;
  const watched = new Map<pg.PoolClient, Wait>();
  pool.on('connect', (client) => {
    const wait = { unanswered: 0, looks: 0 };
    watched.set(client, wait);
    waits.set(client, wait);
  });
  pool.on('remove', (client) => void watched.delete(client));
  const look = (): void => {
    if (pool.ended && watched.size === 0) clearInterval(timer);
    for (const [client, wait] of watched) {
      if (wait.unanswered === 0) continue;
      wait.looks += 1;
      if (wait.looks > most) cut(client, 'The connection has given no answer for too long.');
    }
  };
  const timer = setInterval(look, withinMs / LOOKS).unref();
  return {
    wakeUp() {
      most = LOOKS_AT_END;
    },
  };
}

/** Something was asked on a connection of a pool, which may be watched or not. */
export function asked(client: pg.ClientBase): void {
  const wait = waits.get(client);
  if (wait !== undefined) wait.unanswered += 1;
}

export function answered(client: pg.ClientBase): void {
  const wait = waits.get(client);
  if (wait === undefined) return;
  wait.unanswered -= 1;
  wait.looks = 0;
}
