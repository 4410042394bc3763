// The list of a partner's offers with their recent figures.
import type { ReactNode } from 'react';

import type { Column } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { useFilters } from '../../ui/filters.ts';
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useConsoleSession } from '../session.ts';
import type { OfferRow } from '../../../src/console/offers.schema.ts';
import { useOffers } from '../configuration/configuration-api.ts';
import { capital } from '../configuration/draft.ts';
import { valueWords } from '../configuration/field-words.ts';
import { listFilters, ListOfThings, nameColumn } from '../configuration/list-of-things.tsx';
import { Allowed } from '../allowed.tsx';

const FILTERS = listFilters('offer');

export function OffersOfPartner({ partnerKey }: { readonly partnerKey: string }): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useOffers({ ...filters, partner: partnerKey });
  const { currency } = useConsoleSession();
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
      <ListOfThings
        kind="offer"
        caption="Offers of the partner"
        known={FILTERS}
        filters={filters}
        further={{ partner: partnerKey }}
        onChange={setFilters}
        query={query}
        columns={columns(partnerKey, currency)}
        empty={<Empty title="No offers yet">The partner receives no leads without an offer.</Empty>}
      />
    </Section>
  );
}

function columns(partnerKey: string, currency: string): Array<Column<OfferRow>> {
  return [
    nameColumn('Offer', ({ key, name }) => (
      <PageLink to="/partners/$partnerKey/offers/$offerKey" params={{ partnerKey, offerKey: key }}>
        {name}
      </PageLink>
    )),
    {
      key: 'status',
      title: 'Status',
      cell: ({ status, rejectionsPause }) => (
        <>
          <Status>{status}</Status>
          {rejectionsPause !== null && <Status tone="bad">paused: many rejected</Status>}
        </>
      ),
    },
    { key: 'type', title: 'Type', cell: ({ eventType }) => capital(valueWords('eventType', eventType, currency)) },
    {
      key: 'payout',
      title: 'Price',
      numeric: true,
      cell: ({ payout }) => (payout === null ? '—' : formatMoney(payout, currency)),
    },
    { key: 'sale', title: 'Sale', cell: ({ sale }) => (sale === 'exclusive' ? 'exclusive' : 'shared') },
    { key: 'states', title: 'States', cell: ({ filters }) => statesWords(filters.states, currency) },
    {
      key: 'cap',
      title: 'Daily cap',
      numeric: true,
      cell: ({ caps }) => valueWords('caps.daily', caps.daily, currency),
    },
    { key: 'sold', title: 'Sold', numeric: true, cell: ({ figures }) => formatNumber(figures.sold) },
    { key: 'revenue', title: 'Revenue', numeric: true, cell: ({ figures }) => formatMoney(figures.revenue, currency) },
  ];
}

/** The states, or their number if there are many. */
function statesWords(states: readonly string[], currency: string): string {
  return states.length > 6 ? `${states.length} states` : valueWords('filters.states', states, currency);
}
