// The list of partners with their recent figures.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Column } from '../../ui/data-table.tsx';
import { useFilters } from '../../ui/filters.ts';
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ordersOf, sortFilter } from '../../ui/list-orders.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Trend } from '../../ui/trend.tsx';
import { Ago } from '../../ui/zone.tsx';
import { useConsoleSession } from '../session.ts';
import type { PartnerRow } from '../../../src/console/partners.schema.ts';
import { usePartners } from '../configuration/configuration-api.ts';
import { valueWords } from '../configuration/field-words.ts';
import { FiguresNote, listFilters, ListOfThings, nameColumn } from '../configuration/list-of-things.tsx';
import { Allowed } from '../allowed.tsx';

const FILTERS = {
  ...listFilters('partner'),
  sort: sortFilter(['available', 'last', 'today', 'activeOffers', 'sold', 'revenue', 'returned']),
};

export function PartnersPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = usePartners(filters);
  const { currency } = useConsoleSession();
  return (
    <Page
      title="Partners"
      description={<FiguresNote what="Accounts that buy leads" trend="leads sold" />}
      actions={
        <Allowed to="configure">
          <ButtonLink to="/partners/new">New partner</ButtonLink>
        </Allowed>
      }
    >
      <ListOfThings
        kind="partner"
        known={FILTERS}
        filters={filters}
        onChange={setFilters}
        sort={{ by: filters.sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) }}
        query={query}
        columns={columns(currency)}
        empty={
          <Empty title="No partners yet">
            <PageLink to="/partners/new">Create a partner</PageLink>, then an offer for the leads that it buys.
          </Empty>
        }
      />
    </Page>
  );
}

function columns(currency: string): Array<Column<PartnerRow>> {
  return [
    nameColumn('Partner', ({ key, name }) => (
      <PageLink to="/partners/$partnerKey" params={{ partnerKey: key }}>
        {name}
      </PageLink>
    )),
    {
      key: 'status',
      title: 'Status',
      cell: ({ status, endpointDisabledAt, fundsPausedAt, ownPause }) => (
        <Stack gap={0}>
          <Status>{status}</Status>
          {endpointDisabledAt !== null && <Status tone="bad">endpoint disabled</Status>}
          {ownPause !== null && <Status tone="warn">paused by itself</Status>}
          {fundsPausedAt !== null && <Status tone="bad">paused: low funds</Status>}
        </Stack>
      ),
    },
    {
      key: 'available',
      title: 'Available funds',
      numeric: true,
      orders: ordersOf('available'),
      cell: ({ activity: { availableFunds } }) =>
        availableFunds === null ? 'No limit' : <Funds amount={availableFunds} currency={currency} />,
    },
    {
      key: 'last',
      title: 'Last lead',
      orders: ordersOf('last'),
      cell: ({ activity }) => <Ago at={activity.lastLeadAt} />,
    },
    { key: 'endpoint', title: 'Endpoint', cell: (row) => <EndpointLink row={row} /> },
    {
      key: 'today',
      title: 'Today',
      numeric: true,
      orders: ordersOf('today'),
      cell: ({ activity: { today } }) =>
        today === null ? <span aria-label="no active offers">—</span> : todayWords(today),
    },
    {
      key: 'trend',
      title: 'Trend',
      cell: ({ activity }) => <Trend counts={activity.trend} unit="lead" />,
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
      orders: ordersOf('activeOffers'),
      cell: ({ figures }) => `${formatNumber(figures.activeOffers)} of ${formatNumber(figures.offers)}`,
    },
    {
      key: 'sold',
      title: 'Sold',
      numeric: true,
      orders: ordersOf('sold'),
      cell: ({ figures }) => formatNumber(figures.sold),
    },
    {
      key: 'revenue',
      title: 'Revenue',
      numeric: true,
      orders: ordersOf('revenue'),
      cell: ({ figures }) => formatMoney(figures.revenue, currency),
    },
    {
      key: 'returned',
      title: 'Returned',
      numeric: true,
      orders: ordersOf('returned'),
      cell: ({ figures }) => formatNumber(figures.returned),
    },
  ];
}

function Funds({ amount, currency }: { readonly amount: number; readonly currency: string }): ReactNode {
  const text = formatMoney(amount, currency);
  return amount > 0 ? (
    text
  ) : (
    <Text component="span" inherit c="var(--lm-bad)">
      {text}
    </Text>
  );
}

const HEALTH: Readonly<Record<PartnerRow['activity']['endpoint'], readonly [word: string, tone: Tone]>> = {
  healthy: ['Healthy', 'good'],
  unsteady: ['Unsteady', 'warn'],
  failing: ['Failing', 'bad'],
  disabled: ['Disabled', 'bad'],
  not_set: ['Not set', 'warn'],
  none: ['API only', 'idle'],
};

function EndpointLink({ row: { key, activity } }: { readonly row: PartnerRow }): ReactNode {
  const [word, tone] = HEALTH[activity.endpoint];
  const status = <Status tone={tone}>{word}</Status>;
  return activity.endpoint === 'none' ? (
    status
  ) : (
    <PageLink to="/endpoints" search={{ search: key }}>
      {status}
    </PageLink>
  );
}

function todayWords({ sold, cap }: NonNullable<PartnerRow['activity']['today']>): string {
  return cap === null ? `${formatNumber(sold)}, no cap` : `${formatNumber(sold)} of ${formatNumber(cap)}`;
}
