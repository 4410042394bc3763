// Every place that leads, callbacks and notices are sent to: which are out of order, since when, and what waits for them.
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { choiceFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatAgo, formatNumber, formatSpan } from '../../ui/formats.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import type { Endpoint } from '../../../src/console/endpoints.schema.ts';
import { request } from '../console-api.ts';
import { SearchField } from '../leads/search-field.tsx';
import { OwnerLink } from './owner-link.tsx';
import { Revive } from './revive.tsx';

const FILTERS = { only: choiceFilter(['', 'failing']), search: textFilter, after: textFilter };

/** Health changes with every attempt and is told to nobody. */
const EVERY_MS = 5000;

export function EndpointsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['endpoints', 'list', filters],
    queryFn: ({ signal }) =>
      request('GET /console/api/endpoints', { query: { ...filters, search: filters.search.trim() }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  return (
    <Page title="Endpoints" description={<ZoneNote />}>
      <Group align="flex-end">
        <SegmentedControl
          value={filters.only}
          onChange={(only) => setFilters({ only: FILTERS.only.read(only), after: '' })}
          data={[
            { value: '', label: 'All' },
            { value: 'failing', label: 'Not well' },
          ]}
          aria-label="Which endpoints"
        />
        <SearchField
          value={filters.search}
          placeholder="Partner or supplier"
          onChange={(search) => setFilters({ search, after: '' }, { push: false })}
        />
      </Group>
      <Loaded query={query} what="Loading endpoints">
        {({ data, next, outageDays }) => (
          <>
            <DataTable
              caption="Endpoints"
              columns={columnsFor(outageDays)}
              rows={data}
              rowKey={({ ownerKind, ownerKey, channel }) => `${ownerKind} ${ownerKey} ${channel}`}
              isStale={query.isPlaceholderData}
              empty={<NoEndpoints only={filters.only} search={filters.search} />}
            />
            <Group justify="flex-end" component="nav" aria-label="Pages of endpoints">
              {filters.after !== '' && (
                <ButtonLink
                  to="."
                  search={{ only: orNothing(filters.only), search: orNothing(filters.search) }}
                  size="compact-sm"
                  variant="default"
                >
                  First
                </ButtonLink>
              )}
              {next !== null && (
                <ButtonLink
                  to="."
                  search={{ only: orNothing(filters.only), search: orNothing(filters.search), after: next }}
                  size="compact-sm"
                  variant="default"
                >
                  Next
                </ButtonLink>
              )}
            </Group>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function orNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function NoEndpoints({ only, search }: { readonly only: string; readonly search: string }): ReactNode {
  if (search !== '') return <Empty title="No such endpoint">Search for a part of the name or of the key.</Empty>;
  return only === 'failing' ? (
    <Empty title="Every endpoint is well">What fails appears here, with what waits for it.</Empty>
  ) : (
    <Empty title="There are no endpoints yet">They appear here when partners and suppliers have channels.</Empty>
  );
}

const STATES: Readonly<Record<Endpoint['state'], readonly [word: string, tone: Tone]>> = {
  well: ['Well', 'good'],
  unsteady: ['Unsteady', 'warn'],
  failing: ['Failing', 'bad'],
  disabled: ['Disabled', 'bad'],
};

function columnsFor(outageDays: number): ReadonlyArray<Column<Endpoint>> {
  return [
    {
      key: 'owner',
      title: 'Whose',
      cell: (endpoint) => (
        <Stack gap={0}>
          <OwnerLink owner={endpoint} />
          <Text span size="xs" c="dimmed" fw={400}>
            {endpoint.ownerKind === 'buyer' ? 'partner' : 'supplier’s callback'}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'channel',
      title: 'Channel',
      cell: ({ channel, isPrimary, ownerKind, target }) => (
        <Stack gap={0}>
          <Text span size="sm">
            {channel}
            {ownerKind === 'buyer' && isPrimary ? ', first' : ''}
          </Text>
          <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {target === '' ? 'not said where' : target}
          </Text>
        </Stack>
      ),
    },
    { key: 'state', title: 'State', cell: (endpoint) => <StateCell endpoint={endpoint} /> },
    {
      key: 'waiting',
      title: 'Waiting',
      numeric: true,
      cell: ({ waiting, waitingIsMore }) => `${formatNumber(waiting)}${waitingIsMore ? '+' : ''}`,
    },
    {
      key: 'error',
      title: 'Last fault',
      cell: ({ lastError, lastFailedAt }) =>
        lastError === null || lastFailedAt === null ? (
          <span aria-label="none">—</span>
        ) : (
          <Stack gap={0}>
            <Text span size="sm" maw={260}>
              {lastError}
            </Text>
            <Text span size="xs" c="dimmed">
              <Time at={lastFailedAt} kind="short" />
            </Text>
          </Stack>
        ),
    },
    {
      key: 'outages',
      title: `Out of order, ${outageDays} days`,
      cell: ({ outages, outageSeconds }) =>
        outages === 0 ? 'never' : `${count(outages, 'time')}, ${formatSpan(outageSeconds * 1000)}`,
    },
    { key: 'action', title: 'What to do', cell: (endpoint) => <ActionCell endpoint={endpoint} /> },
  ];
}

function ActionCell({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const isIll = endpoint.state === 'failing' || endpoint.state === 'disabled';
  return isIll ? <Revive endpoint={endpoint} /> : <span aria-label="nothing">—</span>;
}

function StateCell({ endpoint: { state, since, failures, nextProbeAt } }: { readonly endpoint: Endpoint }): ReactNode {
  const [word, tone] = STATES[state];
  const now = new Date();
  return (
    <Stack gap={0}>
      <Status tone={tone}>{word}</Status>
      {since !== null && (
        <Text span size="xs" c="dimmed">
          since <Time at={since} kind="short" />
        </Text>
      )}
      {state !== 'disabled' && failures > 0 && (
        <Text span size="xs" c="dimmed">
          {formatNumber(failures)} failed in a row
        </Text>
      )}
      {nextProbeAt !== null && (
        <Text span size="xs" c="dimmed">
          asked again {new Date(nextProbeAt) <= now ? 'any moment' : formatAgo(nextProbeAt, now)}
        </Text>
      )}
    </Stack>
  );
}
