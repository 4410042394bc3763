// The keys of all lists: J and K or the arrows move between rows, X selects a row, Enter opens it, / goes to the search.
import { useKeys, useShortcutSetting } from './shortcuts.ts';

const STEPS: Readonly<Record<string, 1 | -1>> = { j: 1, arrowdown: 1, k: -1, arrowup: -1 };

export function useListKeys(): void {
  const [isOn] = useShortcutSetting();
  useKeys(act, isOn);
}

function act(key: string): boolean {
  if (key === '/') return focusSearch();
  const row = document.activeElement?.closest<HTMLElement>('[data-list] tbody tr') ?? null;
  const step = STEPS[key];
  if (step !== undefined) {
    // Outside of a list the arrows scroll the page.
    if (key.startsWith('arrow') && document.activeElement?.closest('[data-list]') === null) return false;
    return moveFocus(row, step);
  }
  const checkbox = key === 'x' ? row?.querySelector<HTMLElement>('td[data-select] input') : null;
  checkbox?.click();
  return checkbox !== null && checkbox !== undefined;
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

function moveFocus(row: HTMLElement | null, step: 1 | -1): boolean {
  const next =
    row === null
      ? document.querySelector<HTMLElement>('main [data-list] tbody tr')
      : step === 1
        ? row.nextElementSibling
        : row.previousElementSibling;
  if (!(next instanceof HTMLElement)) return row !== null;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}
