// The event queue of a simulation: runs events in the order of time, and events of one instant in the order of insertion.
import TinyQueue from 'tinyqueue';

export type EventQueue = {
  add(at: number, act: () => void): void;
  /** Runs all events up to and including this instant, also those added meanwhile. */
  runUntil(at: number): void;
};

type Event = { readonly at: number; readonly serial: number; readonly act: () => void };

export function createEventQueue(): EventQueue {
  const events = new TinyQueue<Event>([], (one, other) => one.at - other.at || one.serial - other.serial);
  let added = 0;
  return {
    add(at, act) {
      events.push({ at, serial: ++added, act });
    },
    runUntil(at) {
      for (let next = events.peek(); next !== undefined && next.at <= at; next = events.peek()) {
        events.pop();
        next.act();
      }
    },
  };
}
