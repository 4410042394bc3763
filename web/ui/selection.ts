// Which rows of a list are selected.
import { useState } from 'react';

export type Selection = {
  readonly size: number;
  readonly has: (key: string) => boolean;
  /** With `range`, all rows between this and the one that was changed last follow it. */
  readonly toggle: (key: string, range: readonly string[] | null) => void;
  readonly setAll: (keys: readonly string[], isSelected: boolean) => void;
  /** Drops all others: their rows have left the list. */
  readonly keep: (keys: readonly string[]) => void;
};

type State = { readonly at: string; readonly keys: ReadonlySet<string>; readonly last: string | null };

/** `at` identifies the list; the selection ends with another one. */
export function useSelection(at: string): Selection {
  const [kept, setKept] = useState<State>({ at, keys: new Set(), last: null });
  const { keys, last } = kept.at === at ? kept : { keys: new Set<string>(), last: null };
  return {
    size: keys.size,
    has: (key) => keys.has(key),
    toggle: (key, range) => {
      const changed = range === null || last === null ? [key] : between(range, last, key);
      setKept({ at, keys: withKeys(keys, changed, !keys.has(key)), last: key });
    },
    setAll: (changed, isSelected) => setKept({ at, keys: withKeys(keys, changed, isSelected), last: null }),
    keep: (shown) => {
      const left = new Set(shown.filter((key) => keys.has(key)));
      if (left.size < keys.size) setKept({ at, keys: left, last });
    },
  };
}

function withKeys(keys: ReadonlySet<string>, changed: readonly string[], isSelected: boolean): ReadonlySet<string> {
  if (isSelected) return new Set([...keys, ...changed]);
  const gone = new Set(changed);
  return new Set([...keys].filter((key) => !gone.has(key)));
}

/** Both ends included; the key alone if the other end has left. */
function between(keys: readonly string[], one: string, other: string): readonly string[] {
  const [from, to] = [keys.indexOf(one), keys.indexOf(other)].toSorted((left, right) => left - right);
  return from === undefined || to === undefined || from === -1 ? [other] : keys.slice(from, to + 1);
}
