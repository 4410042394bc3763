// The list of notices, in the console and the portal: when, what, why, and what became of each message.
import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { ListedNotice, NoticeList } from '../../src/notices/notice-list.schema.ts';
import { type Column, DataTable } from './data-table.tsx';
import { queryText } from './filters.ts';
import type { FileOf } from './list-file.ts';
import { CHANNEL_WORDS, KIND_WORDS, NOTICE_STATES, SEND_STATES, STATE_CHOICES } from './notice-words.ts';
import { labelIn } from './set-filters.ts';
import { Empty } from './states.tsx';
import { Status } from './status.tsx';
import { Time } from './zone.tsx';

/** Of the filters above the list. */
export const NOTICE_FILTER_WORDS = {
  kind: ['Kind', (kind: string) => KIND_WORDS[kind] ?? kind],
  state: ['Status', labelIn(STATE_CHOICES)],
} as const;

export type NoticeFilters = { readonly kind: string; readonly state: string; readonly before: string };

export function NoticeFilterFields({
  filters,
  kinds,
  change,
  children,
}: {
  readonly filters: NoticeFilters;
  readonly kinds: readonly string[];
  readonly change: (part: Partial<NoticeFilters>) => void;
  readonly children?: ReactNode;
}): ReactNode {
  const choices = kinds.map((kind) => ({ value: kind, label: KIND_WORDS[kind] ?? kind }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mb="xs">
      <Select
        label="Kind"
        data={[{ value: '', label: 'All' }, ...choices]}
        value={filters.kind}
        allowDeselect={false}
        onChange={(kind) => change({ kind: kind ?? '' })}
      />
      <Select
        label="Status"
        data={STATE_CHOICES}
        value={filters.state}
        allowDeselect={false}
        onChange={(state) => change({ state: state ?? '' })}
      />
      {children}
    </SimpleGrid>
  );
}

export function NoticeTable({
  list: { data, next },
  isStale,
  filters,
  change,
  fileOf,
  further = NONE,
}: {
  readonly list: NoticeList;
  readonly isStale: boolean;
  readonly filters: NoticeFilters;
  readonly change: (part: Partial<NoticeFilters>) => void;
  readonly fileOf: FileOf;
  /** Columns that only one of the pages has. */
  readonly further?: readonly Column<ListedNotice>[];
}): ReactNode {
  return (
    <Stack>
      <DataTable
        caption="Notices"
        columns={[...COLUMNS, ...further]}
        rows={data}
        rowKey={({ id }) => id}
        isStale={isStale}
        list={{
          name: 'notices',
          at: queryText(filters),
          isLater: filters.before !== '',
          fileOf,
        }}
        empty={
          <Empty title="No notices">What happens from now on is listed here. With filters set, change them.</Empty>
        }
      />
      <Group>
        {filters.before !== '' && (
          <Button variant="default" onClick={() => change({ before: '' })}>
            Newest
          </Button>
        )}
        {next !== null && (
          <Button variant="default" onClick={() => change({ before: next })}>
            Older
          </Button>
        )}
      </Group>
    </Stack>
  );
}

const NONE: readonly Column<ListedNotice>[] = [];

const COLUMNS: readonly Column<ListedNotice>[] = [
  { key: 'raisedAt', title: 'Time', cell: ({ raisedAt }) => <Time at={raisedAt} kind="short" /> },
  {
    key: 'title',
    title: 'Notice',
    isRowHeader: true,
    cell: ({ title, kind }) => (
      <>
        {title}
        <Text size="xs" c="dimmed">
          {KIND_WORDS[kind] ?? kind}
        </Text>
      </>
    ),
  },
  { key: 'sends', title: 'Messages', cell: (notice) => <Messages notice={notice} /> },
];

function Messages({ notice: { state, sends } }: { readonly notice: ListedNotice }): ReactNode {
  if (sends.length === 0) return <Status tone={NOTICE_STATES[state].tone}>{NOTICE_STATES[state].words}</Status>;
  return (
    <Stack gap={4}>
      {sends.map(({ channel, state: sent, isDigest, dueAt, error, attempts }) => (
        <div key={channel}>
          <Status tone={SEND_STATES[sent].tone}>
            {`${CHANNEL_WORDS[channel] ?? channel}: ${SEND_STATES[sent].words}${isDigest ? ' (digest)' : ''}`}
          </Status>
          {sent === 'waiting' && (
            <Text size="xs" c="dimmed" component="div">
              until <Time at={dueAt} kind="short" />
            </Text>
          )}
          {error !== null && sent !== 'sent' && (
            <Text size="xs" c="dimmed">
              {error} ({attempts} {attempts === 1 ? 'attempt' : 'attempts'})
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
