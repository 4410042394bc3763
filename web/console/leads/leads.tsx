// All leads, newest first, and the search among them: by id, phone, e-mail address or name.
import { Box, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { choiceFilter, dayFilter, privateTextFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time, useZone, ZoneNote } from '../../ui/zone.tsx';
import { startOfDay } from './day-start.ts';
import { type Conditions, FoundLeads } from './found-leads.tsx';
import { stateChoices } from './lead-state.tsx';
import { LeadTable } from './lead-table.tsx';
import { request } from '../console-api.ts';
import { SearchField } from './search-field.tsx';
import { SupplierField } from './supplier-field.tsx';

const FILTERS = {
  search: privateTextFilter,
  state: choiceFilter(['', 'received', 'held', 'routed', 'no_buyer', 'duplicate', 'invalid']),
  supplier: textFilter,
  from: dayFilter,
  to: dayFilter,
  before: textFilter,
};

export function LeadsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const zone = useZone();
  const { search, state, supplier, before } = filters;
  const conditions = {
    state,
    supplier,
    from: startOfDay(filters.from, zone, 0),
    // The last day is included.
    to: startOfDay(filters.to, zone, 1),
  };
  return (
    <Page title="Leads" description={<ZoneNote />}>
      <Box maw={520}>
        <SearchField
          value={search}
          placeholder="Id, phone, e-mail or name"
          onChange={(text) => setFilters({ search: text, before: '' }, { push: false })}
        />
      </Box>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Select
          label="State"
          data={stateChoices}
          value={state}
          allowDeselect={false}
          onChange={(value) => setFilters({ state: FILTERS.state.read(value ?? undefined), before: '' })}
        />
        <SupplierField value={supplier} onChange={(value) => setFilters({ supplier: value, before: '' })} />
        <TextInput
          type="date"
          label="Received from"
          value={filters.from}
          onChange={(event) => setFilters({ from: event.currentTarget.value, before: '' }, { push: false })}
        />
        <TextInput
          type="date"
          label="Received until"
          value={filters.to}
          onChange={(event) => setFilters({ to: event.currentTarget.value, before: '' }, { push: false })}
        />
      </SimpleGrid>
      {search.trim() === '' ? (
        <LeadPages conditions={conditions} before={before} />
      ) : (
        <FoundLeads key={search.trim()} search={search.trim()} conditions={conditions} />
      )}
    </Page>
  );
}

/** The first page brings itself up to date; older ones stay as they were when they were asked for. */
function LeadPages({ conditions, before }: { readonly conditions: Conditions; readonly before: string }): ReactNode {
  const query = useQuery({
    queryKey: [before === '' ? 'leads' : 'older-leads', 'list', conditions, before],
    queryFn: ({ signal }) => request('GET /console/api/leads', { query: { ...conditions, before }, signal }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.values(conditions).some((value) => value !== '');
  return (
    <Loaded query={query} what="Loading leads">
      {({ data, next, backTo, currency }) => (
        <>
          <LeadTable
            leads={data}
            currency={currency}
            isStale={query.isPlaceholderData}
            empty={<NoLeads isFiltered={isFiltered} isFirst={before === ''} isAll={next === null} />}
          />
          <Group justify="space-between" component="nav" aria-label="Pages of leads">
            <Text size="sm" c="dimmed" role="status">
              {backTo !== null && data.length === 0 ? (
                <>
                  Looked through back to <Time at={backTo} />
                </>
              ) : before === '' ? (
                'The newest leads; new ones appear by themselves'
              ) : (
                'Older leads'
              )}
            </Text>
            <Group gap="xs">
              {before !== '' && (
                <ButtonLink to="." search={searchWith({})} size="compact-sm" variant="default">
                  Newest
                </ButtonLink>
              )}
              {next !== null && (
                <ButtonLink to="." search={searchWith({ before: next })} size="compact-sm" variant="default">
                  {data.length === 0 ? 'Look further back' : 'Older'}
                </ButtonLink>
              )}
            </Group>
          </Group>
        </>
      )}
    </Loaded>
  );
}

/** The address as it is, but for where the list begins. */
function searchWith({ before }: { readonly before?: string }): Readonly<Record<string, string | undefined>> {
  return { ...Object.fromEntries(new URLSearchParams(location.search)), before };
}

function NoLeads({
  isFiltered,
  isFirst,
  isAll,
}: {
  readonly isFiltered: boolean;
  readonly isFirst: boolean;
  readonly isAll: boolean;
}): ReactNode {
  if (!isAll) return <Empty title="None among the leads looked through so far">Look further back, below.</Empty>;
  if (!isFirst) return <Empty title="There are no older leads" />;
  return isFiltered ? (
    <Empty title="No such leads">Change the filters above to see others.</Empty>
  ) : (
    <Empty title="No leads yet">They appear here as soon as a supplier posts one.</Empty>
  );
}
