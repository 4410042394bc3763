// A clock that stands still until a test moves it.
import type { Clock } from '../../src/platform/clock.ts';

export type HandClock = Clock & {
  set(instant: string): void;
  advance(ms: number): void;
  /** Called after each move; returns the function that ends it. */
  onMove(listener: () => void): () => void;
};

export function handClock(start: string): HandClock {
  let atMs = Date.parse(start);
  const listeners = new Set<() => void>();
  const move = (toMs: number): void => {
    atMs = toMs;
    for (const listener of listeners) listener();
  };
  return {
    now: () => new Date(atMs),
    set: (instant) => move(Date.parse(instant)),
    advance: (ms) => move(atMs + ms),
    onMove(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
