// The table of leads: name, supplier, source, status, score, sales and price.
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';

import { type Column, DataTable, type ListSettings } from '../../ui/data-table.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Time } from '../../ui/zone.tsx';
import { LeadStateWord } from './lead-state.tsx';
import { useVerticalRows, verticalColumn } from '../verticals/vertical-choice.tsx';
import type { ListedLead, Sale } from '../../../src/console/leads.schema.ts';

export function LeadTable({
  leads,
  currency,
  empty,
  isStale = false,
  list,
}: {
  readonly leads: readonly ListedLead[];
  readonly currency: string;
  readonly empty: ReactNode;
  readonly isStale?: boolean;
  readonly list?: ListSettings<ListedLead>;
}): ReactNode {
  const hasVerticals = useVerticalRows().length > 0;
  const columns = useMemo(() => columnsFor(currency, hasVerticals), [currency, hasVerticals]);
  return (
    <DataTable
      caption={list?.sort?.by === 'received' ? 'Leads, oldest first' : 'Leads, newest first'}
      columns={columns}
      rows={leads}
      rowKey={({ leadId }) => leadId}
      isStale={isStale}
      empty={empty}
      {...(list === undefined ? {} : { list })}
    />
  );
}

function columnsFor(currency: string, hasVerticals: boolean): ReadonlyArray<Column<ListedLead>> {
  return [
    { key: 'lead', title: 'Lead', cell: (lead) => <NameCell lead={lead} /> },
    {
      key: 'received',
      title: 'Received',
      orders: { ascending: 'received', descending: '' },
      cell: ({ receivedAt }) => <Time at={receivedAt} kind="short" />,
    },
    {
      key: 'supplier',
      title: 'Supplier',
      cell: ({ supplier, supplierName }) => (
        <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: supplier }}>
          {supplierName}
        </PageLink>
      ),
    },
    {
      key: 'source',
      title: 'Source',
      cell: ({ source }) => (
        <Text span size="sm" display="block" maw={180} style={{ overflowWrap: 'break-word' }}>
          {source ?? <span aria-label="not given">—</span>}
        </Text>
      ),
    },
    { key: 'usState', title: 'US state', cell: ({ usState }) => usState ?? <span aria-label="not given">—</span> },
    ...(hasVerticals ? [verticalColumn] : []),
    {
      key: 'state',
      title: 'Status',
      cell: ({ state, test, reason, sales }) => (
        <>
          <LeadStateWord state={state} isTest={test} sales={sales} />
          {state === 'invalid' && reason !== null && (
            <Text size="xs" c="dimmed" maw={260}>
              {reason}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'score',
      title: 'Score',
      numeric: true,
      cell: ({ score }) => score ?? <span aria-label="not scored">—</span>,
    },
    { key: 'sales', title: 'Sold to', cell: ({ sales }) => <Sales sales={sales} /> },
    { key: 'price', title: 'Price', numeric: true, cell: (lead) => <Price lead={lead} currency={currency} /> },
  ];
}

function NameCell({ lead: { leadId, name, externalId, erased } }: { readonly lead: ListedLead }): ReactNode {
  return (
    <Stack gap={0}>
      <PageLink to="/leads/$leadId" params={{ leadId }}>
        {name ?? (erased ? 'Erased' : 'No name')}
      </PageLink>
      <Text span size="xs" c="dimmed" fw={400} style={{ whiteSpace: 'nowrap' }}>
        {externalId ?? leadId}
      </Text>
    </Stack>
  );
}

function Sales({ sales }: { readonly sales: readonly Sale[] }): ReactNode {
  if (sales.length === 0) return <span aria-label="none">—</span>;
  return (
    <Stack gap={2}>
      {sales.map(({ deliveryId, partner, partnerName, status }) => (
        <Text key={deliveryId} span size="sm">
          <PageLink to="/partners/$partnerKey" params={{ partnerKey: partner }}>
            {partnerName}
          </PageLink>
          {status === 'Confirmed' ? '' : `, ${status.toLowerCase()}`}
        </Text>
      ))}
    </Stack>
  );
}

/** The sum of what is charged, with its parts if there are several, and prices of which nothing is charged. */
function Price({
  lead: { sales, price },
  currency,
}: {
  readonly lead: ListedLead;
  readonly currency: string;
}): ReactNode {
  const money = (amount: number): string => formatMoney(amount, currency);
  const charged = sales.filter(({ status }) => status === 'Confirmed');
  const others = sales.filter(({ status }) => status !== 'Confirmed');
  if (sales.length === 0) return <span aria-label="none">—</span>;
  return (
    <Stack gap={2} style={{ whiteSpace: 'nowrap' }}>
      {price !== null && <span>{money(price)}</span>}
      {charged.length > 1 && (
        <Text span size="xs" c="dimmed">
          {charged.map(({ payout }) => money(payout)).join(' + ')}
        </Text>
      )}
      {others.map(({ deliveryId, status, payout }) => (
        <Text key={deliveryId} span size="xs" c="dimmed">
          {money(payout)} {status.toLowerCase()}
        </Text>
      ))}
    </Stack>
  );
}
