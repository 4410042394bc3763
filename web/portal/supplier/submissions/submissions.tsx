// The list of the supplier's submissions, newest or oldest first, including rejected ones and tests.
import { Badge, Button, CloseButton, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useState } from 'react';

import type { ListedSubmission, Submissions } from '../../../../src/portal/supplier/submissions.schema.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import {
  choiceFilter,
  cursorFilter,
  privateTextFilter,
  queryText,
  textFilter,
  useFilters,
} from '../../../ui/filters.ts';
import { count } from '../../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../../ui/link.tsx';
import { ListSumsLine } from '../../../ui/list-sums-line.tsx';
import { Page } from '../../../ui/page.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { TIME_ORDERS } from '../../../ui/time-order.ts';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { supplierListFile } from '../../list-file.ts';
import { request } from '../../portal-api.ts';
import { LeadStatus } from '../lead-status.tsx';

const STATES = ['', 'pending', 'routed', 'rejected', 'duplicate', 'no_buyer', 'suppressed', 'invalid', 'test'] as const;
const FILTERS = {
  state: choiceFilter(STATES),
  search: privateTextFilter,
  reason: textFilter,
  before: cursorFilter,
  sort: choiceFilter(['', 'received']),
};
type Words = (typeof TIME_ORDERS)[keyof typeof TIME_ORDERS];
const STATE_WORDS: Readonly<Record<(typeof STATES)[number], string>> = {
  '': 'All',
  pending: 'Pending',
  routed: 'Sold',
  rejected: 'Rejected or not sold',
  duplicate: '– Duplicate',
  no_buyer: '– No Buyer',
  suppressed: '– Suppressed',
  invalid: '– Rejected by the checks',
  test: 'Tests',
};
const WORDS = {
  search: ['Search'],
  state: ['Status', (value: string) => STATE_WORDS[FILTERS.state.read(value)].replace('– ', '')],
  reason: ['Reason', (reason: string) => reason.replaceAll('_', ' ')],
} as const;

export function SubmissionsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { state, search, reason, before } = filters;
  // A search begins with the newest.
  const sort = search.trim() === '' ? filters.sort : '';
  const query = useQuery({
    queryKey: ['submissions', 'list', { ...filters, sort }],
    queryFn: ({ signal }) =>
      request('GET /portal/api/supplier/submissions', {
        query: { state, reason, before, sort },
        search: search.trim(),
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const words = TIME_ORDERS[sort === '' ? 'newest' : 'oldest'];
  return (
    <Page
      title="Submissions"
      description={<ZoneNote />}
      actions={
        <ButtonLink to="/supply/test-lead" variant="default">
          Post a test lead
        </ButtonLink>
      }
    >
      <Group align="flex-end" gap="md">
        <Select
          label="Show"
          w={{ base: '100%', xs: 220 }}
          allowDeselect={false}
          data={STATES.map((value) => ({ value, label: STATE_WORDS[value] }))}
          value={state}
          onChange={(value) => setFilters({ state: value as typeof state, search: '', reason: '' })}
        />
        <Search search={search} onSearch={(text) => setFilters({ search: text, state: '', reason: '' })} />
      </Group>
      <FilterBar list="submissions" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading submissions">
        {(response) => (
          <Stack gap="md">
            <DataTable
              caption="Submissions"
              columns={COLUMNS}
              rows={response.data}
              rowKey={({ leadId }) => leadId}
              isStale={query.isPlaceholderData}
              list={{
                name: 'submissions',
                at: queryText(filters),
                isLater: before !== '',
                ...(search.trim() === ''
                  ? { sort: { by: sort, onChange: (by: string) => setFilters({ sort: FILTERS.sort.read(by) }) } }
                  : {}),
                fileOf: supplierListFile('submissions', { state, reason, before, sort }, search.trim()),
              }}
              empty={<Nothing filters={filters} words={words} isMore={response.next !== null} />}
            />
            <OlderNewer response={response} before={before} words={words} />
          </Stack>
        )}
      </Loaded>
      <ListSumsLine
        of={['submissions', state, reason, search.trim()]}
        read={(signal) =>
          request('GET /portal/api/supplier/submissions/sums', {
            query: { state, reason },
            search: search.trim(),
            signal,
          })
        }
        words={{ unit: ['submission', 'submissions'], counts: { sold: 'sold' } }}
      />
    </Page>
  );
}

function Search({
  search,
  onSearch,
}: {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState({ over: search, text: search });
  // Discards text that was typed over a previous search.
  const text = typed.over === search ? typed.text : search;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} role="search">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          type="search"
          label="Id, phone, email or name"
          value={text}
          onChange={({ currentTarget }) => setTyped({ over: search, text: currentTarget.value })}
          rightSection={
            search === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={() => onSearch('')} />
          }
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </Group>
    </form>
  );
}

const COLUMNS: readonly Column<ListedSubmission>[] = [
  {
    key: 'received',
    title: 'Received',
    orders: { ascending: 'received', descending: '' },
    cell: ({ leadId, receivedAt }) => (
      <PageLink to="/supply/submissions/$leadId" params={{ leadId }}>
        <Time at={receivedAt} kind="short" />
      </PageLink>
    ),
  },
  {
    key: 'externalId',
    title: 'Your id',
    cell: ({ externalId }) => (
      <span style={{ overflowWrap: 'anywhere' }}>{externalId ?? <span aria-label="none">—</span>}</span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status, test }) => (
      <Group gap="xs" wrap="nowrap">
        <LeadStatus status={status} />
        {test && (
          <Badge variant="outline" color="gray" size="sm" c="inherit">
            Test
          </Badge>
        )}
      </Group>
    ),
  },
  {
    key: 'score',
    title: 'Score',
    numeric: true,
    cell: ({ score }) => score ?? <span aria-label="none">—</span>,
  },
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ reasons }) => (
      <Text size="sm" miw={180}>
        {reasons.map(({ reason }) => reason.replaceAll('_', ' ')).join('; ')}
      </Text>
    ),
  },
];

function Nothing({
  filters: { state, search, before },
  words,
  isMore,
}: {
  readonly filters: { readonly state: string; readonly search: string; readonly before: string };
  readonly words: Words;
  readonly isMore: boolean;
}): ReactNode {
  if (search !== '') {
    return (
      <Empty title={isMore ? 'No submissions found yet' : 'No submissions match'}>
        {isMore
          ? 'There may be older ones: continue below.'
          : 'Enter the whole lead_… id of a response, your exact external_id, a phone number or its last digits, or an email address.'}
      </Empty>
    );
  }
  if (isMore) return <Empty title="No submissions found yet">There may be {words.next.toLowerCase()} ones.</Empty>;
  if (before !== '') return <Empty title={`${words.none} submissions`} />;
  if (state !== '') return <Empty title="No submissions match">Choose another filter.</Empty>;
  return <Empty title="No submissions yet">Leads appear here as soon as you post them.</Empty>;
}

/** Links to the next submissions and back to the first ones. */
function OlderNewer({
  response,
  before,
  words,
}: {
  readonly response: Submissions;
  readonly before: string;
  readonly words: Words;
}): ReactNode {
  const { data, next, lookedUntil } = response;
  if (next === null && before === '') return null;
  return (
    <Group justify="space-between" component="nav" aria-label="Older and newer submissions">
      <Text size="sm" c="dimmed" role="status">
        {lookedUntil === null ? (
          count(data.length, 'submission')
        ) : (
          <>
            {count(data.length, 'submission')} found, {words.searched.toLowerCase()}{' '}
            <Time at={lookedUntil} kind="short" />
          </>
        )}
      </Text>
      <Group gap="xs">
        {before !== '' && <Step label={words.start} before="" />}
        {next !== null && <Step label={lookedUntil === null ? words.next : words.search} before={next} />}
      </Group>
    </Group>
  );
}

function Step({ label, before }: { readonly label: string; readonly before: string }): ReactNode {
  const [, setFilters] = useFilters(FILTERS);
  return (
    <Button size="compact-sm" variant="default" onClick={() => setFilters({ before })}>
      {label}
    </Button>
  );
}
