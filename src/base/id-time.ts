// Where a moment stands among ids: they begin with the time, so that a walk over them is a walk through time (contract 1.3).
import type { Uuid } from './ids.ts';

/** Before every other one. */
export const FIRST_ID: Uuid = '00000000-0000-0000-0000-000000000000';

/** Behind every other one. */
export const LAST_ID: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** No id made before this millisecond comes after it, and none made in it or later comes before. */
export function firstIdOf(at: Date): Uuid {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** When an id was made, to the millisecond. */
export function timeOfId(id: Uuid): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** Over rows in the order of their ids: from behind one of them, up to a moment, so many of them. */
export type Walk = { readonly after: Uuid | null; readonly before: Date; readonly atOnce: number };
/** `last` is the row that was come to; null where there was none. */
export type Walked = { readonly last: Uuid | null; readonly changed: number };
