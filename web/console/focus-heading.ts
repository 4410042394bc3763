// Moves the focus to the page's heading when the focused element is gone.
import { useEffect, useRef } from 'react';

export function focusHeading(): void {
  document.querySelector<HTMLElement>('h1')?.focus();
}

/** For pages whose content depends on a query parameter. Does nothing on the first load. */
export function useFocusOnChange(shown: string): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown) focusHeading();
    before.current = shown;
  }, [shown]);
}
