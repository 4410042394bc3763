// What each offer has sold in its windows. Slots are taken under the row's lock, so a cap cannot be oversold by any number of
// workers, and are given back when a delivery fails (contract 4.5).
import { int8Array, textArray, timestamptzArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { addToCounters, lockCountersSql, makeCountersSql, selectCounters, selectSlots } from './cap.sql.ts';
import type { CounterWindow, CounterKey, Counter } from './counter.ts';

export type CounterChange = CounterKey & { readonly slots: number; readonly cents: number };

/** A counter of a known offer, as it is kept with the delivery that took a place in it. */
export type CapSlot = { readonly window: CounterWindow; /** Milliseconds. */ readonly startsAt: number };

/** One text per counter, for maps. */
export function counterName(key: CounterKey): string {
  return `${key.offerKey} ${key.window} ${key.startsAt.getTime()}`;
}

/** What stands in the counters now, without a lock; a counter that nobody has used yet is left out. */
export async function readCounters(tx: Tx, keys: readonly CounterKey[]): Promise<Counter[]> {
  return keys.length === 0 ? [] : tx.query(selectCounters, columns(keys));
}

/** Which slots of these offers are taken, from `since` on, and how often. */
export async function readSlots(
  tx: Tx,
  offerKeys: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const slots = new Map<string, Map<number, number>>();
  if (offerKeys.length === 0) return slots;
  for (const { offerKey, startsAt, used } of await tx.query(selectSlots, { offerKeys, since })) {
    slots.set(offerKey, (slots.get(offerKey) ?? new Map<number, number>()).set(startsAt.getTime(), used));
  }
  return slots;
}

/**
 * Makes missing counters and locks all in one order until the transaction ends: windows before slots. Whoever holds the windows of an
 * offer is then the only one who makes slots of it, and waits for nobody.
 */
export async function lockCounters(tx: Tx, keys: readonly CounterKey[]): Promise<Counter[]> {
  const windows = keys.filter(({ window }) => window !== 'slot');
  const slots = keys.filter(({ window }) => window === 'slot');
  return [...(await lockAll(tx, windows)), ...(await lockAll(tx, slots))];
}

async function lockAll(tx: Tx, keys: readonly CounterKey[]): Promise<Counter[]> {
  if (keys.length === 0) return [];
  // Before the locks: whoever made one while holding others could wait in a circle with somebody who does the same.
  if ((await readCounters(tx, keys)).length < keys.length) await makeCounters(tx, keys);
  return tx.query(lockCountersSql, columns(keys));
}

/** Makes those that are missing, with nothing used. */
export async function makeCounters(tx: Tx, keys: readonly CounterKey[]): Promise<void> {
  if (keys.length > 0) await tx.query(makeCountersSql, columns(keys));
}

/** Adds slots and cents (negative gives back). The caller holds the locks, or changes one offer's counters in key order. */
export async function addToCounterUse(tx: Tx, changes: readonly CounterChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(addToCounters, {
    ...columns(changes),
    slots: int8Array(changes.map((change) => change.slots)),
    cents: int8Array(changes.map((change) => change.cents)),
  });
}

function columns(keys: readonly CounterKey[]): { offerKeys: Buffer; capWindows: Buffer; startTimes: Buffer } {
  return {
    offerKeys: textArray(keys.map((key) => key.offerKey)),
    capWindows: textArray(keys.map((key) => key.window)),
    startTimes: timestamptzArray(keys.map((key) => key.startsAt)),
  };
}
