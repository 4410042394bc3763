// The table of deliveries. New rows are announced to screen readers.
import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Delivery } from '../../../../sdk/typescript/client.ts';
import { usePortalSession } from '../../session.ts';
import { type Column, DataTable, type ListSettings } from '../../../ui/data-table.tsx';
import { formatMoney, formatPhone } from '../../../ui/formats.ts';
import { EmailText, PageLink } from '../../../ui/link.tsx';
import { Status } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import { kindWords } from '../claims/claim-words.ts';
import { useAddedDeliveries } from './added-deliveries.ts';

export function DeliveriesTable({
  caption,
  rows,
  verticals,
  list,
  isStale,
  empty,
}: {
  readonly caption: string;
  readonly rows: readonly Delivery[];
  /** Names by delivery; empty for an account with leads of one kind. */
  readonly verticals: Readonly<Record<string, string>>;
  readonly list?: ListSettings<Delivery>;
  readonly isStale: boolean;
  readonly empty: ReactNode;
}): ReactNode {
  const { currency } = usePortalSession();
  const added = useAddedDeliveries(isStale || list === undefined || list.isLater === true ? null : list.at, rows);
  return (
    <>
      <VisuallyHidden role="status">{added}</VisuallyHidden>
      <DataTable
        caption={caption}
        columns={columnsOf(currency, verticals)}
        rows={rows}
        rowKey={({ deliveryId }) => deliveryId}
        isStale={isStale}
        {...(list === undefined ? {} : { list })}
        empty={empty}
      />
    </>
  );
}

function columnsOf(currency: string, verticals: Readonly<Record<string, string>>): readonly Column<Delivery>[] {
  const vertical: Column<Delivery> = {
    key: 'vertical',
    title: 'Vertical',
    cell: ({ deliveryId }) => verticals[deliveryId] ?? <span aria-label="none">—</span>,
  };
  return [
    {
      key: 'name',
      title: 'Name and state',
      cell: ({ deliveryId, lead: { fullName, state } }) => (
        <>
          <PageLink to="/deliveries/$deliveryId" params={{ deliveryId }}>
            <Words text={fullName} />
          </PageLink>
          {state !== null && <Quiet text={state} />}
        </>
      ),
    },
    {
      key: 'ref',
      title: 'Reference',
      cell: ({ deliveryRef, eventType }) => (
        <span style={NO_WRAP}>
          {deliveryRef}
          <Quiet text={eventType} />
        </span>
      ),
    },
    ...(Object.keys(verticals).length === 0 ? [] : [vertical]),
    {
      key: 'contact',
      title: 'Phone and email',
      cell: ({ lead: { phone, email } }) => (
        <>
          {phone !== null && (
            <Anchor href={`tel:${phone}`} size="sm" display="block" style={NO_WRAP}>
              {formatPhone(phone)}
            </Anchor>
          )}
          {email !== null && <Words text={<EmailText email={email} />} />}
        </>
      ),
    },
    {
      key: 'status',
      title: 'Status',
      cell: ({ status, claim }) => (
        <>
          <Status>{status}</Status>
          {claim !== null && <Quiet text={`${kindWords[claim.kind]} ${claim.status.replaceAll('_', ' ')}`} />}
        </>
      ),
    },
    { key: 'price', title: 'Price', numeric: true, cell: ({ payout }) => formatMoney(payout, currency) },
    {
      key: 'at',
      title: 'Delivered',
      orders: { ascending: 'deliveredAt', descending: '' },
      cell: ({ deliveredAt }) => <Time at={deliveredAt} kind="short" />,
    },
  ];
}

const NO_WRAP = { whiteSpace: 'nowrap' } as const;

function Quiet({ text }: { readonly text: string }): ReactNode {
  return (
    <Text component="span" display="block" size="xs" c="dimmed" style={NO_WRAP}>
      {text}
    </Text>
  );
}

/** Text from outside may be one word of hundreds of letters. */
function Words({ text }: { readonly text: ReactNode }): ReactNode {
  return (
    <Text span display="block" size="sm" miw={110} maw={280} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}
