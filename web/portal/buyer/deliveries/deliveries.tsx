// The partner's deliveries, newest first: filters in the address, a search, an export, and new ones as they come.
import { Alert, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { choiceFilter, dayFilter, pageFilter, privateTextFilter, queryText, useFilters } from '../../../ui/filters.ts';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import type { Deliveries } from '../../../../src/portal/buyer/deliveries.schema.ts';
import { Export } from './export.tsx';
import { DeliveriesFilters, EVENT_TYPES, STATUSES } from './deliveries-filters.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';

const FILTERS = {
  search: privateTextFilter,
  status: choiceFilter(STATUSES),
  eventType: choiceFilter(EVENT_TYPES),
  from: dayFilter,
  to: dayFilter,
  page: pageFilter,
};
const PAGE_SIZE = 25;

export function DeliveriesPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { page, ...narrowing } = filters;
  const { search, ...shown } = filters;
  const query = useQuery({
    queryKey: ['deliveries', 'list', filters],
    queryFn: ({ signal }) =>
      request('GET /portal/api/buyer/deliveries', { query: { ...shown, pageSize: PAGE_SIZE }, search, signal }),
    placeholderData: keepPreviousData,
  });
  const isNarrowed = Object.values(narrowing).some((value) => value !== '');
  return (
    <Page
      title="Deliveries"
      description={<ZoneNote />}
      actions={<Export filters={narrowing} total={query.isPlaceholderData ? undefined : query.data?.total} />}
    >
      <DeliveriesFilters
        filters={narrowing}
        onChange={setFilters}
        onClear={() => setFilters({ search: '', status: '', eventType: '', from: '', to: '' })}
        isNarrowed={isNarrowed}
      />
      <Loaded query={query} what="Loading deliveries">
        {(response) => (
          <Stack gap="md">
            <BackTo at={response.backTo} total={response.total} />
            <DeliveriesTable
              caption="Deliveries"
              rows={response.data}
              listKey={page === 1 ? queryText(narrowing) : null}
              isStale={query.isPlaceholderData}
              empty={<Nothing response={response} isNarrowed={isNarrowed} />}
            />
            {response.total > 0 && <Pager page={page} pageSize={PAGE_SIZE} total={response.total} unit="deliveries" />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function BackTo({ at, total }: { readonly at: string | null; readonly total: number }): ReactNode {
  if (at === null) return null;
  return (
    <Alert variant="outline" color="gray" title="There may be more" role="status">
      This search finds so many deliveries that only the newest were looked through, back to <Time at={at} />. {total}{' '}
      of them match. Type more of the name, or choose days, to find older ones.
    </Alert>
  );
}

function Nothing({
  response: { tooShort, total },
  isNarrowed,
}: {
  readonly response: Deliveries;
  readonly isNarrowed: boolean;
}): ReactNode {
  if (tooShort) {
    return (
      <Empty title="Type more digits">At least the last four digits of a phone number, or the whole reference.</Empty>
    );
  }
  if (total > 0)
    return <Empty title="Nothing on this page">The list has fewer pages: go back to an earlier one.</Empty>;
  if (isNarrowed) {
    return (
      <Empty title="No delivery matches">
        A search finds whole references, phone numbers or their last digits, e-mail addresses, and names by the
        beginnings of their words. Other filters narrow it further.
      </Empty>
    );
  }
  return <Empty title="No deliveries yet">A lead appears here the moment it is routed to you.</Empty>;
}
