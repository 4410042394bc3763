// Opens a table's row: follows the first link in its header cell, so that a click anywhere in the row does what the link does.
import type { KeyboardEvent as PressEvent, MouseEvent as ClickEvent } from 'react';

type Modifiers = Pick<ClickEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** Elements with an action of their own. */
const INTERACTIVE = 'a, button, input, label, select, textarea, summary, [role="button"], [role="menuitem"]';

export function openClickedRow(event: ClickEvent<HTMLElement>): void {
  const { currentTarget, target } = event;
  // Clicks in a dialog that a cell opened arrive here as well.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest(INTERACTIVE) !== null || getSelection()?.type === 'Range') return;
  const checkbox = target.closest('td[data-select]')?.querySelector('input');
  if (checkbox === null || checkbox === undefined) follow(currentTarget, event);
  else checkbox.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: event.shiftKey }));
}

export function openFocusedRow(event: PressEvent<HTMLElement>): void {
  if (event.key === 'Enter' && event.target === event.currentTarget) follow(event.currentTarget, event);
}

function follow(row: HTMLElement, { ctrlKey, metaKey, shiftKey }: Modifiers): void {
  row
    .querySelector('th[scope="row"] a[href]')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
