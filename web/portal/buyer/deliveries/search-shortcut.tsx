// The `/` shortcut that focuses the search. It can be turned off, because speech input triggers single-key shortcuts by accident
// (WCAG 2.1.4).
import { Kbd, UnstyledButton } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';

const STORED = 'lm-search-key';

export type SearchShortcut = { readonly isOn: boolean; readonly turn: (isOn: boolean) => void };

export function useSearchShortcut(input: RefObject<HTMLInputElement | null>): SearchShortcut {
  const [isOn, setOn] = useState(() => localStorage.getItem(STORED) !== 'off');
  useEffect(() => {
    if (!isOn) return undefined;
    const focusSearch = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', focusSearch);
    return () => document.removeEventListener('keydown', focusSearch);
  }, [isOn, input]);
  const turn = (next: boolean): void => {
    localStorage.setItem(STORED, next ? 'on' : 'off');
    setOn(next);
  };
  return { isOn, turn };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="listbox"]') !== null)
  );
}

export function SearchShortcutNote({ shortcut: { isOn, turn } }: { readonly shortcut: SearchShortcut }): ReactNode {
  return (
    <>
      {isOn ? (
        <>
          Press <Kbd size="xs">/</Kbd> to search.
        </>
      ) : (
        'The / shortcut is off.'
      )}{' '}
      <UnstyledButton fz="inherit" td="underline" c="inherit" onClick={() => turn(!isOn)}>
        {isOn ? 'Disable shortcut' : 'Enable shortcut'}
      </UnstyledButton>
    </>
  );
}
