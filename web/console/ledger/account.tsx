// The page of one partner's account: balance, entries, manual postings.
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { CopyText } from '../../ui/copy.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures, Section } from '../../ui/facts.tsx';
import { queryText } from '../../ui/filters.ts';
import { formatMoney } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RequestError } from '../../ui/request.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import type { Account, Entry } from '../../../src/console/ledger.schema.ts';
import { PostEntry } from './post-entry.tsx';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { Allowed } from '../allowed.tsx';

export function AccountPageOf({ partner, page }: { readonly partner: string; readonly page: number }): ReactNode {
  const query = useQuery({
    // Topic `deliveries`: credits and charges change the account.
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
        <Empty title="Partner not found">The address may be mistyped. Find the account in the ledger.</Empty>
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
                  Newest first. Each entry is this partner’s half of a transfer; the other half is on the account named
                  beside it.
                </Text>
                <DataTable
                  caption="Account entries"
                  columns={columnsFor(currency)}
                  rows={entries.data}
                  rowKey={({ entryId }) => entryId}
                  isStale={query.isPlaceholderData}
                  list={{
                    name: 'entries',
                    at: queryText({ partner, page }),
                    isLater: page > 1,
                    fileOf: listFile('entries', { partner, page }),
                  }}
                  empty={
                    <Empty title="No entries yet">The first sale, payment or posting creates the first entry.</Empty>
                  }
                />
                {entries.total > 0 && (
                  <Pager
                    page={entries.page}
                    pageSize={entries.pageSize}
                    total={entries.total}
                    unit="entries"
                    sums={
                      <ListSumsLine
                        of={['entries', partner]}
                        read={(signal) =>
                          request('GET /console/api/ledger/accounts/:partner/sums', { params: { partner }, signal })
                        }
                        words={{ amounts: { debited: 'debited', credited: 'credited' } }}
                      />
                    }
                  />
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
      <Figure
        name="Balance"
        value={money(balance)}
        note={balance < 0 ? 'Negative: owed by the partner' : 'Credit of the partner'}
      />
      <Figure name="Held" value={money(held)} note="Reserved for unconfirmed deliveries" />
      <Figure
        name="Credit limit"
        value={creditLimit === null ? 'No limit' : money(creditLimit)}
        note={mode === 'prepaid' ? 'Prepaid' : 'Postpaid'}
      />
      <Figure
        name="Available funds"
        value={available === null ? 'No limit' : money(available)}
        note={
          available !== null && available <= 0
            ? 'No leads can be sold to this partner'
            : 'Balance plus credit limit, less held funds'
        }
      />
    </Figures>
  );
}

/** The other account of each type of transfer. */
const OTHER = { charge: 'Revenue', credit: 'Revenue', payment: 'Cash', adjustment: 'Adjustments', tax: 'Tax' } as const;

function columnsFor(currency: string): ReadonlyArray<Column<Entry>> {
  return [
    { key: 'at', title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: 'type', title: 'Type', cell: ({ type }) => type },
    { key: 'what', title: 'Description', cell: (entry) => <What entry={entry} /> },
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
    { key: 'id', title: 'Entry', cell: ({ entryId }) => <CopyText text={entryId} what="the entry id" /> },
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
