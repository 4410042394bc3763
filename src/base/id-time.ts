// Converts between times and ids: ids begin with their time, so that their order is the order of creation (contract 1.3).
import { newUuid, type NewId, type Uuid } from './ids.ts';

/** Sorts before every other id. */
export const FIRST_ID: Uuid = '00000000-0000-0000-0000-000000000000';

/** Sorts after every other id. */
export const LAST_ID: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Sorts after all ids made before this millisecond, and before all ids made in it or later. */
export function firstIdOf(at: Date): Uuid {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The time at which an id was made, in milliseconds. */
export function timeOfId(id: Uuid): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** A new id as if made then, for what is written into the past. Ids of the same millisecond are in the order in which they are made. */
export function newUuidAt(at: Date): NewId {
  const timePart = firstIdOf(at).slice(0, '00000000-0000'.length);
  return `${timePart}${newUuid().slice(timePart.length)}` as NewId;
}

/** A slice of rows in the order of their ids: after one id, created before a time, at most `atOnce`. */
export type Walk = { readonly after: Uuid | null; readonly before: Date; readonly atOnce: number };
/** `last` is the last row of the slice; null for an empty one. */
export type Walked = { readonly last: Uuid | null; readonly changed: number };
