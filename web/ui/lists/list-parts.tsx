// The parts of the pages of lists that console and portal share: the table of lists, and what is done with one of them.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { CheckedValue, ListView, LoadView, ShownList } from '../../../src/scopes/lists.schema.ts';
import { Confirm } from '../confirm.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { Section } from '../facts.tsx';
import { count, formatNumber } from '../formats.ts';
import { PageLink } from '../link.tsx';
import { notify } from '../notify.tsx';
import { Empty, Failure } from '../states.tsx';
import { Status } from '../status.tsx';
import { Time } from '../zone.tsx';
import { LIST_KINDS } from './list-words.ts';
import { UploadForm } from './upload-form.tsx';
import type { ListLoads } from './upload-rows.ts';

export const listColumns: ReadonlyArray<Column<ListView>> = [
  {
    key: 'name',
    title: 'List',
    cell: ({ listId, key, name }) => (
      <Stack gap={0}>
        <PageLink to="/lists/$listId" params={{ listId }}>
          {name}
        </PageLink>
        <Text size="xs" c="dimmed">
          {key}
        </Text>
      </Stack>
    ),
  },
  { key: 'kind', title: 'Holds', cell: ({ kind }) => LIST_KINDS[kind].title },
  { key: 'entries', title: 'Entries', numeric: true, cell: ({ entries }) => formatNumber(entries) },
  { key: 'matches', title: 'Matched, 30 days', numeric: true, cell: ({ recentMatches }) => matched(recentMatches) },
  {
    key: 'loaded',
    title: 'Last upload',
    cell: ({ loadedAt }) => (loadedAt === null ? 'none yet' : <Time at={loadedAt} />),
  },
];

/** Entries that matched leads of the 30 days before the upload ended. */
function matched(recentMatches: number | null): string {
  return recentMatches === null ? '–' : formatNumber(recentMatches);
}

/** The requests of one list. */
export type ListActions = ListLoads & {
  readonly check: (value: string) => Promise<CheckedValue>;
  readonly removeValue: (value: string) => Promise<{ readonly removed: number }>;
  readonly remove: () => Promise<unknown>;
};

export function ListUpload({
  list,
  actions,
  onChanged,
}: {
  readonly list: ShownList;
  readonly actions: ListActions;
  readonly onChanged: () => void;
}): ReactNode {
  return (
    <Section title="Upload">
      <Text size="sm" c="dimmed">
        All rows of the file count at once, when the upload is complete. Of an upload that is cancelled or cut off,
        nothing counts.
      </Text>
      <UploadForm list={list} loads={actions} onDone={onChanged} />
    </Section>
  );
}

export function ListLookUp({
  list,
  actions,
  mayRemove,
  onChanged,
}: {
  readonly list: ShownList;
  readonly actions: ListActions;
  readonly mayRemove: boolean;
  readonly onChanged: () => void;
}): ReactNode {
  const [value, setValue] = useState('');
  const [found, setFound] = useState<(CheckedValue & { readonly value: string }) | null>(null);
  const [error, setError] = useState<unknown>(null);
  const lookUp = async (): Promise<void> => {
    setFound(null);
    setError(null);
    try {
      setFound({ ...(await actions.check(value.trim())), value: value.trim() });
    } catch (failure) {
      setError(failure);
    }
  };
  const remove = async (): Promise<void> => {
    if (found === null) return;
    try {
      await actions.removeValue(found.value);
      setFound({ value: found.value, listed: false, expires: null });
      notify('The entry is removed.');
      onChanged();
    } catch (failure) {
      setError(failure);
    }
  };
  const { one } = LIST_KINDS[list.kind];
  return (
    <Section title="Look up">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim() !== '') void lookUp();
        }}
        aria-label="Look up a value"
      >
        <Group align="flex-end">
          <TextInput
            label={`A ${one}`.replace('A email', 'An email')}
            description="Or its hash."
            value={value}
            autoComplete="off"
            spellCheck={false}
            maxLength={320}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            flex="1 1 220px"
            maw={420}
          />
          <Button type="submit" variant="default">
            Look up
          </Button>
        </Group>
      </form>
      <Stack gap="xs" role="status">
        {found !== null && (
          <Text size="sm">
            {found.listed ? 'It is on the list' : 'It is not on the list'}
            {found.listed && found.expires !== null && (
              <>
                {' until '}
                <Time at={found.expires} />
              </>
            )}
            .
          </Text>
        )}
      </Stack>
      {found?.listed === true && mayRemove && (
        <Group>
          <Button variant="default" onClick={() => void remove()}>
            Remove this entry
          </Button>
        </Group>
      )}
      {error !== null && <Failure error={error} title={`This is no ${one}, or it could not be looked up`} />}
    </Section>
  );
}

const STATES = { loading: 'loading', current: 'counts', discarded: 'discarded' } as const;
const TONES = { loading: 'warn', current: 'good', discarded: 'idle' } as const;

const LOAD_COLUMNS: ReadonlyArray<Column<LoadView>> = [
  { key: 'begun', title: 'Begun', cell: ({ begunAt }) => <Time at={begunAt} /> },
  { key: 'by', title: 'By', cell: ({ begunBy }) => begunBy },
  { key: 'state', title: 'Status', cell: ({ state }) => <Status tone={TONES[state]}>{STATES[state]}</Status> },
  { key: 'mode', title: 'Mode', cell: ({ mode, hashed }) => (hashed ? `${mode}, hashed` : mode) },
  { key: 'entries', title: 'Entries', numeric: true, cell: ({ entries }) => formatNumber(entries) },
  { key: 'matches', title: 'Matched, 30 days', numeric: true, cell: ({ recentMatches }) => matched(recentMatches) },
  { key: 'rejected', title: 'Left out', numeric: true, cell: ({ rejected }) => formatNumber(rejected) },
  {
    key: 'expires',
    title: 'Expires',
    cell: ({ expires }) => (expires === null ? 'never' : <Time at={expires} />),
  },
];

export function ListUploads({ list }: { readonly list: ShownList }): ReactNode {
  return (
    <Section title="Uploads">
      <DataTable
        caption="The latest uploads"
        columns={LOAD_COLUMNS}
        rows={list.loads}
        rowKey={({ loadId }) => String(loadId)}
        empty={<Empty title="No uploads yet">Nothing is on this list.</Empty>}
      />
    </Section>
  );
}

export function RemoveList({
  list,
  actions,
  onRemoved,
}: {
  readonly list: ShownList;
  readonly actions: ListActions;
  readonly onRemoved: () => void;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove list
      </Button>
      <Confirm
        isOpen={isAsking}
        title={`Remove ${list.name}?`}
        action="Remove list"
        isDangerous
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await actions.remove();
          notify('The list is removed.');
          onRemoved();
        }}
      >
        <Text size="sm">
          {count(list.entries, 'entry no longer counts', 'entries no longer count')}. It cannot be undone; upload the
          file into a new list instead.
        </Text>
      </Confirm>
    </>
  );
}
