// What a search found. Leads that were sold are found at once, however old; the others are looked through a part at a time.
import { Button, Group, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { count } from '../../ui/formats.ts';
import { request } from '../console-api.ts';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { LeadTable } from './lead-table.tsx';
import type { Leads, LeadStateName, ListedLead } from '../../../src/console/leads.schema.ts';

/** What the list is narrowed to. */
export type Conditions = Readonly<Record<'supplier' | 'from' | 'to', string>> & { readonly state: '' | LeadStateName };

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
  const [goesOn, setGoesOn] = useState(false);
  useEffect(() => {
    if (goesOn && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [goesOn, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
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
            ? 'Nothing found so far.'
            : 'Nothing found.'
          : `${count(leads.length, 'lead')} found.`}
        {note === 'too_many' && ' There are more: type more of it.'}
        {note === 'ids_only' &&
          ' Your role finds leads by an id, a reference or the supplier’s own id, and not by a person’s name, address or number.'}
        {note === 'too_short' && ' Fewer than four digits end too many numbers: type more of it.'}
      </Text>
      <LeadTable
        leads={leads}
        currency={data.pages[0]?.currency ?? 'USD'}
        empty={
          <Empty title="No such lead found">
            {hasNextPage
              ? 'Leads that were sold have all been searched. Go on below to search older ones that nobody bought.'
              : 'Search by an id, a reference such as LS-100042, the supplier’s own id, a phone number or its end, an e-mail address. By name only leads that were sold are found.'}
          </Empty>
        }
      />
      {hasNextPage && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Leads that were sold: all searched. Others: back to{' '}
            {typeof last?.backTo === 'string' ? <Time at={last.backTo} /> : 'the newest'}.
          </Text>
          <Group gap="xs">
            {isFetchingNextPage && <Loader size="xs" aria-label="Searching older leads" />}
            <Button size="compact-sm" variant="default" onClick={() => setGoesOn(!goesOn)}>
              {goesOn ? 'Stop' : 'Search older leads'}
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
