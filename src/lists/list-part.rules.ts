// Reads the rows of a part of a list, and brings its entries into the form that is written (contract 15.4).
import { parseRfc3339 } from '../base/rfc3339.ts';
import { DAY_MS, startOfUtcDay } from '../base/time.ts';
import type { NewEntry } from './list.ts';

/** Each value once, with its latest expiry, by rising hash: rows that are neighbours in the index are written together. */
export function distinctEntries(entries: readonly NewEntry[]): NewEntry[] {
  const latest = new Map<string, NewEntry>();
  for (const entry of entries) {
    const known = latest.get(entry.hash);
    if (known === undefined || isLater(entry.expiresAt, known.expiresAt)) latest.set(entry.hash, entry);
  }
  const order = BigInt64Array.from([...latest.keys()], (hash) => BigInt(hash)).toSorted();
  return Array.from(order, (hash) => latest.get(hash.toString())).filter((entry) => entry !== undefined);
}

/** Null is never, the latest of all. */
function isLater(one: Date | null, other: Date | null): boolean {
  return other !== null && (one === null || one > other);
}

/** A time such as 2026-11-20T15:04:05Z, or a day, at whose end in UTC the entry expires. Null for other text. */
export function readExpiry(text: string): Date | null {
  const day = startOfUtcDay(text);
  if (day !== null) return new Date(day.getTime() + DAY_MS);
  const at = parseRfc3339(text);
  return at === null ? null : new Date(at);
}
