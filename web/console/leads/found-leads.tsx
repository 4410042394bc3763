// The results of a lead search. Sold leads are found at once through an index; others are scanned part by part.
import { Button, Group, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { count } from '../../ui/formats.ts';
import { listFile } from '../list-file.ts';
import { queryText } from '../../ui/filters.ts';
import { request } from '../console-api.ts';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { LeadTable } from './lead-table.tsx';
import type { Leads, LeadStateName, ListedLead } from '../../../src/console/leads.schema.ts';

/** The filters of the list. */
export type Conditions = Readonly<Record<'supplier' | 'vertical' | 'usState' | 'partner' | 'from' | 'to', string>> & {
  readonly state: '' | LeadStateName;
};

export function FoundLeads({
  search,
  conditions,
}: {
  readonly search: string;
  readonly conditions: Conditions;
}): ReactNode {
  const query = useInfiniteQuery({
    queryKey: ['found-leads', search, conditions],
    queryFn: ({ signal, pageParam: before }) =>
      request('GET /console/api/leads', { query: { ...conditions, before }, search, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const { data, error, isError, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const [isScanning, setScanning] = useState(false);
  useEffect(() => {
    if (isScanning && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [isScanning, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  if (data === undefined) {
    return isError ? (
      <Failure error={error} title="The search failed" onRetry={() => void refetch()} />
    ) : (
      <Loading what="Searching" />
    );
  }
  const leads = newestFirst(data.pages);
  const last = data.pages.at(-1);
  const note = data.pages[0]?.note ?? null;
  return (
    <>
      {isError && <Failure error={error} title="The search stopped" onRetry={() => void fetchNextPage()} />}
      <Text size="sm" role="status">
        {leads.length === 0
          ? hasNextPage
            ? 'None found so far.'
            : 'None found.'
          : `${count(leads.length, 'lead')} found.`}
        {leads.length > 0 && !hasNextPage && !/\d|@/.test(search) && ' A name finds only sold leads.'}
        {note === 'too_many' && ' There are more: enter a longer search.'}
        {note === 'ids_only' &&
          ' Your role can search by id, reference or the supplier’s id, but not by personal data.'}
        {note === 'too_short' && ' Enter at least four digits of a phone number.'}
      </Text>
      <LeadTable
        leads={leads}
        currency={data.pages[0]?.currency ?? 'USD'}
        list={{
          name: 'leads',
          at: queryText({ ...conditions, search }),
          fileOf: listFile('leads', conditions, search),
        }}
        empty={
          <Empty title="No leads match">
            {hasNextPage
              ? 'All sold leads were searched. Continue below to search older unsold ones.'
              : 'Search by id, reference such as LS-100042, the supplier’s id, phone number or its last digits, or email address. A name finds only sold leads.'}
          </Empty>
        }
      />
      {hasNextPage && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Sold leads: all searched. Others: back to{' '}
            {typeof last?.backTo === 'string' ? <Time at={last.backTo} /> : 'the newest'}.
          </Text>
          <Group gap="xs">
            {isFetchingNextPage && <Loader size="xs" aria-label="Searching older leads" />}
            <Button size="compact-sm" variant="default" onClick={() => setScanning(!isScanning)}>
              {isScanning ? 'Stop' : 'Search older leads'}
            </Button>
          </Group>
        </Group>
      )}
    </>
  );
}

function newestFirst(pages: readonly Leads[]): ListedLead[] {
  const found = new Map(pages.flatMap(({ data }) => data.map((lead) => [lead.leadId, lead])));
  return [...found.values()].toSorted((one, other) => (one.receivedAt < other.receivedAt ? 1 : -1));
}
