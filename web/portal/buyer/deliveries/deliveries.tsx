// The list of the partner's deliveries with filters, search, CSV export and live updates.
import { Alert, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ReversedDays } from '../../../ui/day-presets.tsx';
import { isReversed } from '../../../ui/days.ts';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import {
  choiceFilter,
  dayFilter,
  pageFilter,
  privateTextFilter,
  queryText,
  textFilter,
  useFilters,
} from '../../../ui/filters.ts';
import { ListSumsLine } from '../../../ui/list-sums-line.tsx';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { labelIn } from '../../../ui/set-filters.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { usStateFilter } from '../../../ui/typed-field.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { partnerListFile } from '../../list-file.ts';
import { request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';
import type { Deliveries } from '../../../../src/portal/buyer/deliveries.schema.ts';
import { Export } from './export.tsx';
import { useOfferStates } from '../overview/offer-states.ts';
import { claimChoices, CLAIMS, DeliveriesFilters, EVENT_TYPES, STATUSES } from './deliveries-filters.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { ReturnSelected } from './return-selected.tsx';

const FILTERS = {
  search: privateTextFilter,
  status: choiceFilter(STATUSES),
  eventType: choiceFilter(EVENT_TYPES),
  offer: textFilter,
  claim: choiceFilter(CLAIMS),
  source: textFilter,
  state: usStateFilter,
  from: dayFilter,
  to: dayFilter,
  sort: choiceFilter(['', 'deliveredAt']),
  page: pageFilter,
};
const PAGE_SIZE = 25;

export function DeliveriesPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const mayFile = useMay('claims');
  const words = useFilterWords();
  const { page, sort, ...narrowing } = filters;
  const { search, ...shown } = filters;
  const { search: _search, ...conditions } = narrowing;
  const areReversed = isReversed(filters);
  const query = useQuery({
    queryKey: ['deliveries', 'list', filters],
    queryFn: ({ signal }) =>
      request('GET /portal/api/buyer/deliveries', { query: { ...shown, pageSize: PAGE_SIZE }, search, signal }),
    placeholderData: keepPreviousData,
    enabled: !areReversed,
  });
  const isNarrowed = Object.values(narrowing).some((value) => value !== '');
  return (
    <Page
      title="Deliveries"
      description={<ZoneNote />}
      actions={<Export filters={narrowing} total={query.isPlaceholderData ? undefined : query.data?.total} />}
    >
      <DeliveriesFilters filters={narrowing} onChange={setFilters} />
      <FilterBar list="deliveries" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      {areReversed ? (
        <ReversedDays />
      ) : (
        <Loaded query={query} what="Loading deliveries">
          {(response) => (
            <Stack gap="md">
              <BackTo at={response.backTo} total={response.total} isSearch={search.trim() !== ''} />
              <DeliveriesTable
                caption="Deliveries"
                rows={response.data}
                verticals={response.verticals}
                list={{
                  name: 'deliveries',
                  at: queryText(filters),
                  isLater: page > 1,
                  sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                  fileOf: partnerListFile('deliveries', { ...shown, pageSize: PAGE_SIZE }, search),
                  ...(mayFile ? { renderBulkActions: (selected) => <ReturnSelected {...selected} /> } : {}),
                }}
                isStale={query.isPlaceholderData}
                empty={<Nothing response={response} isNarrowed={isNarrowed} />}
              />
              {response.total > 0 && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={response.total}
                  unit="deliveries"
                  sums={
                    <ListSumsLine
                      of={['deliveries', narrowing]}
                      read={(signal) =>
                        request('GET /portal/api/buyer/deliveries/sums', {
                          query: conditions,
                          search: search.trim(),
                          signal,
                        })
                      }
                      words={{ amounts: { spent: 'spent' } }}
                    />
                  }
                />
              )}
            </Stack>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function useFilterWords() {
  const offers = useOfferStates().data?.offers ?? [];
  return {
    search: ['Search'],
    status: ['Status'],
    eventType: ['Event type'],
    offer: ['Offer', (key: string) => offers.find(({ offerKey }) => offerKey === key)?.name ?? key],
    claim: ['Claim', labelIn(claimChoices)],
    source: ['Source'],
    state: ['US state'],
  } as const;
}

function BackTo({
  at,
  total,
  isSearch,
}: {
  readonly at: string | null;
  readonly total: number;
  readonly isSearch: boolean;
}): ReactNode {
  if (at === null) return null;
  return (
    <Alert variant="outline" color="gray" title="There may be more" role="status">
      {isSearch ? 'This search has too many matches, so only' : 'Only'} deliveries back to <Time at={at} /> were
      searched: {total} match. {isSearch ? 'Type more of the name or choose' : 'Choose'} days to find older ones.
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
      <Empty title="Type more digits">
        Enter at least the last four digits of a phone number, or a whole reference.
      </Empty>
    );
  }
  if (total > 0) return <Empty title="No deliveries on this page">Go back to an earlier page.</Empty>;
  if (isNarrowed) {
    return (
      <Empty title="No deliveries match">
        The search finds whole references, phone numbers or their last digits, email addresses, and the beginnings of
        names. The other filters apply as well.
      </Empty>
    );
  }
  return <Empty title="No deliveries yet">Leads appear here as soon as they are routed to you.</Empty>;
}
