// The offers of a routing decision as a table.
import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Time } from '../../ui/zone.tsx';
import type { TriedOffer } from '../../../src/console/leads.schema.ts';
import { STAGES } from './offer-groups.ts';

const AT_ONCE = 100;

export function OfferTable({
  offers,
  currency,
}: {
  readonly offers: readonly TriedOffer[];
  readonly currency: string;
}): ReactNode {
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <>
      <DataTable
        caption="Offers, most stages passed first"
        columns={columnsFor(currency)}
        rows={offers.slice(0, shown)}
        rowKey={({ offer }) => offer}
        empty={null}
      />
      {offers.length > shown && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {formatNumber(shown)} of {formatNumber(offers.length)} shown
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => setShown(shown + AT_ONCE)}>
            Show more offers
          </Button>
        </Group>
      )}
    </>
  );
}

function columnsFor(currency: string): ReadonlyArray<Column<TriedOffer>> {
  return [
    {
      key: 'offer',
      title: 'Offer',
      cell: ({ partner, offer, offerName }) => (
        <PageLink to="/partners/$partnerKey/offers/$offerKey" params={{ partnerKey: partner, offerKey: offer }}>
          {offerName}
        </PageLink>
      ),
    },
    { key: 'partner', title: 'Partner', cell: ({ partnerName }) => partnerName },
    {
      key: 'payout',
      title: 'Price',
      numeric: true,
      cell: ({ payout }) => (payout === null ? <span aria-label="not known">—</span> : formatMoney(payout, currency)),
    },
    {
      key: 'priority',
      title: 'Priority',
      numeric: true,
      cell: ({ priority }) => priority ?? <span aria-label="not known">—</span>,
    },
    { key: 'stage', title: 'Stage', cell: ({ stage }) => STAGES.find(([name]) => name === stage)?.[1] ?? 'Won' },
    { key: 'rule', title: 'Rule', cell: ({ rule }) => rule },
    {
      key: 'values',
      title: 'Values',
      cell: ({ values, moment }) => (
        <>
          {values === '' && moment === null ? <span aria-label="none">—</span> : values}
          {moment !== null && (
            <>
              {values === '' ? '' : ', '}
              {moment.is} <Time at={moment.at} kind="short" />
            </>
          )}
        </>
      ),
    },
  ];
}
