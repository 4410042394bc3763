// All partners with what they came to lately.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { choiceFilter, pageFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useConsoleSession } from '../session.ts';
import type { PartnerRow } from '../../../src/console/partners.schema.ts';
import { FIGURE_DAYS, usePartners } from '../configuration/configuration-api.ts';
import { valueWords } from '../configuration/field-words.ts';
import { ListFilters } from '../configuration/list-filters.tsx';
import { Allowed } from '../allowed.tsx';

const STATUSES = ['active', 'paused', 'suspended'] as const;
const FILTERS = { search: textFilter, status: choiceFilter(['', ...STATUSES]), page: pageFilter };

export function PartnersPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = usePartners(filters);
  const { currency } = useConsoleSession();
  const isFiltered = filters.search !== '' || filters.status !== '';
  return (
    <Page
      title="Partners"
      description={`Who buys leads. Figures are of the last ${FIGURE_DAYS} days.`}
      actions={
        <Allowed to="configure">
          <ButtonLink to="/partners/new">New partner</ButtonLink>
        </Allowed>
      }
    >
      <ListFilters
        filters={filters}
        onChange={(change, options) => setFilters(change as Partial<typeof filters>, options)}
        label="Search partners"
        statuses={STATUSES}
      />
      <Loaded query={query} what="Loading partners">
        {({ data, total, pageSize }) => (
          <>
            <DataTable
              caption="Partners"
              columns={columns(currency)}
              rows={data}
              rowKey={({ key }) => key}
              isStale={query.isPlaceholderData}
              empty={
                isFiltered ? (
                  <Empty title="No partners match">Search for something else, or for any status.</Empty>
                ) : (
                  <Empty title="No partners yet">
                    <PageLink to="/partners/new">Create the first one</PageLink>, then an offer that says what it buys.
                  </Empty>
                )
              }
            />
            <Pager page={filters.page} pageSize={pageSize} total={total} unit="partners" />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function columns(currency: string): Array<Column<PartnerRow>> {
  return [
    {
      key: 'name',
      title: 'Partner',
      cell: ({ key, name }) => (
        <Stack gap={0}>
          <PageLink to="/partners/$partnerKey" params={{ partnerKey: key }}>
            {name}
          </PageLink>
          <Text size="xs" c="dimmed">
            {key}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'status',
      title: 'Status',
      cell: ({ status, endpointDisabledAt }) => (
        <Stack gap={0}>
          <Status>{status}</Status>
          {endpointDisabledAt !== null && <Status tone="bad">endpoint disabled</Status>}
        </Stack>
      ),
    },
    {
      key: 'channels',
      title: 'Channels',
      cell: ({ channels }) => (channels.length === 0 ? 'API only' : valueWords('channels', channels, currency)),
    },
    { key: 'billing', title: 'Billing', cell: ({ billing }) => billing.mode },
    {
      key: 'offers',
      title: 'Active offers',
      numeric: true,
      cell: ({ figures }) => `${formatNumber(figures.activeOffers)} of ${formatNumber(figures.offers)}`,
    },
    { key: 'sold', title: 'Sold', numeric: true, cell: ({ figures }) => formatNumber(figures.sold) },
    { key: 'revenue', title: 'Revenue', numeric: true, cell: ({ figures }) => formatMoney(figures.revenue, currency) },
    { key: 'returned', title: 'Returned', numeric: true, cell: ({ figures }) => formatNumber(figures.returned) },
  ];
}
