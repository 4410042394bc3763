// The operator's audit log page: filters, and all changes with author, target and values.
import { Autocomplete, Box, Group, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { ChangedFields } from '../../ui/changed-fields.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DayFields, DayPresets } from '../../ui/day-presets.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterFields } from '../../ui/filter-fields.tsx';
import { choiceFilter, cursorFilter, dayFilter, queryText, textFilter, useFilters } from '../../ui/filters.ts';
import { labelIn } from '../../ui/set-filters.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Step } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time, useZone, ZoneNote } from '../../ui/zone.tsx';
import type { AuditLogEvent } from '../../../src/console/audit.schema.ts';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { useSupplierWords } from '../leads/supplier-field.tsx';
import { PartnerField, usePartnerWords } from '../ledger/partner-field.tsx';
import { endOfDay, startOfDay } from '../day-bounds.ts';
import { actionWords, targetPage } from './audit-words.ts';

type ActorType = AuditLogEvent['actor']['type'];

const FILTERS = {
  actor: textFilter,
  actorType: choiceFilter(['', 'operator', 'buyer', 'supplier', 'system']),
  action: textFilter,
  target: textFilter,
  partner: textFilter,
  supplier: textFilter,
  from: dayFilter,
  until: dayFilter,
  before: cursorFilter,
};
const ACTORS = [
  { value: '', label: 'Anyone' },
  { value: 'operator', label: 'Operators' },
  { value: 'buyer', label: 'Partners' },
  { value: 'supplier', label: 'Suppliers' },
  { value: 'system', label: 'The service' },
];
const WHO: Readonly<Record<ActorType, string>> = {
  operator: 'operator',
  buyer: 'partner',
  supplier: 'supplier',
  system: 'the service',
};

export function AuditLogPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const zone = useZone();
  const asked = { ...filters, from: startOfDay(filters.from, zone), until: endOfDay(filters.until, zone) };
  const query = useQuery({
    queryKey: ['configuration', 'audit', filters, zone],
    queryFn: ({ signal }) => request('GET /console/api/audit-log', { query: asked, signal }),
    placeholderData: keepPreviousData,
  });
  const words = {
    actorType: ['Actor type', labelIn(ACTORS)],
    actor: ['Name'],
    action: ['Action', actionWords],
    target: ['Target'],
    partner: usePartnerWords(filters.partner),
    supplier: useSupplierWords(filters.supplier),
  } as const;
  return (
    <Page
      title="Audit log"
      description={
        <>
          All changes, newest first. Events cannot be changed or deleted. <ZoneNote />.
        </>
      }
    >
      <Filters filters={filters} change={setFilters} />
      <FilterBar list="audit-log" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      <Loaded query={query} what="Loading events">
        {({ data, next }) => (
          <>
            <DataTable
              caption="Audit events"
              columns={COLUMNS}
              rows={data}
              rowKey={({ id }) => id}
              isStale={query.isPlaceholderData}
              list={{
                name: 'audit-log',
                at: queryText(filters),
                isLater: filters.before !== '',
                fileOf: listFile('audit-log', asked),
              }}
              empty={
                <Empty title="No events match">
                  Change the filters. Names, actions and targets must match exactly.
                </Empty>
              }
            />
            <Steps isFirst={filters.before === ''} next={next} shown={data.length} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Values = {
  readonly actor: string;
  readonly actorType: '' | ActorType;
  readonly action: string;
  readonly target: string;
  readonly partner: string;
  readonly supplier: string;
  readonly from: string;
  readonly until: string;
};

function Filters({
  filters,
  change,
}: {
  readonly filters: Values;
  readonly change: (part: Partial<Values>) => void;
}): ReactNode {
  const choices = useQuery({
    queryKey: ['configuration', 'audit-choices'],
    queryFn: ({ signal }) => request('GET /console/api/audit-log/choices', { signal }),
    staleTime: 60_000,
  });
  const { actions = [], actors = [] } = choices.data ?? {};
  return (
    <Stack gap="sm">
      <FilterFields cols={{ base: 1, xs: 2, md: 4 }}>
        <Select
          label="Actor type"
          data={ACTORS}
          value={filters.actorType}
          allowDeselect={false}
          onChange={(chosen) => change({ actorType: FILTERS.actorType.read(chosen ?? undefined) })}
        />
        <ExactField
          label="Name"
          placeholder="Anyone"
          choices={actors}
          value={filters.actor}
          onChange={(actor) => change({ actor })}
        />
        <ExactField
          label="Action"
          placeholder="All actions"
          choices={actions}
          value={filters.action}
          onChange={(action) => change({ action })}
        />
        <ExactField
          label="Target"
          placeholder="Id or key"
          choices={[]}
          value={filters.target}
          onChange={(target) => change({ target })}
        />
        <PartnerField value={filters.partner} onChange={(partner) => change({ partner })} label="Partner" />
        <ExactField
          label="Supplier"
          placeholder="All suppliers"
          choices={[]}
          value={filters.supplier}
          onChange={(supplier) => change({ supplier })}
        />
        <DayFields
          days={{ from: filters.from, to: filters.until }}
          onChange={({ from = filters.from, to = filters.until }) => change({ from, until: to })}
        />
      </FilterFields>
      <DayPresets
        days={{ from: filters.from, to: filters.until }}
        onChange={({ from, to }) => change({ from, until: to })}
      />
    </Stack>
  );
}

/** An exact-match filter, applied when an option is chosen, on blur, or on Enter. */
function ExactField({
  label,
  placeholder,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly choices: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  // Null while the user is not typing.
  const [typed, setTyped] = useState<string | null>(null);
  const take = (text: string): void => {
    setTyped(null);
    if (text !== value) onChange(text);
  };
  return (
    <Autocomplete
      label={label}
      placeholder={placeholder}
      data={[...choices]}
      limit={30}
      value={typed ?? value}
      onChange={(text) => (text === '' ? take('') : setTyped(text))}
      onOptionSubmit={take}
      onBlur={() => take((typed ?? value).trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take((typed ?? value).trim());
      }}
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  );
}

function Steps({
  isFirst,
  next,
  shown,
}: {
  readonly isFirst: boolean;
  readonly next: string | null;
  readonly shown: number;
}): ReactNode {
  return (
    <Group justify="space-between" component="nav" aria-label="Pages of events">
      <Text size="sm" c="dimmed" role="status">
        {shown === 0 ? '' : next === null ? `${shown} events, no older ones` : `${shown} events, older ones available`}
      </Text>
      <Group gap="xs">
        <Step search={{ before: undefined }} isOff={isFirst} label="Newest" />
        <Step search={{ before: next ?? undefined }} isOff={next === null} label="Older" />
      </Group>
    </Group>
  );
}

/** Where the page is wide enough for all columns. */
const ON_ONE_LINE = { base: 0, xl: 'max-content' };

const COLUMNS: ReadonlyArray<Column<AuditLogEvent>> = [
  { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} kind={isOfThisYear(at) ? 'short' : 'full'} /> },
  {
    key: 'who',
    title: 'Actor',
    cell: ({ actor }) => (
      <Box miw={{ base: 0, xl: 170 }}>
        {actor.name}{' '}
        <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {WHO[actor.type]}
        </Text>
      </Box>
    ),
  },
  { key: 'address', title: 'IP address', cell: ({ ip }) => ip ?? <span aria-label="none">—</span> },
  {
    key: 'action',
    title: 'Action',
    isRowHeader: true,
    cell: ({ action }) => <Box miw={ON_ONE_LINE}>{actionWords(action)}</Box>,
  },
  {
    key: 'target',
    title: 'Target',
    cell: (event) => (
      <Box miw={ON_ONE_LINE}>
        <Target event={event} />
      </Box>
    ),
  },
  { key: 'changes', title: 'Changes', cell: ({ changes }) => <ChangedFields changes={changes} /> },
];

function isOfThisYear(at: string): boolean {
  return at.slice(0, 'YYYY'.length) === new Date().toISOString().slice(0, 'YYYY'.length);
}

function Target({ event: { target, partner, supplier } }: { readonly event: AuditLogEvent }): ReactNode {
  const page = targetPage(target);
  const owner = partner ?? supplier;
  return (
    <>
      {page === null ? target : <PageLink {...page}>{target}</PageLink>}
      {owner !== null && owner !== target && (
        <Text span size="xs" c="dimmed">
          {' '}
          of {owner}
        </Text>
      )}
    </>
  );
}
