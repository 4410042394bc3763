// The list of leads, newest first, with filters and a search by id, phone, email address or name.
import { Box, Group, Select, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { DayFields, DayPresets, ReversedDays } from '../../ui/day-presets.tsx';
import { isReversed } from '../../ui/days.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterFields } from '../../ui/filter-fields.tsx';
import {
  choiceFilter,
  cursorFilter,
  dayFilter,
  privateTextFilter,
  queryText,
  textFilter,
  useFilters,
} from '../../ui/filters.ts';
import { labelIn } from '../../ui/set-filters.ts';
import { endOfDay, startOfDay } from '../day-bounds.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { TIME_ORDERS } from '../../ui/time-order.ts';
import { Time, useZone, ZoneNote } from '../../ui/zone.tsx';
import { type Conditions, FoundLeads } from './found-leads.tsx';
import { stateChoices } from './lead-state.tsx';
import { LeadTable } from './lead-table.tsx';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { PartnerField, usePartnerWords } from '../ledger/partner-field.tsx';
import { SearchField } from './search-field.tsx';
import { SupplierField, useSupplierWords } from './supplier-field.tsx';
import { useVerticalRows, useVerticalWords, VerticalFilter } from '../verticals/vertical-choice.tsx';

/** Part of a state's code is none to ask for. */
const usStateFilter = {
  read: (text: string | undefined): string =>
    text !== undefined && /^[A-Za-z]{1,2}$/.test(text) ? text.toUpperCase() : '',
  write: (value: string): string => value,
};

const FILTERS = {
  search: privateTextFilter,
  state: choiceFilter(['', 'received', 'held', 'routed', 'no_buyer', 'duplicate', 'suppressed', 'invalid']),
  supplier: textFilter,
  vertical: textFilter,
  usState: usStateFilter,
  partner: textFilter,
  from: dayFilter,
  to: dayFilter,
  before: cursorFilter,
  sort: choiceFilter(['', 'received']),
};

export function LeadsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const zone = useZone();
  const hasVerticals = useVerticalRows().length > 0;
  const { search, state, supplier, vertical, usState, partner, before, sort } = filters;
  const words = {
    search: ['Search'],
    state: ['Status', labelIn(stateChoices)],
    supplier: useSupplierWords(supplier),
    vertical: useVerticalWords(),
    usState: ['US state'],
    partner: usePartnerWords(partner),
  } as const;
  const conditions = {
    state,
    supplier,
    vertical,
    usState: usState.length === 2 ? usState : '',
    partner,
    from: startOfDay(filters.from, zone),
    to: endOfDay(filters.to, zone),
  };
  return (
    <Page title="Leads" description={<ZoneNote />}>
      <Box maw={520}>
        <SearchField
          value={search}
          placeholder="Id, phone, email or name"
          onChange={(text) => setFilters({ search: text }, { push: false })}
        />
      </Box>
      <FilterFields cols={{ base: 1, xs: 2, md: 3, lg: hasVerticals ? 7 : 6 }}>
        <Select
          label="Status"
          data={stateChoices}
          value={state}
          allowDeselect={false}
          onChange={(value) => setFilters({ state: FILTERS.state.read(value ?? undefined) })}
        />
        <SupplierField value={supplier} onChange={(value) => setFilters({ supplier: value })} />
        <VerticalFilter value={vertical} onChange={(value) => setFilters({ vertical: value })} />
        <PartnerField label="Sold to" value={partner} onChange={(value) => setFilters({ partner: value })} />
        <TextInput
          label="US state"
          placeholder="CA"
          maxLength={2}
          value={usState}
          onChange={(event) => setFilters({ usState: event.currentTarget.value.toUpperCase() }, { push: false })}
        />
        <DayFields
          days={filters}
          labels={['Received from', 'Received through']}
          onChange={(days) => setFilters(days, { push: false })}
        />
      </FilterFields>
      <DayPresets days={filters} onChange={(days) => setFilters({ ...days })} />
      <FilterBar list="leads" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      {isReversed(filters) ? (
        <ReversedDays />
      ) : search.trim() === '' ? (
        <LeadPages
          conditions={conditions}
          before={before}
          sort={sort}
          onSort={(by) => setFilters({ sort: FILTERS.sort.read(by) })}
        />
      ) : (
        <FoundLeads key={search.trim()} search={search.trim()} conditions={conditions} />
      )}
      {!isReversed(filters) && (
        <ListSumsLine
          of={['leads', conditions, search.trim()]}
          read={(signal) =>
            request('GET /console/api/leads/sums', { query: conditions, search: search.trim(), signal })
          }
          words={{ unit: ['lead', 'leads'], counts: { sold: 'sold' }, amounts: { charged: '' } }}
        />
      )}
    </Page>
  );
}

const WORDS = {
  '': { ...TIME_ORDERS.newest, first: 'Newest leads, updated live', later: 'Older leads' },
  received: { ...TIME_ORDERS.oldest, first: 'Oldest leads', later: 'Newer leads' },
} as const;

/** The first page is updated live; older pages are not. */
function LeadPages({
  conditions,
  before,
  sort,
  onSort,
}: {
  readonly conditions: Conditions;
  readonly before: string;
  readonly sort: '' | 'received';
  readonly onSort: (by: string) => void;
}): ReactNode {
  const query = useQuery({
    queryKey: [before === '' ? 'leads' : 'older-leads', 'list', conditions, before, sort],
    queryFn: ({ signal }) => request('GET /console/api/leads', { query: { ...conditions, before, sort }, signal }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.values(conditions).some((value) => value !== '');
  const words = WORDS[sort];
  return (
    <Loaded query={query} what="Loading leads">
      {({ data, next, backTo, currency }) => (
        <>
          <LeadTable
            leads={data}
            currency={currency}
            isStale={query.isPlaceholderData}
            list={{
              name: 'leads',
              at: queryText({ ...conditions, before, sort }),
              sort: { by: sort, onChange: onSort },
              isLater: before !== '',
              fileOf: listFile('leads', { ...conditions, before, sort }),
            }}
            empty={<NoLeads isFiltered={isFiltered} isFirst={before === ''} isAll={next === null} words={words} />}
          />
          <Group justify="space-between" component="nav" aria-label="Pages of leads">
            <Text size="sm" c="dimmed" role="status">
              {backTo !== null && data.length === 0 ? (
                <>
                  {words.searched} <Time at={backTo} />
                </>
              ) : before === '' ? (
                words.first
              ) : (
                words.later
              )}
            </Text>
            <Group gap="xs">
              {before !== '' && (
                <ButtonLink to="." search={searchWith({})} size="compact-sm" variant="default">
                  {words.start}
                </ButtonLink>
              )}
              {next !== null && (
                <ButtonLink to="." search={searchWith({ before: next })} size="compact-sm" variant="default">
                  {data.length === 0 ? words.search : words.next}
                </ButtonLink>
              )}
            </Group>
          </Group>
        </>
      )}
    </Loaded>
  );
}

/** The current query with another start of the list. */
function searchWith({ before }: { readonly before?: string }): Readonly<Record<string, string | undefined>> {
  return { ...Object.fromEntries(new URLSearchParams(location.search)), before };
}

function NoLeads({
  isFiltered,
  isFirst,
  isAll,
  words,
}: {
  readonly isFiltered: boolean;
  readonly isFirst: boolean;
  readonly isAll: boolean;
  readonly words: (typeof WORDS)[keyof typeof WORDS];
}): ReactNode {
  if (!isAll) return <Empty title="No matching leads so far">{words.search} leads below.</Empty>;
  if (!isFirst) return <Empty title={`${words.none} leads`} />;
  return isFiltered ? (
    <Empty title="No leads match">Change the filters.</Empty>
  ) : (
    <Empty title="No leads yet">Leads appear here as soon as suppliers post them.</Empty>
  );
}
