// The place of the saved views in the toolbar of their list. The bar of filters, which knows the views, and the list are siblings on every page:
// the menu stands among the list's buttons, or in the bar until the list is loaded.
import { useCallback, useSyncExternalStore } from 'react';

const slots = new Map<string, HTMLElement>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The element for the views of a list; null while there is no toolbar. */
export function useViewsSlot(list: string): HTMLElement | null {
  return useSyncExternalStore(subscribe, () => slots.get(list) ?? null);
}

/** The ref of the element that the toolbar of a list offers. */
export function useOfferViewsSlot(list: string): (element: HTMLElement | null) => void {
  return useCallback(
    (element) => {
      if (element === null) slots.delete(list);
      else slots.set(list, element);
      for (const listener of listeners) listener();
    },
    [list],
  );
}
