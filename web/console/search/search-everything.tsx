// The search over everything in the header: a button, and Ctrl+K or Cmd+K on every page. The dialog is loaded when it is first opened.
import { ActionIcon, Button, Kbd } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';

import { lazyPart } from '../../ui/lazy-part.tsx';
import type { Match } from './matches.ts';

const SearchDialog = lazyPart(async () => (await import('./search-dialog.tsx')).SearchDialog);

/** Opened matches that the dialog offers again. They may be leads of persons, so only this page remembers them. */
const RECENT = 5;

export function SearchEverything({
  pages,
}: {
  readonly pages: ReadonlyArray<{ readonly to: string; readonly label: string }>;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [recent, setRecent] = useState<readonly Match[]>([]);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut || event.altKey || event.shiftKey || event.defaultPrevented) return;
    event.preventDefault();
    if (!isDialogOpen()) setOpen(true);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const noteOpened = (match: Match): void => {
    setRecent((known) => [match, ...known.filter(({ id }) => id !== match.id)].slice(0, RECENT));
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        fz="sm"
        fw={500}
        visibleFrom="sm"
        leftSection={<MagnifyingGlassIcon aria-hidden="true" />}
        rightSection={
          <Kbd size="xs" aria-hidden="true" visibleFrom="md">
            {IS_APPLE ? '⌘K' : 'Ctrl K'}
          </Kbd>
        }
        aria-keyshortcuts={IS_APPLE ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Search
      </Button>
      <ActionIcon
        variant="default"
        size={36}
        hiddenFrom="sm"
        aria-label="Search"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <MagnifyingGlassIcon aria-hidden="true" />
      </ActionIcon>
      {isOpen && <SearchDialog pages={pages} recent={recent} onOpened={noteOpened} onClose={() => setOpen(false)} />}
    </>
  );
}

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

function isDialogOpen(): boolean {
  return [...document.querySelectorAll('[role="dialog"]')].some((element) => element.checkVisibility());
}
