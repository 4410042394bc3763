// The table of the latest delivery attempts of all channels, including tests.
import { Group, SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Attempt } from '../../../../sdk/typescript/client.ts';
import { CHANNEL_NAMES } from '../../../ui/channel-names.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { choiceFilter, useFilters } from '../../../ui/filters.ts';
import { formatSpan } from '../../../ui/formats.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';

const LIMITS = ['10', '50', '200'] as const;
const FILTERS = { attempts: choiceFilter(LIMITS) };

const COLUMNS: readonly Column<Attempt>[] = [
  { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'channel',
    title: 'Channel',
    cell: ({ channel, target }) => (
      <>
        {CHANNEL_NAMES[channel] ?? channel}
        <Quiet>{target}</Quiet>
      </>
    ),
  },
  { key: 'about', title: 'Subject', cell: (attempt) => <About attempt={attempt} /> },
  { key: 'attempt', title: 'Attempt', numeric: true, cell: ({ attempt }) => attempt },
  {
    key: 'state',
    title: 'Status',
    cell: ({ state, nextAttemptAt }) => (
      <>
        <Status>{state}</Status>
        {nextAttemptAt !== null && (
          <Quiet>
            again <Time at={nextAttemptAt} kind="short" />
          </Quiet>
        )}
      </>
    ),
  },
  {
    key: 'answer',
    title: 'Response',
    cell: (attempt) => (
      <>
        {responseOf(attempt)}
        {attempt.latencyMs !== null && <Quiet>{formatSpan(attempt.latencyMs)}</Quiet>}
      </>
    ),
  },
];

export function Attempts({ isEnabled }: { readonly isEnabled: boolean }): ReactNode {
  const [{ attempts }, change] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['deliveries', 'attempts', attempts],
    queryFn: ({ signal }) => request('GET /portal/api/v1/buyer/delivery-logs', { query: { limit: attempts }, signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  if (!isEnabled) {
    return (
      <Text size="sm" c="dimmed">
        The delivery log is a beta tool that is not enabled for your account. Ask the operator to enable delivery-logs.
      </Text>
    );
  }
  return (
    <Loaded query={query} what="Loading attempts">
      {({ data }) => (
        <>
          <DataTable
            caption="The latest attempts"
            columns={COLUMNS}
            rows={data}
            rowKey={({ attemptId }) => attemptId}
            empty={<Empty title="No attempts yet">Attempts appear with your first lead or test.</Empty>}
            isStale={query.isPlaceholderData}
          />
          <Group gap="sm">
            <Text size="sm" c="dimmed" id="attempts-shown">
              At most
            </Text>
            <SegmentedControl
              size="xs"
              aria-labelledby="attempts-shown"
              data={[...LIMITS]}
              value={attempts}
              onChange={(value) => change({ attempts: value })}
            />
          </Group>
        </>
      )}
    </Loaded>
  );
}

function About({ attempt: { deliveryId, deliveryRef, test } }: { readonly attempt: Attempt }): ReactNode {
  if (deliveryId === null) return test ? 'Test' : 'Notice';
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <PageLink to="/deliveries/$deliveryId" params={{ deliveryId }}>
        {deliveryRef ?? deliveryId}
      </PageLink>
    </span>
  );
}

function Quiet({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Text component="span" display="block" size="xs" c="dimmed">
      {children}
    </Text>
  );
}

function responseOf({ responseCode, error }: Attempt): string {
  return [responseCode, error].filter((part) => part !== null).join(' ');
}
