// The queue of returns and disputes, by due time, and the decided ones.
import { Group, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterFields } from '../../ui/filter-fields.tsx';
import { choiceFilter, pageFilter, queryText, textFilter, useFilters } from '../../ui/filters.ts';
import { labelIn } from '../../ui/set-filters.ts';
import { formatAgo, formatMoney } from '../../ui/formats.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { PartnerField, usePartnerWords } from '../ledger/partner-field.tsx';
import { useVerticalRows, useVerticalWords, verticalColumn, VerticalFilter } from '../verticals/vertical-choice.tsx';
import type { QueuedClaim } from '../../../src/console/claims.schema.ts';
import { type Deciding, DecideSelected } from './decide-selected.tsx';
import { type QueueSearch, searchFor } from './review-query.ts';

const DecideDialog = lazyPart(async () => (await import('./decide-dialog.tsx')).DecideDialog, 'Loading the decision');

const FILTERS = {
  status: choiceFilter(['open', 'submitted', 'under_review', 'approved', 'denied', 'withdrawn', 'all']),
  kind: choiceFilter(['', 'return', 'dispute']),
  partner: textFilter,
  vertical: textFilter,
  sort: choiceFilter(['', 'due', '-due', 'filed', '-filed']),
  page: pageFilter,
};

const STATUSES = [
  { value: 'open', label: 'Waiting for a decision' },
  { value: 'submitted', label: 'Submitted' },
  { value: 'under_review', label: 'Under review' },
  { value: 'approved', label: 'Approved' },
  { value: 'denied', label: 'Denied' },
  { value: 'withdrawn', label: 'Withdrawn' },
  { value: 'all', label: 'All' },
];
const KINDS = [
  { value: '', label: 'Returns and disputes' },
  { value: 'return', label: 'Returns' },
  { value: 'dispute', label: 'Disputes' },
];

export function ClaimsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const hasVerticals = useVerticalRows().length > 0;
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const query = useQuery({
    queryKey: ['claims', 'list', filters],
    queryFn: ({ signal }) => request('GET /console/api/claims', { query: filters, signal }),
    placeholderData: keepPreviousData,
  });
  const words = {
    status: ['Status', labelIn(STATUSES)],
    kind: ['Kind', labelIn(KINDS)],
    partner: usePartnerWords(filters.partner),
    vertical: useVerticalWords(),
  } as const;
  const { page: _page, sort: _sort, ...conditions } = filters;
  const first = isOpen(filters.status) ? query.data?.data[0] : undefined;
  return (
    <Page
      title="Claims"
      description={<ZoneNote />}
      actions={
        first !== undefined && (
          <ButtonLink to="/claims/$claimId" params={{ claimId: first.id }} search={searchFor(filters)}>
            Review next claim
          </ButtonLink>
        )
      }
    >
      <FilterFields cols={{ base: 1, sm: hasVerticals ? 4 : 3 }}>
        <Select
          label="Status"
          data={STATUSES}
          value={filters.status}
          allowDeselect={false}
          onChange={(status) => setFilters({ status: FILTERS.status.read(status ?? undefined) })}
        />
        <Select
          label="Kind"
          data={KINDS}
          value={filters.kind}
          allowDeselect={false}
          onChange={(kind) => setFilters({ kind: FILTERS.kind.read(kind ?? undefined) })}
        />
        <PartnerField value={filters.partner} onChange={(partner) => setFilters({ partner })} />
        <VerticalFilter value={filters.vertical} onChange={(vertical) => setFilters({ vertical })} />
      </FilterFields>
      <FilterBar list="claims" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      <Loaded query={query} what="Loading claims">
        {({ data, page, pageSize, total, hasMore, currency }) => (
          <>
            <DataTable
              caption="Claims"
              columns={columnsFor({
                currency,
                hasVerticals,
                isDecided: !isOpen(filters.status),
                search: searchFor(filters),
              })}
              rows={data}
              rowKey={({ id }) => id}
              isStale={query.isPlaceholderData}
              list={{
                name: 'claims',
                at: queryText(filters),
                isLater: page > 1,
                sort: {
                  by: shownOrder(filters.status, filters.sort),
                  onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }),
                },
                fileOf: listFile('claims', filters),
                renderBulkActions: (selected) => <DecideSelected {...selected} onOpen={setDeciding} />,
              }}
              empty={
                <Empty title={isOpen(filters.status) ? 'No claims to decide' : 'No claims match'}>
                  {isOpen(filters.status)
                    ? 'Returns and disputes appear here when partners file them.'
                    : 'Change the filters.'}
                </Empty>
              }
            />
            <Pager
              page={page}
              pageSize={pageSize}
              total={total}
              unit="claims"
              hasMore={hasMore}
              sums={
                <ListSumsLine
                  of={['claims', conditions]}
                  read={(signal) => request('GET /console/api/claims/sums', { query: conditions, signal })}
                  words={{ amounts: { charged: 'charged' } }}
                />
              }
            />
          </>
        )}
      </Loaded>
      {deciding !== null && query.data !== undefined && (
        <DecideDialog deciding={deciding} currency={query.data.currency} onClose={() => setDeciding(null)} />
      )}
    </Page>
  );
}

/** In the list's own order if none is chosen, or if the claims have no order by due time. */
function shownOrder(status: string, sort: string): string {
  if (isOpen(status)) return sort === '' ? 'due' : sort;
  return sort === 'filed' ? 'filed' : '-filed';
}

function isOpen(status: string): boolean {
  return status === 'open' || status === 'submitted' || status === 'under_review';
}

type Shown = {
  readonly currency: string;
  readonly hasVerticals: boolean;
  readonly isDecided: boolean;
  readonly search: QueueSearch;
};

function columnsFor({ currency, hasVerticals, isDecided, search }: Shown): ReadonlyArray<Column<QueuedClaim>> {
  return [
    {
      key: 'claim',
      title: 'Claim',
      cell: ({ id, kind, deliveryRef }) => (
        <PageLink to="/claims/$claimId" params={{ claimId: id }} search={search}>
          <span style={{ whiteSpace: 'nowrap' }}>
            {kind === 'return' ? 'Return' : 'Dispute'} of {deliveryRef}
          </span>
        </PageLink>
      ),
    },
    {
      key: 'partner',
      title: 'Partner',
      cell: ({ partner, partnerName }) => (
        <PageLink to="/partners/$partnerKey" params={{ partnerKey: partner }}>
          {partnerName}
        </PageLink>
      ),
    },
    ...(hasVerticals ? [verticalColumn] : []),
    { key: 'reason', title: 'Reason', cell: ({ reasonMeaning }) => reasonMeaning },
    { key: 'amount', title: 'Charged', numeric: true, cell: ({ payout }) => formatMoney(payout, currency) },
    { key: 'status', title: 'Status', cell: ({ status }) => <Status>{status}</Status> },
    {
      key: 'filed',
      title: 'Filed',
      orders: { ascending: 'filed', descending: '-filed' },
      cell: ({ filedAt }) => <Time at={filedAt} kind="short" />,
    },
    isDecided
      ? { key: 'decided', title: 'Decided', cell: (claim) => <DecidedCell claim={claim} /> }
      : {
          key: 'due',
          title: 'Decision due',
          orders: { ascending: 'due', descending: '-due' },
          cell: (claim) => <DueCell claim={claim} />,
        },
  ];
}

function DueCell({ claim: { decisionDueAt, isLate } }: { readonly claim: QueuedClaim }): ReactNode {
  return (
    <Group gap={6} wrap="nowrap">
      <Time at={decisionDueAt} kind="short" />
      <Text
        span
        size="sm"
        {...(isLate ? { fw: 650, c: 'var(--lm-bad)' } : { c: 'dimmed' })}
        style={{ whiteSpace: 'nowrap' }}
      >
        {isLate ? `overdue, ${formatAgo(decisionDueAt, new Date())}` : formatAgo(decisionDueAt, new Date())}
      </Text>
    </Group>
  );
}

function DecidedCell({ claim: { decidedAt, decidedBy } }: { readonly claim: QueuedClaim }): ReactNode {
  if (decidedAt === null) return <span aria-label="not decided">—</span>;
  return (
    <>
      <Time at={decidedAt} kind="short" /> by {decidedBy}
    </>
  );
}
