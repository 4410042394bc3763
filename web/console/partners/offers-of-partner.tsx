// The offers of a partner with what they sold lately.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { choiceFilter, pageFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useConsoleSession } from '../session.ts';
import type { OfferRow } from '../../../src/console/offers.schema.ts';
import { useOffers } from '../configuration/configuration-api.ts';
import { valueWords } from '../configuration/field-words.ts';
import { ListFilters } from '../configuration/list-filters.tsx';
import { Allowed } from '../allowed.tsx';

const STATUSES = ['active', 'paused', 'closed'] as const;
const FILTERS = { search: textFilter, status: choiceFilter(['', ...STATUSES]), page: pageFilter };

export function OffersOfPartner({ partnerKey }: { readonly partnerKey: string }): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useOffers({ ...filters, partner: partnerKey });
  const { currency } = useConsoleSession();
  const isFiltered = filters.search !== '' || filters.status !== '';
  return (
    <Section
      title="Offers"
      actions={
        <Allowed to="configure">
          <ButtonLink to="/partners/$partnerKey/offers/new" params={{ partnerKey }}>
            New offer
          </ButtonLink>
        </Allowed>
      }
    >
      <ListFilters
        filters={filters}
        onChange={(change, options) => setFilters(change as Partial<typeof filters>, options)}
        label="Search offers"
        statuses={STATUSES}
      />
      <Loaded query={query} what="Loading offers">
        {({ data, total, pageSize }) => (
          <>
            <DataTable
              caption="Offers of the partner"
              columns={columns(partnerKey, currency)}
              rows={data}
              rowKey={({ key }) => key}
              isStale={query.isPlaceholderData}
              empty={
                isFiltered ? (
                  <Empty title="No offers match">Search for something else, or for any status.</Empty>
                ) : (
                  <Empty title="No offers yet">Without an offer this partner buys nothing.</Empty>
                )
              }
            />
            <Pager page={filters.page} pageSize={pageSize} total={total} unit="offers" />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function columns(partnerKey: string, currency: string): Array<Column<OfferRow>> {
  return [
    {
      key: 'name',
      title: 'Offer',
      cell: ({ key, name }) => (
        <Stack gap={0}>
          <PageLink to="/partners/$partnerKey/offers/$offerKey" params={{ partnerKey, offerKey: key }}>
            {name}
          </PageLink>
          <Text size="xs" c="dimmed">
            {key}
          </Text>
        </Stack>
      ),
    },
    { key: 'status', title: 'Status', cell: ({ status }) => <Status>{status}</Status> },
    { key: 'type', title: 'Sells', cell: ({ eventType }) => (eventType === 'Lead Sale' ? 'Leads' : 'Booked calls') },
    {
      key: 'payout',
      title: 'Price',
      numeric: true,
      cell: ({ payout }) => (payout === null ? '—' : formatMoney(payout, currency)),
    },
    { key: 'sale', title: 'Sale', cell: ({ sale }) => (sale === 'exclusive' ? 'exclusive' : 'shared') },
    { key: 'states', title: 'States', cell: ({ filters }) => statesWords(filters.states, currency) },
    { key: 'cap', title: 'A day', numeric: true, cell: ({ caps }) => valueWords('caps.daily', caps.daily, currency) },
    { key: 'sold', title: 'Sold', numeric: true, cell: ({ figures }) => formatNumber(figures.sold) },
    { key: 'revenue', title: 'Revenue', numeric: true, cell: ({ figures }) => formatMoney(figures.revenue, currency) },
  ];
}

/** A long list says how long it is. */
function statesWords(states: readonly string[], currency: string): string {
  return states.length > 6 ? `${states.length} states` : valueWords('filters.states', states, currency);
}
