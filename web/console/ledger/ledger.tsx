// The ledger page: all partners' accounts, or with `partner` in the URL one account.
import { Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { choiceFilter, pageFilter, queryText, textFilter, useFilters } from '../../ui/filters.ts';
import { formatMoney } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { useFocusOnChange } from '../focus-heading.ts';
import { AccountPageOf } from './account.tsx';
import type { Account, Accounts } from '../../../src/console/ledger.schema.ts';
import { LedgerCheck } from './ledger-check.tsx';
import { Allowed } from '../allowed.tsx';

const FILTERS = {
  partner: textFilter,
  search: textFilter,
  order: choiceFilter(['name', 'available', 'balance']),
  page: pageFilter,
};
const WORDS = { search: ['Partner'] } as const;
const ORDERS = [
  { value: 'name', label: 'Name' },
  { value: 'available', label: 'Least available first' },
  { value: 'balance', label: 'Lowest balance first' },
];

export function LedgerPage(): ReactNode {
  const [{ partner }] = useFilters(FILTERS);
  useFocusOnChange(partner);
  return partner === '' ? <Accounts /> : <AccountPageOf key={partner} partner={partner} />;
}

function Accounts(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { search, order, page } = filters;
  const query = useQuery({
    // Topic `deliveries`: sales change balances.
    queryKey: ['deliveries', 'accounts', search, order, page],
    queryFn: ({ signal }) => request('GET /console/api/ledger/accounts', { query: { search, order, page }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Ledger" description="Balances, held funds and available funds of all partners.">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Partner"
          placeholder="Key or name"
          type="search"
          value={search}
          onChange={(event) => setFilters({ search: event.currentTarget.value }, { push: false })}
        />
        <Select
          label="Sort by"
          data={ORDERS}
          value={order}
          allowDeselect={false}
          onChange={(chosen) => setFilters({ order: FILTERS.order.read(chosen ?? undefined) })}
        />
      </SimpleGrid>
      <FilterBar list="accounts" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading accounts">
        {({ data, pageSize, total, currency }) => (
          <>
            <DataTable
              caption="Partner accounts"
              columns={columnsFor(currency)}
              rows={data}
              rowKey={({ partner }) => partner}
              isStale={query.isPlaceholderData}
              list={{
                name: 'accounts',
                at: queryText({ search, order, page }),
                isLater: page > 1,
                sort: { by: order, onChange: (by) => setFilters({ order: FILTERS.order.read(by) }) },
                fileOf: listFile('accounts', { search, order, page }),
              }}
              empty={
                <Empty title={search === '' ? 'No partners yet' : 'No partners match'}>
                  {search === '' ? 'Every partner has an account.' : 'Search for part of a key or name.'}
                </Empty>
              }
            />
            {total > 0 && <Pager page={page} pageSize={pageSize} total={total} unit="accounts" />}
          </>
        )}
      </Loaded>
      <Text size="sm" c="dimmed">
        Every transfer has two entries, one on each of two accounts, so that the sum of all entries is always 0. A
        partner’s balance is the sum of its entries.
      </Text>
      <Allowed to="money" otherwise="recount the ledger">
        <LedgerCheck />
      </Allowed>
    </Page>
  );
}

function columnsFor(currency: string): ReadonlyArray<Column<Account>> {
  const money = (amount: number): string => formatMoney(amount, currency);
  return [
    {
      key: 'partner',
      title: 'Partner',
      orders: { ascending: 'name' },
      cell: ({ partner, name }) => (
        <PageLink to="/ledger" search={{ partner }}>
          {name}
        </PageLink>
      ),
    },
    { key: 'status', title: 'Status', cell: ({ status }) => <Status>{status}</Status> },
    { key: 'mode', title: 'Billing', cell: ({ mode }) => mode },
    {
      key: 'balance',
      title: 'Balance',
      numeric: true,
      orders: { ascending: 'balance' },
      cell: ({ balance }) => money(balance),
    },
    { key: 'held', title: 'Held', numeric: true, cell: ({ held }) => money(held) },
    {
      key: 'limit',
      title: 'Credit limit',
      numeric: true,
      cell: ({ creditLimit }) => (creditLimit === null ? 'No limit' : money(creditLimit)),
    },
    {
      key: 'available',
      title: 'Available funds',
      numeric: true,
      orders: { ascending: 'available' },
      cell: ({ available }) =>
        available === null ? (
          'No limit'
        ) : (
          <Text span inherit {...(available <= 0 ? { c: 'var(--lm-bad)', fw: 650 } : {})}>
            {money(available)}
          </Text>
        ),
    },
  ];
}
