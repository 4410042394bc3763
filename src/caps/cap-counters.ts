// Cap counters: sales per offer and window. Capacity is taken under a row lock, so that concurrent workers cannot exceed a cap, and is released
// when a delivery fails (contract 4.5).
import { int8Array, textArray, timestamptzArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  addToCounters,
  lockCountersSql,
  insertCountersSql,
  selectCounters,
  selectSlots,
  purgeCountersSql,
} from './cap.sql.ts';
import type { CounterWindow, CounterKey, Counter } from './counter.ts';

export type CounterChange = CounterKey & { readonly slots: number; readonly cents: number };

/** A counter without its offer, as stored with the delivery that it counts. */
export type CapSlot = { readonly window: CounterWindow; /** Milliseconds. */ readonly startsAt: number };

/** A key for maps, unique per counter. */
export function counterName(key: CounterKey): string {
  return `${key.offerKey} ${key.window} ${key.startsAt.getTime()}`;
}

/** Current values, without a lock and without counters that do not exist yet. */
export async function readCounters(tx: Tx, keys: readonly CounterKey[]): Promise<Counter[]> {
  return keys.length === 0 ? [] : tx.query(selectCounters, columns(keys));
}

/** Usage of appointment slots of these offers from `since` on: by offer, then by start in milliseconds. */
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
 * Inserts missing counters and locks all of them in a fixed order until the transaction ends: windows before slots. The holder of an offer's
 * windows is then the only one to insert its slots, and never waits for them.
 */
export async function lockCounters(tx: Tx, keys: readonly CounterKey[]): Promise<Counter[]> {
  const windows = keys.filter(({ window }) => window !== 'slot');
  const slots = keys.filter(({ window }) => window === 'slot');
  return [...(await lockAll(tx, windows)), ...(await lockAll(tx, slots))];
}

async function lockAll(tx: Tx, keys: readonly CounterKey[]): Promise<Counter[]> {
  if (keys.length === 0) return [];
  // Inserted before locking, because inserting while holding locks could deadlock. A counter that exists costs one look into the index.
  const [, counters] = await Promise.all([insertCounters(tx, keys), tx.query(lockCountersSql, columns(keys))]);
  return counters;
}

/** Inserts missing counters with value 0. */
export async function insertCounters(tx: Tx, keys: readonly CounterKey[]): Promise<void> {
  if (keys.length > 0) await tx.query(insertCountersSql, columns(keys));
}

/** Adds slots and cents; negative values release. The caller holds the locks, or changes the counters of one offer in key order. */
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

/**
 * Deletes counters of windows that began before `before` (decision 021), except those in `keep`, which may still be released: a new counter
 * would become negative. Returns the number deleted.
 */
export async function purgeCounters(
  tx: Tx,
  { before, keep, atOnce }: { readonly before: Date; readonly keep: readonly CounterKey[]; readonly atOnce: number },
): Promise<number> {
  const [row] = await tx.query(purgeCountersSql, {
    before,
    offerKeys: textArray(keep.map(({ offerKey }) => offerKey)),
    capWindows: textArray(keep.map(({ window }) => window)),
    startTimes: timestamptzArray(keep.map(({ startsAt }) => startsAt)),
    atOnce,
  });
  return row?.purged ?? 0;
}
