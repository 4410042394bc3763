// The list of the partner's returns and disputes with filters by kind and status.
import { Group, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { choiceFilter, pageFilter, queryText, useFilters } from '../../../ui/filters.ts';
import { labelIn } from '../../../ui/set-filters.ts';
import { formatMoney } from '../../../ui/formats.ts';
import { PageLink } from '../../../ui/link.tsx';
import { ListSumsLine } from '../../../ui/list-sums-line.tsx';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time, ZoneNote } from '../../../ui/zone.tsx';
import { partnerListFile } from '../../list-file.ts';
import { request } from '../../portal-api.ts';
import { usePortalSession } from '../../session.ts';
import type { PortalClaim as Claim } from '../../../../src/portal/buyer/claims.schema.ts';
import { claimStatuses, kindWords, reasonWords } from './claim-words.ts';

const KINDS = ['', 'return', 'dispute'] as const;
const STATUSES = ['', ...claimStatuses] as const;
const FILTERS = {
  kind: choiceFilter(KINDS),
  status: choiceFilter(STATUSES),
  sort: choiceFilter(['', 'filed']),
  page: pageFilter,
};
const KIND_CHOICES = KINDS.map((value) => ({ value, label: value === '' ? 'All' : `${kindWords[value]}s` }));
const STATUS_CHOICES = STATUSES.map((value) => ({ value, label: value === '' ? 'All' : value.replaceAll('_', ' ') }));
const WORDS = { kind: ['Kind', labelIn(KIND_CHOICES)], status: ['Status', labelIn(STATUS_CHOICES)] } as const;
const PAGE_SIZE = 25;

export function ClaimsPage(): ReactNode {
  const { currency } = usePortalSession();
  const [filters, setFilters] = useFilters(FILTERS);
  const { kind, status, sort, page } = filters;
  const query = useQuery({
    queryKey: ['claims', 'list', filters],
    queryFn: ({ signal }) =>
      request('GET /portal/api/buyer/claims', { query: { ...filters, pageSize: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Claims" description={<ZoneNote />}>
      <Text size="sm">
        Your returns and disputes. To file one, open its delivery:{' '}
        <PageLink to="/deliveries">find the delivery</PageLink>.
      </Text>
      <Group align="flex-end" gap="md">
        <Select
          label="Kind"
          w={{ base: '100%', xs: 160 }}
          allowDeselect={false}
          data={KIND_CHOICES}
          value={kind}
          onChange={(value) => setFilters({ kind: KINDS.find((one) => one === value) ?? '' })}
        />
        <Select
          label="Status"
          w={{ base: '100%', xs: 180 }}
          allowDeselect={false}
          data={STATUS_CHOICES}
          value={status}
          onChange={(value) => setFilters({ status: STATUSES.find((one) => one === value) ?? '' })}
        />
      </Group>
      <FilterBar list="claims" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading claims">
        {({ data, total }) => (
          <Stack gap="md">
            <DataTable
              caption="Claims"
              columns={columnsOf(currency)}
              rows={data}
              rowKey={({ id }) => id}
              isStale={query.isPlaceholderData}
              list={{
                name: 'claims',
                at: queryText(filters),
                isLater: page > 1,
                sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                fileOf: partnerListFile('claims', { ...filters, pageSize: PAGE_SIZE }),
              }}
              empty={<Nothing isNarrowed={kind !== '' || status !== ''} total={total} />}
            />
            {total > 0 && (
              <Pager
                page={page}
                pageSize={PAGE_SIZE}
                total={total}
                unit="claims"
                sums={
                  <ListSumsLine
                    of={['claims', kind, status]}
                    read={(signal) => request('GET /portal/api/buyer/claims/sums', { query: { kind, status }, signal })}
                    words={{ amounts: { credited: 'credited' } }}
                  />
                }
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function columnsOf(currency: string): readonly Column<Claim>[] {
  return [
    {
      key: 'claim',
      title: 'Claim',
      cell: ({ id, kind, deliveryRef }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <PageLink to="/claims/$claimId" params={{ claimId: id }}>
            {kindWords[kind]} of {deliveryRef}
          </PageLink>
        </span>
      ),
    },
    { key: 'status', title: 'Status', cell: ({ status }) => <Status>{status}</Status> },
    {
      key: 'reason',
      title: 'Reason',
      cell: ({ reason }) => (
        <Text size="sm" miw={150}>
          {reasonWords[reason]}
        </Text>
      ),
    },
    { key: 'price', title: 'Price', numeric: true, cell: ({ payout }) => formatMoney(payout, currency) },
    {
      key: 'filed',
      title: 'Filed',
      orders: { ascending: 'filed', descending: '' },
      cell: ({ filedAt }) => <Time at={filedAt} kind="short" />,
    },
    { key: 'decision', title: 'Decision', cell: (claim) => <Decision claim={claim} /> },
    {
      key: 'credit',
      title: 'Credit',
      numeric: true,
      cell: ({ credit }) => (credit === null ? '' : formatMoney(credit.amount, currency)),
    },
  ];
}

function Decision({ claim: { status, decidedAt, decisionDueAt } }: { readonly claim: Claim }): ReactNode {
  if (decidedAt !== null) return <Time at={decidedAt} kind="short" />;
  if (status === 'withdrawn') return 'None';
  return (
    <>
      due by <Time at={decisionDueAt} kind="short" />
    </>
  );
}

function Nothing({ isNarrowed, total }: { readonly isNarrowed: boolean; readonly total: number }): ReactNode {
  if (total > 0) return <Empty title="No claims on this page">Go back to an earlier page.</Empty>;
  if (isNarrowed) return <Empty title="No claims match">Choose another kind or status.</Empty>;
  return (
    <Empty title="No claims yet">If a lead itself is bad, open its delivery and file a return or dispute there.</Empty>
  );
}
