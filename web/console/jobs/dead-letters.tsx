// The list of dead letters: jobs that failed permanently, with the reason and a retry for one or for a group.
import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable, type SelectedRows } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { choiceFilter, cursorFilter, queryText, useFilters } from '../../ui/filters.ts';
import { count, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { notify } from '../../ui/notify.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { TIME_ORDERS } from '../../ui/time-order.ts';
import { Time } from '../../ui/zone.tsx';
import type { DeadJob, DeadJobGroup } from '../../../src/console/jobs.schema.ts';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { OwnerLink } from '../endpoints/owner-link.tsx';
import { RetryButton } from './retry-button.tsx';
import { RetrySelected } from './retry-selected.tsx';

const FILTERS = { after: cursorFilter, sort: choiceFilter(['', 'failed']) };
const REFETCH_EVERY_MS = 5000;

export function DeadLetters(): ReactNode {
  const [{ after, sort }, setFilters] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['jobs', 'dead', after, sort],
    queryFn: ({ signal }) => request('GET /console/api/jobs', { query: { after, sort }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_EVERY_MS,
  });
  const words = TIME_ORDERS[sort === '' ? 'newest' : 'oldest'];
  const from = { sort: sort === '' ? undefined : sort };
  return (
    <Loaded query={query} what="Loading dead letters">
      {({ data, next, groups }) => (
        <Stack gap="lg">
          {groups.length > 0 && <Groups groups={groups} />}
          <Section title={words.title}>
            <DataTable
              caption={`Dead letters, ${words.order}`}
              columns={COLUMNS}
              rows={data}
              rowKey={({ jobId }) => jobId}
              isStale={query.isPlaceholderData}
              list={{
                name: 'dead-letters',
                at: queryText({ after, sort }),
                isLater: after !== '',
                sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                fileOf: listFile('dead-letters', { after, sort }),
                renderBulkActions: (selected) => <RetrySelectedJobs {...selected} />,
              }}
              empty={
                <Empty title="No dead letters">
                  Jobs that fail after all attempts are kept here until an operator retries them.
                </Empty>
              }
            />
          </Section>
          {(after !== '' || next !== null) && (
            <Group justify="flex-end" component="nav" aria-label="Pages of dead letters">
              {after !== '' && (
                <ButtonLink to="." search={from} size="compact-sm" variant="default">
                  {words.start}
                </ButtonLink>
              )}
              {next !== null && (
                <ButtonLink to="." search={{ ...from, after: next }} size="compact-sm" variant="default">
                  {words.next}
                </ButtonLink>
              )}
            </Group>
          )}
          <ListSumsLine
            of={['dead-letters']}
            read={(signal) => request('GET /console/api/jobs/sums', { signal })}
            words={{
              unit: ['dead letter', 'dead letters'],
              counts: { 'route-lead': 'to route a lead', 'send-message': 'to send a message' },
            }}
          />
        </Stack>
      )}
    </Loaded>
  );
}

function Groups({ groups }: { readonly groups: readonly DeadJobGroup[] }): ReactNode {
  return (
    <Section title="By reason">
      <DataTable
        caption="Dead letters by reason, most first"
        columns={GROUP_COLUMNS}
        rows={groups}
        rowKey={({ name, owner, error }) => `${name} ${owner ?? ''} ${error}`}
        empty={null}
      />
    </Section>
  );
}

const KINDS: Readonly<Record<DeadJob['name'], string>> = {
  'route-lead': 'Route a lead',
  'send-message': 'Notify a supplier or partner',
};

const GROUP_COLUMNS: ReadonlyArray<Column<DeadJobGroup>> = [
  { key: 'reason', title: 'Reason', cell: ({ error }) => error },
  { key: 'kind', title: 'Job', cell: ({ name }) => KINDS[name] },
  { key: 'owner', title: 'For', cell: ({ owner }) => owner ?? <span aria-label="none">—</span> },
  { key: 'jobs', title: 'Dead letters', numeric: true, cell: ({ jobs }) => formatNumber(jobs) },
  { key: 'latest', title: 'Latest', cell: ({ latestAt }) => <Time at={latestAt} kind="short" /> },
  { key: 'action', title: 'Action', cell: (group) => <RetryGroup group={group} /> },
];

function RetryGroup({ group: { name, owner, error, jobs } }: { readonly group: DeadJobGroup }): ReactNode {
  const refresh = useRefresh();
  const retry = async (): Promise<void> => {
    const body = { name, error, ...(owner === null ? {} : { owner }) };
    const { retried, remaining } = await request('POST /console/api/jobs/retry', { body });
    notify(
      `${count(retried, 'dead letter')} retried.${remaining > 0 ? ` ${formatNumber(remaining)} left: retry again.` : ''}`,
    );
    await refresh();
  };
  return (
    <RetryButton
      label={`Retry all: ${error}${owner === null ? '' : `, for ${owner}`}`}
      title={`Retry ${count(jobs, 'dead letter')}`}
      action="Retry all"
      onRetry={retry}
    >
      <Stack gap="xs">
        <Text size="sm">{WORDS[name]}</Text>
        <Text size="sm">At most 500 at once. Fix the cause first: jobs that fail again come back here.</Text>
      </Stack>
    </RetryButton>
  );
}

const WORDS: Readonly<Record<DeadJob['name'], string>> = {
  'route-lead':
    'The lead is queued and routed again with the current offers, as if it had just arrived. No partner has been charged for it.',
  'send-message':
    'The message is sent again with the same id and all attempts. A receiver that has it already can detect this by the id.',
};

const COLUMNS: ReadonlyArray<Column<DeadJob>> = [
  { key: 'subject', title: 'Job', cell: (job) => <Subject job={job} /> },
  {
    key: 'error',
    title: 'Error',
    cell: ({ error }) => (
      <Text size="sm" maw={320} style={{ overflowWrap: 'anywhere' }}>
        {error}
      </Text>
    ),
  },
  { key: 'attempts', title: 'Attempts', numeric: true, cell: ({ attempts }) => formatNumber(attempts) },
  {
    key: 'failed',
    title: 'Failed',
    orders: { ascending: 'failed', descending: '' },
    cell: ({ failedAt }) => <Time at={failedAt} kind="short" />,
  },
  { key: 'action', title: 'Action', cell: (job) => <RetryOne job={job} /> },
];

function Subject({ job: { name, leadId, message } }: { readonly job: DeadJob }): ReactNode {
  return (
    <Stack gap={0}>
      <Text span size="sm">
        {message === null ? KINDS[name] : `Send ${message.type}`}
        {message !== null && (
          <>
            {' to '}
            <OwnerLink owner={{ ...message, name: message.ownerKey }} />
          </>
        )}
      </Text>
      <Text span size="xs" fw={400}>
        {leadId !== null && (
          <PageLink to="/leads/$leadId" params={{ leadId }}>
            {leadId}
          </PageLink>
        )}
        {typeof message?.deliveryId === 'string' && (
          <PageLink to="/leads/$leadId" params={{ leadId: message.deliveryId }}>
            {message.deliveryId}
          </PageLink>
        )}
      </Text>
    </Stack>
  );
}

function RetryOne({ job: { jobId, name } }: { readonly job: DeadJob }): ReactNode {
  const refresh = useRefresh();
  const retry = async (): Promise<void> => {
    await request('POST /console/api/jobs/:jobId/retry', { params: { jobId } });
    notify('Retrying. If it fails again, it comes back here.');
    await refresh();
  };
  return (
    <RetryButton label={`Retry: ${jobId}`} title="Retry this dead letter" onRetry={retry}>
      <Text size="sm">{WORDS[name]}</Text>
    </RetryButton>
  );
}

function RetrySelectedJobs({ rows, clear }: SelectedRows<DeadJob>): ReactNode {
  const refresh = useRefresh();
  return (
    <RetrySelected
      rows={rows}
      clear={clear}
      unit={['dead letter', 'dead letters']}
      action="Retry selected"
      reasonFor={({ message }) => message}
      retry={({ jobId }) => request('POST /console/api/jobs/:jobId/retry', { params: { jobId } })}
      onDone={refresh}
    >
      {[...new Set(rows.map(({ name }) => name))].map((name) => (
        <Text key={name} size="sm">
          {WORDS[name]}
        </Text>
      ))}
    </RetrySelected>
  );
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['jobs'] });
}
