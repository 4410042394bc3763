// The checkboxes that select a list's rows: one for each row, and one for all rows of the page.
import { type ReactNode, useEffect, useId, useRef } from 'react';

import type { Selection } from './selection.ts';

export function RowCheckbox({
  rowKey,
  labelledBy,
  keys,
  selection,
}: {
  readonly rowKey: string;
  /** The id of the row's header cell. */
  readonly labelledBy: string;
  /** All rows, in order. */
  readonly keys: () => readonly string[];
  readonly selection: Selection;
}): ReactNode {
  const id = useId();
  return (
    <input
      type="checkbox"
      className="lm-check"
      id={id}
      aria-label="Select"
      aria-labelledby={`${id} ${labelledBy}`}
      checked={selection.has(rowKey)}
      onChange={({ nativeEvent }) =>
        selection.toggle(rowKey, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey ? keys() : null)
      }
    />
  );
}

export function SelectAll({
  keys,
  selection,
}: {
  readonly keys: readonly string[];
  readonly selection: Selection;
}): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const isAll = selection.size === keys.length;
  const isSome = selection.size > 0 && !isAll;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <input
      ref={box}
      type="checkbox"
      className="lm-check"
      aria-label="Select all rows on this page"
      checked={isAll}
      onChange={() => selection.setAll(keys, !isAll)}
    />
  );
}
