// Keeps the rows of a list still while it is read: rows that arrive meanwhile are only counted until they are asked for.
import { useState } from 'react';

import { holdRows, joinedKeys, type KeyOf } from './held-rows.ts';

type Shown<Row> = {
  readonly at: string;
  readonly incoming: readonly Row[];
  readonly isHeld: boolean;
  readonly rows: readonly Row[];
  readonly waiting: readonly string[];
  readonly joined: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

/** `at` identifies the list: of another one all rows are shown as they come. */
export function useHeldRows<Row>({
  incoming,
  keyOf,
  at,
  isHeld,
  isStale,
}: {
  readonly incoming: readonly Row[];
  readonly keyOf: KeyOf<Row>;
  readonly at: string;
  readonly isHeld: boolean;
  /** `incoming` are still the rows of the list before. */
  readonly isStale: boolean;
}): Pick<Shown<Row>, 'rows' | 'waiting' | 'joined'> & { readonly showAll: () => void } {
  const [shown, setShown] = useState<Shown<Row>>(() => fresh(at, incoming, isHeld));
  let current = shown;
  if (!isStale && (shown.at !== at || shown.incoming !== incoming || shown.isHeld !== isHeld)) {
    current = shown.at === at ? next(shown, incoming, isHeld, keyOf) : fresh(at, incoming, isHeld);
    setShown(current);
  }
  const { rows, waiting, joined } = current;
  return {
    rows,
    waiting,
    joined,
    showAll: () => setShown({ ...next(current, incoming, false, keyOf), isHeld }),
  };
}

function fresh<Row>(at: string, incoming: readonly Row[], isHeld: boolean): Shown<Row> {
  return { at, incoming, isHeld, rows: incoming, waiting: [], joined: NONE };
}

function next<Row>(shown: Shown<Row>, incoming: readonly Row[], isHeld: boolean, keyOf: KeyOf<Row>): Shown<Row> {
  if (isHeld && shown.rows.length > 0) return { ...shown, incoming, isHeld, ...holdRows(shown.rows, incoming, keyOf) };
  const joined = joinedKeys(shown.rows, incoming, keyOf);
  // The marks of the newest rows stay until others join.
  return {
    ...shown,
    incoming,
    isHeld,
    rows: incoming,
    waiting: [],
    joined: joined.length === 0 ? shown.joined : new Set(joined),
  };
}
