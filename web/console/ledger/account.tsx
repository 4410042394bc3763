// The page of one partner's account: balance, entries, manual postings.
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { CopyText } from '../../ui/copy.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ReversedDays } from '../../ui/day-presets.tsx';
import { isReversed } from '../../ui/days.ts';
import { Figure, Figures, Section } from '../../ui/facts.tsx';
import { pageFilter, queryText, useFilters } from '../../ui/filters.ts';
import { formatMoney } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import {
  ENTRY_TYPES,
  type LedgerConditions,
  LEDGER_FILTERS,
  LedgerFilters,
  NoEntries,
} from '../../ui/ledger-filters.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RequestError } from '../../ui/request.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time, useZone, ZoneNote } from '../../ui/zone.tsx';
import type { Account, AccountPage, Entry, EntryFilters } from '../../../src/console/ledger.schema.ts';
import { PostEntry } from './post-entry.tsx';
import { endOfDay, startOfDay } from '../day-bounds.ts';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { Allowed } from '../allowed.tsx';

const FILTERS = { ...LEDGER_FILTERS, page: pageFilter };

export function AccountPageOf({ partner }: { readonly partner: string }): ReactNode {
  const [{ page, ...conditions }, setFilters] = useFilters(FILTERS);
  const filters = useEntryFilters(conditions);
  const query = useQuery({
    // Topic `deliveries`: credits and charges change the account.
    queryKey: ['deliveries', 'account', partner, page, filters],
    queryFn: ({ signal }) =>
      request('GET /console/api/ledger/accounts/:partner', {
        params: { partner },
        query: { page, ...filters },
        signal,
      }),
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
                <LedgerFilters list="entries" conditions={conditions} onChange={setFilters} />
                {isReversed(conditions) ? (
                  <ReversedDays />
                ) : (
                  <Entries
                    partner={partner}
                    page={page}
                    found={entries}
                    currency={currency}
                    conditions={conditions}
                    isStale={query.isPlaceholderData}
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

/** What is requested; days in the wrong order are left out, because the table says so instead. */
function useEntryFilters({ type, ...days }: LedgerConditions): EntryFilters {
  const zone = useZone();
  const from = isReversed(days) ? '' : startOfDay(days.from, zone);
  const to = isReversed(days) ? '' : endOfDay(days.to, zone);
  return { ...(type === '' ? {} : { type }), ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
}

function Entries({
  partner,
  page,
  found,
  currency,
  conditions,
  isStale,
}: {
  readonly partner: string;
  readonly page: number;
  readonly found: AccountPage['entries'];
  readonly currency: string;
  readonly conditions: LedgerConditions;
  readonly isStale: boolean;
}): ReactNode {
  const filters = useEntryFilters(conditions);
  return (
    <>
      <DataTable
        caption="Account entries"
        columns={columnsFor(currency)}
        rows={found.data}
        rowKey={({ entryId }) => entryId}
        isStale={isStale}
        list={{
          name: 'entries',
          at: queryText({ partner, page, ...filters }),
          isLater: page > 1,
          fileOf: listFile('entries', { partner, page, ...filters }),
        }}
        empty={<NoEntries conditions={conditions} none="The first sale, payment or posting creates the first entry." />}
      />
      {found.total > 0 && (
        <Pager
          page={found.page}
          pageSize={found.pageSize}
          total={found.total}
          unit="entries"
          sums={
            <ListSumsLine
              of={['entries', partner, filters]}
              read={(signal) =>
                request('GET /console/api/ledger/accounts/:partner/sums', {
                  params: { partner },
                  query: filters,
                  signal,
                })
              }
              words={{ amounts: { debited: 'debited', credited: 'credited' } }}
            />
          }
        />
      )}
    </>
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
    { key: 'type', title: 'Type', cell: ({ type }) => ENTRY_TYPES[type] },
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
