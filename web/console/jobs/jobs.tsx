// The page of failures: dead letters and failed deliveries.
import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';

import type { ListSums } from '../../../src/platform/http/list-sums.schema.ts';
import { choiceFilter, cursorFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { formatNumber } from '../../ui/formats.ts';
import { Page } from '../../ui/page.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { DeadLetters } from './dead-letters.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';

/** Without a tab the page opens the one that has something. */
const FILTERS = { tab: choiceFilter(['', 'jobs', 'deliveries']), after: cursorFilter, partner: textFilter };
const REFETCH_EVERY_MS = 15_000;

export function JobsPage(): ReactNode {
  const [{ tab }, setFilters] = useFilters(FILTERS);
  // The keys of the lines under the lists: without a filter they share one request.
  const letters = useSums(['dead-letters'], (signal) => request('GET /console/api/jobs/sums', { signal }));
  const deliveries = useSums(['failed-deliveries', '', ''], (signal) =>
    request('GET /console/api/failed-deliveries/sums', { signal }),
  );
  const areCounted = !letters.isPending && !deliveries.isPending;
  const isDeliveries = letters.data?.rows === 0 && deliveries.data !== undefined && deliveries.data.rows > 0;
  useEffect(() => {
    if (tab === '' && areCounted) setFilters({ tab: isDeliveries ? 'deliveries' : 'jobs' }, { push: false });
  }, [tab, areCounted, isDeliveries, setFilters]);
  return (
    <Page title="Failures" description={<ZoneNote />}>
      <Tabs
        value={tab === '' ? null : tab}
        // Only the visible tab requests data.
        keepMounted={false}
        onChange={(value) => setFilters({ tab: FILTERS.tab.read(value ?? undefined), partner: '' })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="jobs" rightSection={<Count of={letters.data} />}>
            Dead letters
          </Tabs.Tab>
          <Tabs.Tab value="deliveries" rightSection={<Count of={deliveries.data} />}>
            Failed deliveries
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="jobs">
          <DeadLetters />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <FailedDeliveries />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function useSums(of: readonly string[], read: (signal: AbortSignal) => Promise<ListSums>) {
  return useQuery({
    queryKey: ['list-sums', ...of],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: REFETCH_EVERY_MS,
    retry: false,
  });
}

function Count({ of }: { readonly of: ListSums | undefined }): ReactNode {
  if (of === undefined || of.rows === 0) return null;
  return (
    <Text span size="xs" fw={650} className="lm-count">
      {formatNumber(of.rows)}
      {of.isAll ? '' : '+'}
    </Text>
  );
}
