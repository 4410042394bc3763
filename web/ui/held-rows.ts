// Decides which rows a list shows while it is read, which ones wait, and which ones are new. Pure.

type HeldRows<Row> = {
  readonly rows: readonly Row[];
  /** Keys of the rows that arrived and are not shown. */
  readonly waiting: readonly string[];
};

export type KeyOf<Row> = (row: Row) => string;

/**
 * The rows to show while a list is held. Shown rows are updated in place. A shown row that is missing from `incoming` leaves if it was deleted
 * or no longer matches, and stays if rows above have merely pushed it to the next page. Rows that follow the last shown one are shown: they
 * move nothing.
 */
export function holdRows<Row>(shown: readonly Row[], incoming: readonly Row[], keyOf: KeyOf<Row>): HeldRows<Row> {
  if (shown.length === 0 || incoming.length === 0) return { rows: incoming, waiting: [] };
  const updates = new Map(incoming.map((row) => [keyOf(row), row]));
  const known = new Set(shown.map(keyOf));
  const lastCommon = shown.findLastIndex((row) => updates.has(keyOf(row)));
  const end = incoming.findLastIndex((row) => known.has(keyOf(row)));
  // Without a common row all rows of the page are new.
  const waiting = incoming
    .slice(0, end === -1 ? incoming.length : end)
    .map(keyOf)
    .filter((key) => !known.has(key));
  const kept = shown.slice(0, lastCommon + 1).flatMap((row) => updates.get(keyOf(row)) ?? []);
  const pushedOff = shown.slice(lastCommon + 1, lastCommon + 1 + waiting.length);
  const room = pushedOff.length > 0 || end === -1 ? 0 : Math.max(shown.length, incoming.length) - kept.length;
  return { rows: [...kept, ...pushedOff, ...incoming.slice(end + 1).slice(0, room)], waiting };
}

/** The keys of rows that joined the list above one that was shown before. A row that moves up from the next page is not new. */
export function joinedKeys<Row>(before: readonly Row[], after: readonly Row[], keyOf: KeyOf<Row>): readonly string[] {
  const known = new Set(before.map(keyOf));
  const end = after.findLastIndex((row) => known.has(keyOf(row)));
  return after
    .slice(0, end === -1 ? after.length : end)
    .map(keyOf)
    .filter((key) => !known.has(key));
}
