// One partner's account: what it has, every entry that explains it, and postings by hand.
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { CopyText } from '../../ui/copy.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures, Section } from '../../ui/facts.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RequestError } from '../../ui/request.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import type { Account, Entry } from '../../../src/console/ledger.schema.ts';
import { PostEntry } from './post-entry.tsx';
import { request } from '../console-api.ts';
import { Allowed } from '../allowed.tsx';

export function AccountPageOf({ partner, page }: { readonly partner: string; readonly page: number }): ReactNode {
  const query = useQuery({
    // A credit changes it as a claim is approved, a charge as a delivery is confirmed.
    queryKey: ['deliveries', 'account', partner, page],
    queryFn: ({ signal }) =>
      request('GET /console/api/ledger/accounts/:partner', { params: { partner }, query: { page }, signal }),
    placeholderData: keepPreviousData,
  });
  const isUnknown = query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page
      title={`Ledger of ${query.data?.account.name ?? partner}`}
      description={<ZoneNote />}
      actions={
        <>
          <ButtonLink to="/invoices" search={{ partner }} variant="default">
            Invoices
          </ButtonLink>
          <ButtonLink to="/ledger" variant="default">
            All accounts
          </ButtonLink>
        </>
      }
    >
      {isUnknown ? (
        <Empty title="There is no such partner">The address may be mistyped. The ledger lists all accounts.</Empty>
      ) : (
        <Loaded query={query} what="Loading the account">
          {({ account, entries, currency }) => (
            <>
              <Money account={account} currency={currency} />
              <Allowed to="money" otherwise="post entries">
                <PostEntry account={account} currency={currency} />
              </Allowed>
              <Section title="Entries">
                <Text size="sm" c="dimmed">
                  Newest first. Each line is this partner’s half of a transfer; the other half stands on the account
                  named beside it.
                </Text>
                <DataTable
                  caption="Entries of the account"
                  columns={columnsFor(currency)}
                  rows={entries.data}
                  rowKey={({ entryId }) => entryId}
                  isStale={query.isPlaceholderData}
                  empty={
                    <Empty title="No entries yet">The first sale, payment or posting makes the first entry.</Empty>
                  }
                />
                {entries.total > 0 && (
                  <Pager page={entries.page} pageSize={entries.pageSize} total={entries.total} unit="entries" />
                )}
              </Section>
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function Money({ account, currency }: { readonly account: Account; readonly currency: string }): ReactNode {
  const { balance, held, creditLimit, available, mode } = account;
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <Figures>
      <Figure name="Balance" value={money(balance)} note={balance < 0 ? 'Below 0: this is owed' : 'What is left'} />
      <Figure name="Held" value={money(held)} note="Promised to deliveries that are not confirmed" />
      <Figure
        name="Credit limit"
        value={creditLimit === null ? 'No limit' : money(creditLimit)}
        note={mode === 'prepaid' ? 'Prepaid' : 'Postpaid'}
      />
      <Figure
        name="Available"
        value={available === null ? 'No limit' : money(available)}
        note={
          available !== null && available <= 0
            ? 'Nothing can be sold to this partner now'
            : 'Balance and credit less what is held'
        }
      />
    </Figures>
  );
}

/** The other account of each kind of transfer, from the partner's side. */
const OTHER = { charge: 'Revenue', credit: 'Revenue', payment: 'Cash', adjustment: 'Adjustments' } as const;

function columnsFor(currency: string): ReadonlyArray<Column<Entry>> {
  return [
    { key: 'at', title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: 'type', title: 'Type', cell: ({ type }) => type },
    { key: 'what', title: 'What for', cell: (entry) => <What entry={entry} /> },
    {
      key: 'other',
      title: 'Other account',
      cell: ({ type, amount }) => `${amount < 0 ? 'to' : 'from'} ${OTHER[type]}`,
    },
    {
      key: 'amount',
      title: 'Amount',
      numeric: true,
      cell: ({ amount }) => `${amount > 0 ? '+' : ''}${formatMoney(amount, currency)}`,
    },
    {
      key: 'balance',
      title: 'Balance after',
      numeric: true,
      cell: ({ balanceAfter }) => formatMoney(balanceAfter, currency),
    },
    { key: 'id', title: 'Entry', cell: ({ entryId }) => <CopyText text={entryId} what="the entry’s id" /> },
  ];
}

function What({ entry }: { readonly entry: Entry }): ReactNode {
  const { description, deliveryId, returnId, disputeId, invoiceId } = entry;
  const claimId = returnId ?? disputeId;
  return (
    <>
      {description}
      {deliveryId !== null && (
        <>
          {' · '}
          <PageLink to="/leads" search={{ search: deliveryId }}>
            lead
          </PageLink>
        </>
      )}
      {claimId !== null && (
        <>
          {' · '}
          <PageLink to="/claims/$claimId" params={{ claimId }}>
            claim
          </PageLink>
        </>
      )}
      {invoiceId !== null && (
        <>
          {' · '}
          <PageLink to="/invoices" search={{ invoice: invoiceId }}>
            invoice
          </PageLink>
        </>
      )}
    </>
  );
}
