// The list of the supplier's submissions, newest or oldest first, including rejected ones and tests.
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ListedSubmission, Submissions } from '../../../../src/portal/supplier/submissions.schema.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { ReversedDays } from '../../../ui/day-presets.tsx';
import { isReversed } from '../../../ui/days.ts';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import {
  choiceFilter,
  cursorFilter,
  dayFilter,
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
import { usStateFilter } from '../../../ui/typed-field.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { supplierListFile } from '../../list-file.ts';
import { request } from '../../portal-api.ts';
import { LeadStatus } from '../lead-status.tsx';
import { type SetFilters, STATES, stateWords, SubmissionsFilters } from './submissions-filters.tsx';

const FILTERS = {
  state: choiceFilter(STATES),
  source: textFilter,
  usState: usStateFilter,
  search: privateTextFilter,
  reason: textFilter,
  from: dayFilter,
  to: dayFilter,
  before: cursorFilter,
  sort: choiceFilter(['', 'received']),
};
type Words = (typeof TIME_ORDERS)[keyof typeof TIME_ORDERS];
const WORDS = {
  search: ['Search'],
  state: ['Status', stateWords],
  source: ['Source'],
  usState: ['US state'],
  reason: ['Reason', (reason: string) => reason.replaceAll('_', ' ')],
} as const;

export function SubmissionsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { before, search, sort, ...conditions } = filters;
  const areReversed = isReversed(filters);
  const query = useQuery({
    queryKey: ['submissions', 'list', filters],
    queryFn: ({ signal }) =>
      request('GET /portal/api/supplier/submissions', {
        query: { ...conditions, before, sort },
        search: search.trim(),
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: !areReversed,
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
      <SubmissionsFilters filters={filters} onChange={setFilters} />
      <FilterBar list="submissions" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      {(filters.source !== '' || filters.usState !== '') && (
        <Text size="sm" c="dimmed">
          Without submissions that the checks rejected: their fields are not stored, so they have no source and no US
          state.
        </Text>
      )}
      {areReversed ? (
        <ReversedDays />
      ) : (
        <>
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
                    sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                    fileOf: supplierListFile('submissions', { ...conditions, before, sort }, search.trim()),
                  }}
                  empty={
                    <Nothing
                      conditions={conditions}
                      search={search}
                      before={before}
                      words={words}
                      isMore={response.next !== null}
                    />
                  }
                />
                <OlderNewer response={response} before={before} words={words} />
              </Stack>
            )}
          </Loaded>
          <ListSumsLine
            of={['submissions', conditions, search.trim()]}
            read={(signal) =>
              request('GET /portal/api/supplier/submissions/sums', {
                query: conditions,
                search: search.trim(),
                signal,
              })
            }
            words={{ unit: ['submission', 'submissions'], counts: { sold: 'sold' } }}
          />
        </>
      )}
    </Page>
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
  conditions,
  search,
  before,
  words,
  isMore,
}: {
  readonly conditions: Omit<SetFilters, 'search'> & { readonly reason: string };
  readonly search: string;
  readonly before: string;
  readonly words: Words;
  readonly isMore: boolean;
}): ReactNode {
  if (search !== '') {
    return (
      <Empty title={isMore ? 'No submissions found yet' : 'No submissions match'}>
        {isMore
          ? `There may be ${words.next.toLowerCase()} ones: continue below.`
          : 'Enter the whole lead_… id of a response, your exact external_id, a phone number or its last digits, an email address, or words of a name. The other filters apply as well.'}
      </Empty>
    );
  }
  if (isMore) return <Empty title="No submissions found yet">There may be {words.next.toLowerCase()} ones.</Empty>;
  if (before !== '') return <Empty title={`${words.none} submissions`} />;
  if (Object.values(conditions).some((value) => value !== '')) {
    return <Empty title="No submissions match">Change the filters.</Empty>;
  }
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
