// The dialog of the search over everything: a combobox whose options are pages, leads, partners, suppliers, offers, claims and invoices.
import { Box, Group, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

import type { Matches } from '../../../src/console/search.schema.ts';
import { count } from '../../ui/formats.ts';
import { Failure } from '../../ui/states.tsx';
import { request } from '../console-api.ts';
import { EACH_KIND_MAX, foundMatches, groupByKind, isCut, type Match, pageMatches } from './matches.ts';

/** Longer than between two keys, short enough not to be noticed. */
const PAUSE_MS = 250;
/** One letter would find a little of everything. */
const SHORTEST = 2;

const NOTES: Readonly<Record<NonNullable<Matches['note']>, string>> = {
  too_short: 'Type more to find leads by phone, email or name.',
  too_many: 'There are more leads like this. Type more to narrow them down.',
  ids_only: 'Your role does not include personal data: leads are searched by id and reference only.',
};

export function SearchDialog({
  pages,
  recent,
  onOpened,
  onClose,
}: {
  readonly pages: ReadonlyArray<{ readonly to: string; readonly label: string }>;
  readonly recent: readonly Match[];
  readonly onOpened: (match: Match) => void;
  readonly onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const found = useFound(text.trim());
  const known = text.trim() === '' ? recent.map((match): Match => ({ ...match, kind: 'Recent' })) : [];
  const matches = [
    ...known,
    ...pageMatches(pages, text).filter(({ id }) => known.every((one) => one.id !== id)),
    ...(found.data === undefined || text.trim().length < SHORTEST ? [] : foundMatches(found.data)),
  ];
  const open = (match: Match): void => {
    // What was found for an earlier text must not be opened for this one.
    if (found.isStale && match.kind !== 'Pages') return;
    onOpened(match);
    onClose();
    void navigate({ to: match.to, params: match.params ?? {}, search: match.search ?? {} });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined && matches.length > 0) {
      const next = (active + step + matches.length) % matches.length;
      setActive(next);
      document.getElementById(optionId(listId, next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      const match = matches[active];
      if (match !== undefined) open(match);
    } else return;
    event.preventDefault();
  };
  return (
    <Modal opened onClose={onClose} title="Search" size="lg" yOffset="8vh">
      <TextInput
        data-autofocus
        type="search"
        role="combobox"
        aria-label="Search leads, partners, suppliers, offers, claims, invoices and pages"
        aria-autocomplete="list"
        aria-expanded={matches.length > 0}
        aria-controls={listId}
        aria-activedescendant={matches.length > 0 ? optionId(listId, active) : undefined}
        placeholder="Lead, partner, claim, invoice or page"
        leftSection={<MagnifyingGlassIcon aria-hidden="true" />}
        autoComplete="off"
        maxLength={200}
        size="md"
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Text size="sm" c="dimmed" role="status" py="xs">
        {found.error === null
          ? statusText({
              ...{ text: text.trim(), shown: matches.length, isStale: found.isStale, note: found.data?.note },
              isCut: found.data !== undefined && isCut(found.data),
            })
          : ''}
      </Text>
      {found.error !== null && <Failure error={found.error} onRetry={found.retry} />}
      <Box id={listId} role="listbox" aria-label="Results" mih={44}>
        <Groups matches={matches} active={active} listId={listId} onPoint={setActive} onOpen={open} />
      </Box>
    </Modal>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** What the service finds for the text after a pause in typing; a newer text aborts the request. */
function useFound(text: string) {
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const query = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => request('GET /console/api/search', { search: settled, signal }),
    enabled: settled.length >= SHORTEST,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const isWanted = text.length >= SHORTEST;
  return {
    data: query.data,
    isStale: isWanted && (settled !== text || query.isPlaceholderData || query.isPending),
    error: isWanted ? query.error : null,
    retry: () => void query.refetch(),
  };
}

function statusText({
  text,
  shown,
  isCut: hasMore,
  isStale,
  note,
}: {
  readonly text: string;
  readonly shown: number;
  /** Some kind may have more matches. */
  readonly isCut: boolean;
  readonly isStale: boolean;
  readonly note: Matches['note'] | undefined;
}): string {
  if (isStale) return 'Searching …';
  if (text.length < SHORTEST) return '';
  const more = hasMore ? ` shown, the first ${EACH_KIND_MAX} of each kind` : '';
  const result = shown === 0 ? 'No matches.' : `${count(shown, 'match', 'matches')}${more}.`;
  return note === null || note === undefined ? result : `${result} ${NOTES[note]}`;
}

function Groups({
  matches,
  active,
  listId,
  onPoint,
  onOpen,
}: {
  readonly matches: readonly Match[];
  readonly active: number;
  readonly listId: string;
  readonly onPoint: (index: number) => void;
  readonly onOpen: (match: Match) => void;
}): ReactNode {
  return groupByKind(matches).map(([kind, options]) => (
    <Box key={kind} role="group" aria-labelledby={`${listId}-${kind}`} pb="xs">
      <Text id={`${listId}-${kind}`} size="xs" fw={600} c="dimmed" px="sm" pb={4}>
        {kind}
      </Text>
      {options.map((match) => {
        const index = matches.indexOf(match);
        return (
          <Group
            key={match.id}
            id={optionId(listId, index)}
            role="option"
            aria-selected={index === active}
            className="lm-option"
            justify="space-between"
            gap="xs"
            px="sm"
            onPointerMove={() => onPoint(index)}
            onClick={() => onOpen(match)}
          >
            <Text span size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {match.title}
            </Text>
            <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {match.detail}
            </Text>
          </Group>
        );
      })}
    </Box>
  ));
}
