// A clock that stands still until a test moves it.
import type { Clock } from '../../src/platform/clock.ts';

export type HandClock = Clock & {
  set(instant: string): void;
  advance(ms: number): void;
};

export function handClock(start: string): HandClock {
  let atMs = Date.parse(start);
  return {
    now: () => new Date(atMs),
    set: (instant) => void (atMs = Date.parse(instant)),
    advance: (ms) => void (atMs += ms),
  };
}
