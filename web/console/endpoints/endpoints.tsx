// The list of endpoints that leads, callbacks and notices are sent to, with their health and queues.
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { CHANNEL_NAMES } from '../../ui/channel-names.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { choiceFilter, cursorFilter, queryText, textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatAgo, formatNumber, formatSpan } from '../../ui/formats.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import type { Endpoint } from '../../../src/console/endpoints.schema.ts';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { SearchField } from '../leads/search-field.tsx';
import { DayStrip } from './day-strip.tsx';
import { OwnerLink } from './owner-link.tsx';
import { Revive } from './revive.tsx';

const FILTERS = { only: choiceFilter(['', 'failing']), search: textFilter, after: cursorFilter };
const WORDS = { only: ['Health', () => 'Unhealthy'], search: ['Search'] } as const;

/** Health changes with every attempt and has no live topic. */
const REFETCH_EVERY_MS = 5000;

export function EndpointsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['endpoints', 'list', filters],
    queryFn: ({ signal }) =>
      request('GET /console/api/endpoints', { query: { ...filters, search: filters.search.trim() }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_EVERY_MS,
  });
  return (
    <Page title="Endpoints" description={<ZoneNote />}>
      <Group align="flex-end">
        <SegmentedControl
          value={filters.only}
          onChange={(only) => setFilters({ only: FILTERS.only.read(only) })}
          data={[
            { value: '', label: 'All' },
            { value: 'failing', label: 'Unhealthy' },
          ]}
          aria-label="Health"
        />
        <SearchField
          value={filters.search}
          placeholder="Partner or supplier"
          onChange={(search) => setFilters({ search }, { push: false })}
        />
      </Group>
      <FilterBar list="endpoints" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading endpoints">
        {({ data, next, outageDays }) => (
          <>
            <DataTable
              caption="Endpoints"
              columns={columnsFor(outageDays)}
              rows={data}
              rowKey={({ ownerKind, ownerKey, channel }) => `${ownerKind} ${ownerKey} ${channel}`}
              isStale={query.isPlaceholderData}
              list={{
                name: 'endpoints',
                at: queryText(filters),
                isLater: filters.after !== '',
                fileOf: listFile('endpoints', { ...filters, search: filters.search.trim() }),
              }}
              empty={<NoEndpoints only={filters.only} search={filters.search} />}
            />
            <Group justify="flex-end" component="nav" aria-label="Pages of endpoints">
              {filters.after !== '' && (
                <ButtonLink
                  to="."
                  search={{ only: orUndefined(filters.only), search: orUndefined(filters.search) }}
                  size="compact-sm"
                  variant="default"
                >
                  First
                </ButtonLink>
              )}
              {next !== null && (
                <ButtonLink
                  to="."
                  search={{ only: orUndefined(filters.only), search: orUndefined(filters.search), after: next }}
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

function orUndefined(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function NoEndpoints({ only, search }: { readonly only: string; readonly search: string }): ReactNode {
  if (search !== '') return <Empty title="No endpoints match">Search for part of a name or key.</Empty>;
  return only === 'failing' ? (
    <Empty title="All endpoints are healthy">Failing endpoints appear here with their queues.</Empty>
  ) : (
    <Empty title="No endpoints yet">Endpoints appear here when partners or suppliers have channels.</Empty>
  );
}

const STATES: Readonly<Record<Endpoint['state'], readonly [word: string, tone: Tone]>> = {
  well: ['Healthy', 'good'],
  unsteady: ['Unsteady', 'warn'],
  failing: ['Failing', 'bad'],
  disabled: ['Disabled', 'bad'],
};

function columnsFor(outageDays: number): ReadonlyArray<Column<Endpoint>> {
  return [
    {
      key: 'owner',
      title: 'Owner',
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
            {CHANNEL_NAMES[channel] ?? channel}
            {ownerKind === 'buyer' && isPrimary ? ', primary' : ''}
          </Text>
          <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {target === '' ? 'no address' : target}
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
      title: 'Last error',
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
    { key: 'day', title: 'Last 24 hours', cell: ({ hours }) => <DayStrip hours={hours} /> },
    {
      key: 'outages',
      title: `Downtime, ${outageDays} days`,
      cell: ({ outages, outageSeconds }) =>
        outages === 0 ? 'None' : `${count(outages, 'outage')}, ${formatSpan(outageSeconds * 1000)}`,
    },
    { key: 'action', title: 'Action', cell: (endpoint) => <ActionCell endpoint={endpoint} /> },
  ];
}

function ActionCell({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const isIll = endpoint.state === 'failing' || endpoint.state === 'disabled';
  return isIll ? <Revive endpoint={endpoint} /> : <span aria-label="none">—</span>;
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
          {formatNumber(failures)} consecutive failures
        </Text>
      )}
      {nextProbeAt !== null && (
        <Text span size="xs" c="dimmed">
          next retry {new Date(nextProbeAt) <= now ? 'soon' : formatAgo(nextProbeAt, now)}
        </Text>
      )}
    </Stack>
  );
}
