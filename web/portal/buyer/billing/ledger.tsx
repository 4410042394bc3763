// The partner's ledger with its filters.
import type { ReactNode } from 'react';

import type { Billing, LedgerEntry } from '../../../../sdk/typescript/client.ts';
import type { LedgerFilters as LedgerFiltersQuery } from '../../../../src/portal/buyer/billing.schema.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { ReversedDays } from '../../../ui/day-presets.tsx';
import { isReversed } from '../../../ui/days.ts';
import { queryText } from '../../../ui/filters.ts';
import { formatMoney } from '../../../ui/formats.ts';
import { ENTRY_TYPES, type LedgerConditions, LedgerFilters, NoEntries } from '../../../ui/ledger-filters.tsx';
import { ListSumsLine } from '../../../ui/list-sums-line.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { partnerListFile } from '../../list-file.ts';

/** What is requested; days in the wrong order are left out, because the table says so instead. */
export function ledgerQuery({ type, from, to }: LedgerConditions): LedgerFiltersQuery {
  return {
    ...(type === '' ? {} : { type }),
    ...(from === '' || isReversed({ from, to }) ? {} : { from }),
    ...(to === '' || isReversed({ from, to }) ? {} : { to }),
  };
}

export function Ledger({
  billing,
  isStale,
  conditions,
  onChange,
}: {
  readonly billing: Billing;
  readonly isStale: boolean;
  readonly conditions: LedgerConditions;
  readonly onChange: (change: Partial<LedgerConditions>) => void;
}): ReactNode {
  return (
    <>
      <LedgerFilters list="ledger" conditions={conditions} onChange={onChange} />
      {isReversed(conditions) ? (
        <ReversedDays />
      ) : (
        <Entries billing={billing} isStale={isStale} conditions={conditions} />
      )}
    </>
  );
}

function Entries({
  billing,
  isStale,
  conditions,
}: {
  readonly billing: Billing;
  readonly isStale: boolean;
  readonly conditions: LedgerConditions;
}): ReactNode {
  const { page, pageSize, total, data } = billing.ledger;
  const asked = ledgerQuery(conditions);
  const empty =
    total === 0 ? (
      <NoEntries
        conditions={conditions}
        none="The first entry is made with your first confirmed delivery or payment."
      />
    ) : (
      <Empty title="No entries on this page">Go back to an earlier page.</Empty>
    );
  return (
    <>
      <DataTable
        caption="Ledger entries"
        columns={columnsOf(billing)}
        rows={data}
        rowKey={({ entryId }) => entryId}
        isStale={isStale}
        list={{
          name: 'ledger',
          at: queryText({ page, ...asked }),
          isLater: page > 1,
          fileOf: partnerListFile('ledger', { page, pageSize, ...asked }),
        }}
        empty={empty}
      />
      {total > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={total}
          unit="entries"
          sums={
            <ListSumsLine
              of={['ledger', asked]}
              read={(signal) => request('GET /portal/api/buyer/ledger/sums', { query: asked, signal })}
              words={{ amounts: { debited: 'debited', credited: 'credited' } }}
            />
          }
        />
      )}
    </>
  );
}

function columnsOf({ currency, invoices }: Billing): readonly Column<LedgerEntry>[] {
  const numbers = new Map(invoices.map(({ invoiceId, number }) => [invoiceId, number]));
  return [
    { key: 'at', title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: 'type', title: 'Type', cell: ({ type }) => ENTRY_TYPES[type] },
    { key: 'what', title: 'For', cell: (entry) => <What entry={entry} /> },
    { key: 'claim', title: 'Claim', cell: (entry) => <Claim entry={entry} /> },
    {
      key: 'invoice',
      title: 'Invoice',
      cell: ({ invoiceId }) => <OnInvoice invoiceId={invoiceId} numbers={numbers} />,
    },
    { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => formatMoney(amount, currency) },
    {
      key: 'balance',
      title: 'Balance after',
      numeric: true,
      cell: ({ balanceAfter }) => formatMoney(balanceAfter, currency),
    },
  ];
}

function What({ entry: { description, deliveryId } }: { readonly entry: LedgerEntry }): ReactNode {
  if (deliveryId === null) return <span style={{ overflowWrap: 'anywhere' }}>{description}</span>;
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <PageLink to="/deliveries/$deliveryId" params={{ deliveryId }}>
        {description}
      </PageLink>
    </span>
  );
}

function Claim({ entry: { returnId, disputeId } }: { readonly entry: LedgerEntry }): ReactNode {
  const claimId = returnId ?? disputeId;
  if (claimId === null) return null;
  return (
    <PageLink to="/claims/$claimId" params={{ claimId }}>
      {returnId === null ? 'Dispute' : 'Return'}
    </PageLink>
  );
}

function OnInvoice({
  invoiceId,
  numbers,
}: {
  readonly invoiceId: string | null;
  readonly numbers: ReadonlyMap<string, string>;
}): ReactNode {
  if (invoiceId === null) return null;
  return (
    <PageLink to="/billing" search={{ invoice: invoiceId }}>
      {numbers.get(invoiceId) ?? invoiceId}
    </PageLink>
  );
}
