// The log of messages: every attempt to send a lead, a test or a decision to a partner, newest or oldest first, with filters in the address.
import { Box, Group, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Message } from '../../../src/console/messages.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Allowed } from '../allowed.tsx';
import { DayFields, DayPresets, ReversedDays } from '../../ui/day-presets.tsx';
import { isReversed } from '../../ui/days.ts';
import {
  choiceFilter,
  cursorFilter,
  dayFilter,
  type Filter,
  queryText,
  textFilter,
  useFilters,
} from '../../ui/filters.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterFields } from '../../ui/filter-fields.tsx';
import { CHANNEL_NAMES } from '../../ui/channel-names.ts';
import { formatSpan } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { TIME_ORDERS } from '../../ui/time-order.ts';
import { Time, useZone, ZoneNote } from '../../ui/zone.tsx';
import { request } from '../console-api.ts';
import { endOfDay, startOfDay } from '../day-bounds.ts';
import { SearchField } from '../leads/search-field.tsx';
import { PartnerField, usePartnerWords } from '../ledger/partner-field.tsx';
import { PARTNER_COLUMN } from '../partners/partner-column.tsx';
import { listFile } from '../list-file.ts';
import { OUTCOMES, responseWords, TYPES } from './message-words.ts';

/** A code such as 503, a class such as 5xx, or `none`; anything else is no filter. */
const codeFilter: Filter<string> = {
  read: (text) => (text !== undefined && /^(?:none|[1-5](?:xx|\d{2}))$/.test(text) ? text : ''),
  write: (value) => value,
};

const FILTERS = {
  about: textFilter,
  partner: textFilter,
  channel: choiceFilter(['', 'webhook', 'email', 'sms', 'sheets', 'sheets_script']),
  outcome: choiceFilter(['', 'taken', 'retried', 'failed', 'dead_letter']),
  status: codeFilter,
  type: choiceFilter(['', 'lead.delivered', 'lead.test', 'return.reviewed', 'dispute.reviewed']),
  from: dayFilter,
  to: dayFilter,
  before: cursorFilter,
  sort: choiceFilter(['', 'at']),
};
type Conditions = { readonly [Name in keyof typeof FILTERS]: string };

const REFETCH_EVERY_MS = 5000;

export function MessagesPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const words = {
    about: ['Search'],
    partner: usePartnerWords(filters.partner),
    channel: ['Channel', wordIn(CHANNEL_NAMES)],
    outcome: ['Outcome', wordIn(OUTCOME_WORDS)],
    status: ['Response', wordIn(CODES)],
    type: ['Message', wordIn(TYPES)],
  } as const;
  return (
    <Page
      title="Messages"
      actions={
        <Allowed to="operate">
          {' '}
          <ButtonLink to="/messages/replay" search={{ partner: filters.partner }} variant="default">
            Replay deliveries
          </ButtonLink>
        </Allowed>
      }
      description={
        <>
          Every attempt to send a lead, a test or a decision to a partner. <ZoneNote />
        </>
      }
    >
      <Box maw={520}>
        <SearchField
          value={filters.about}
          placeholder="Delivery, its reference, or lead id"
          onChange={(about) => setFilters({ about }, { push: false })}
        />
      </Box>
      <FilterFields cols={{ base: 1, xs: 2, md: 4 }}>
        <PartnerField value={filters.partner} onChange={(partner) => setFilters({ partner })} />
        <Choice
          label="Outcome"
          all="All outcomes"
          words={OUTCOME_WORDS}
          value={filters.outcome}
          onChange={(value) => setFilters({ outcome: FILTERS.outcome.read(value) })}
        />
        <Choice
          label="Response"
          all="All responses"
          words={CODES}
          value={filters.status}
          onChange={(value) => setFilters({ status: value })}
        />
        <Choice
          label="Channel"
          all="All channels"
          words={CHANNEL_NAMES}
          value={filters.channel}
          onChange={(value) => setFilters({ channel: FILTERS.channel.read(value) })}
        />
        <Choice
          label="Message"
          all="All messages"
          words={TYPES}
          value={filters.type}
          onChange={(value) => setFilters({ type: FILTERS.type.read(value) })}
        />
        <DayFields days={filters} onChange={setFilters} />
      </FilterFields>
      <DayPresets days={filters} onChange={setFilters} />
      <FilterBar list="messages" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      {isReversed(filters) ? (
        <ReversedDays />
      ) : (
        <MessagePages filters={filters} onSort={(by) => setFilters({ sort: FILTERS.sort.read(by) })} />
      )}
    </Page>
  );
}

/** A test in progress is over before it could be looked for. */
const { sending: _sending, ...SOUGHT } = OUTCOMES;
const OUTCOME_WORDS = Object.fromEntries(Object.entries(SOUGHT).map(([key, { words }]) => [key, words]));

const CODES: Readonly<Record<string, string>> = {
  '2xx': '2xx, success',
  '3xx': '3xx, redirect',
  '4xx': '4xx, rejected',
  '5xx': '5xx, server error',
  none: 'No response',
};

function wordIn(words: Readonly<Record<string, string>>): (value: string) => string {
  return (value) => words[value] ?? value;
}

function Choice({
  label,
  all,
  words,
  value,
  onChange,
}: {
  readonly label: string;
  readonly all: string;
  readonly words: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const data = [
    { value: '', label: all },
    ...Object.entries(words).map(([key, text]) => ({ value: key, label: text })),
  ];
  // An exact code from a link has no entry of its own.
  const isListed = data.some((one) => one.value === value);
  return (
    <Select
      label={label}
      data={isListed ? data : [...data, { value, label: value }]}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

function MessagePages({
  filters,
  onSort,
}: {
  readonly filters: Conditions;
  readonly onSort: (by: string) => void;
}): ReactNode {
  const zone = useZone();
  const about = filters.about.trim();
  const asked = { ...filters, about, from: startOfDay(filters.from, zone), to: endOfDay(filters.to, zone) };
  const isFirst = filters.before === '';
  const query = useQuery({
    queryKey: ['messages', 'list', asked],
    // The filters have no other values: each is read by its own filter.
    queryFn: ({ signal }) =>
      request('GET /console/api/messages', {
        query: { ...asked, outcome: FILTERS.outcome.read(asked.outcome), sort: FILTERS.sort.read(asked.sort) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: isFirst ? REFETCH_EVERY_MS : false,
  });
  const { before: _sought, sort, ...conditions } = asked;
  const words = TIME_ORDERS[sort === '' ? 'newest' : 'oldest'];
  const { before: _before, ...search } = Object.fromEntries(
    Object.entries({ ...filters, about }).map(([name, value]) => [name, value === '' ? undefined : value]),
  );
  const isFiltered = Object.entries(search).some(([name, value]) => name !== 'sort' && value !== undefined);
  return (
    <Loaded query={query} what="Loading messages">
      {({ data, next, backTo }) => (
        <>
          <DataTable
            caption={`Attempts at messages, ${words.order}`}
            columns={COLUMNS}
            rows={data}
            rowKey={({ attemptId }) => attemptId}
            isStale={query.isPlaceholderData}
            list={{
              name: 'messages',
              at: queryText({ ...filters, about }),
              isLater: !isFirst,
              sort: { by: sort, onChange: onSort },
              fileOf: listFile('messages', asked),
            }}
            empty={
              next !== null ? (
                <Empty title="No matching messages so far">{words.search} messages below.</Empty>
              ) : isFiltered ? (
                <Empty title="No messages match">Change the filters.</Empty>
              ) : (
                <Empty title="No messages yet">Attempts appear here when leads are sent to partners.</Empty>
              )
            }
          />
          <Group justify="space-between" component="nav" aria-label="Pages of messages">
            <Text size="sm" c="dimmed" role="status">
              {backTo !== null && data.length === 0 && (
                <>
                  {words.searched} <Time at={backTo} />
                </>
              )}
            </Text>
            <Group gap="xs">
              {!isFirst && (
                <ButtonLink to="." search={search} size="compact-sm" variant="default">
                  {words.start}
                </ButtonLink>
              )}
              {next !== null && (
                <ButtonLink to="." search={{ ...search, before: next }} size="compact-sm" variant="default">
                  {data.length === 0 ? words.search : words.next}
                </ButtonLink>
              )}
            </Group>
          </Group>
          <ListSumsLine
            of={['messages', conditions]}
            read={(signal) =>
              request('GET /console/api/messages/sums', {
                query: { ...conditions, outcome: FILTERS.outcome.read(conditions.outcome) },
                signal,
              })
            }
            words={{
              unit: ['attempt', 'attempts'],
              counts: { succeeded: 'succeeded', failed: 'failed' },
            }}
          />
        </>
      )}
    </Loaded>
  );
}

const COLUMNS: ReadonlyArray<Column<Message>> = [
  {
    key: 'at',
    title: 'Time',
    isRowHeader: true,
    orders: { ascending: 'at', descending: '' },
    cell: ({ attemptId, at }) => (
      <PageLink to="/messages/$attemptId" params={{ attemptId }}>
        <Time at={at} kind="short" />
      </PageLink>
    ),
  },
  PARTNER_COLUMN,
  {
    key: 'message',
    title: 'Message',
    cell: ({ type, leadId, deliveryRef, attempt }) => (
      <>
        {TYPES[type] ?? type}
        {deliveryRef !== null && leadId !== null && (
          <>
            {' '}
            <span style={{ whiteSpace: 'nowrap' }}>
              <PageLink to="/leads/$leadId" params={{ leadId }}>
                {deliveryRef}
              </PageLink>
            </span>
          </>
        )}
        {attempt > 1 && (
          <Text span size="xs" c="dimmed">
            {' '}
            attempt {attempt}
          </Text>
        )}
      </>
    ),
  },
  { key: 'channel', title: 'Channel', cell: ({ channel }) => CHANNEL_NAMES[channel] ?? channel },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => <Status tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].words}</Status>,
  },
  {
    key: 'response',
    title: 'Response',
    cell: (message) => (
      <Text span size="sm" style={{ overflowWrap: 'anywhere', display: 'block', maxWidth: 320 }} lineClamp={2}>
        {responseWords(message) ?? <span aria-label="none">—</span>}
      </Text>
    ),
  },
  {
    key: 'latency',
    title: 'Duration',
    numeric: true,
    cell: ({ latencyMs }) => (latencyMs === null ? <span aria-label="not known">—</span> : formatSpan(latencyMs)),
  },
];
