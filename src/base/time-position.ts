// A position in a list that is ordered by a time and then by id, and the text of it that is handed back for the next page.
import { type IdKind, type Uuid, uuidOf } from './ids.ts';
import { LAST_ID } from './id-time.ts';

/** To the millisecond, like every time that the service writes down. */
export type TimePosition = { readonly at: Date; readonly id: Uuid };

/** Before the newest row of every list. */
export const NEWEST: TimePosition = {
  // The latest time that JavaScript and the database both have.
  at: new Date('9999-12-31T23:59:59.999Z'),
  id: LAST_ID,
};

/** `id` is the TypeID. */
export function positionText(at: Date, id: string): string {
  return `${at.getTime()}.${id}`;
}

/** Null for every text that is no position of an id of these kinds. */
export function positionOf(kinds: readonly IdKind[], text: string): TimePosition | null {
  const [, ms, id = ''] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  const uuid = kinds.map((kind) => uuidOf(kind, id)).find((found) => found !== null);
  return ms === undefined || uuid === undefined ? null : { at: new Date(Number(ms)), id: uuid };
}
