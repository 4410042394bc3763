// Where the focus goes when what had it is gone: to the heading of the page.
import { useEffect, useRef } from 'react';

export function focusHeading(): void {
  document.querySelector<HTMLElement>('h1')?.focus();
}

/** For pages that are one thing or another by what stands in the query of their address. Not at the first load. */
export function useFocusOnChange(shown: string): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown) focusHeading();
    before.current = shown;
  }, [shown]);
}
