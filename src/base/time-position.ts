// A position in a list ordered by time and id, and its text form, which is the cursor of the next page.
import { type IdKind, type Uuid, uuidOf } from './ids.ts';
import { FIRST_ID, LAST_ID } from './id-time.ts';

/** In milliseconds, like every time that the service stores. */
export type TimePosition = { readonly at: Date; readonly id: Uuid };

/** The start of every list that begins with its newest row. */
export const NEWEST: TimePosition = {
  // The latest time of four-digit years, which JavaScript and the database both support.
  at: new Date('9999-12-31T23:59:59.999Z'),
  id: LAST_ID,
};

/** The same with its oldest row. */
export const OLDEST: TimePosition = { at: new Date(0), id: FIRST_ID };

/** `id` is the TypeID. */
export function positionText(at: Date, id: string): string {
  return `${at.getTime()}.${id}`;
}

/** Null for any other text, and for ids of other kinds. */
export function positionOf(kinds: readonly IdKind[], text: string): TimePosition | null {
  const [, ms, id = ''] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  const uuid = kinds.map((kind) => uuidOf(kind, id)).find((found) => found !== null);
  return ms === undefined || uuid === undefined ? null : { at: new Date(Number(ms)), id: uuid };
}
