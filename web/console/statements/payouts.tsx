// What the operator owes its suppliers, and what it has paid out: balances, a form for a payout, and the list.
import { Button, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { PayoutList, SupplierBalances } from '../../../src/console/statements.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { pageFilter, textFilter, queryText, useFilters } from '../../ui/filters.ts';
import { formatMoney } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ordersOf, sortFilter } from '../../ui/list-orders.ts';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { payoutColumns, payoutSort } from '../../ui/statement.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { useConsoleSession } from '../session.ts';
import { AdjustBalance } from './adjust-balance.tsx';
import { RecordPayout } from './record-payout.tsx';

const FILTERS = { search: textFilter, page: pageFilter, sort: sortFilter(['owed', 'held', 'payable']) };
const WORDS = { search: ['Supplier'] } as const;
/** The first of the chosen order; all are on the suppliers' statements. */
const PAYOUTS = 25;
const PAYOUT_FILTERS = { payouts: payoutSort };
const PAYOUT_TITLES = {
  '-recorded': 'Latest payouts',
  recorded: 'Earliest payouts',
  '-amount': 'Largest payouts',
  amount: 'Smallest payouts',
} as const;

type Balance = SupplierBalances['data'][number];
type Payout = PayoutList['data'][number];

export function PayoutsPage(): ReactNode {
  const [paid, setPaid] = useState<Balance | null>(null);
  const [adjusted, setAdjusted] = useState<Balance | null>(null);
  return (
    <Page
      title="Payouts"
      description="What suppliers are owed, and what was paid to them. Recording a payout moves no money: pay first, then record it with the bank’s reference."
      actions={
        <ButtonLink to="/statements" variant="default">
          Statements
        </ButtonLink>
      }
    >
      <Balances
        onPay={(balance) => {
          setAdjusted(null);
          setPaid(balance);
        }}
        onAdjust={(balance) => {
          setPaid(null);
          setAdjusted(balance);
        }}
      />
      {paid !== null && <RecordPayout key={paid.supplier} balance={paid} onClose={() => setPaid(null)} />}
      {adjusted !== null && (
        <AdjustBalance key={adjusted.supplier} balance={adjusted} onClose={() => setAdjusted(null)} />
      )}
      <Payouts />
    </Page>
  );
}

function Balances({ onPay, onAdjust }: Acts): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { search, page, sort } = filters;
  const { permissions } = useConsoleSession();
  const query = useQuery({
    queryKey: ['statements', 'balances', search, page, sort],
    queryFn: ({ signal }) => request('GET /console/api/supplier-balances', { query: { search, page, sort }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Balances">
      <TextInput
        label="Supplier"
        placeholder="Key or name"
        type="search"
        value={search}
        onChange={(event) => setFilters({ search: event.currentTarget.value }, { push: false })}
      />
      <FilterBar list="supplier-balances" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading balances">
        {({ data, total, pageSize, currency }) => (
          <>
            <DataTable
              caption="Balances of suppliers"
              columns={balanceColumns(currency, permissions.includes('money') ? { onPay, onAdjust } : null)}
              rows={data}
              rowKey={({ supplier }) => supplier}
              isStale={query.isPlaceholderData}
              list={{
                name: 'supplier-balances',
                at: queryText({ search, page, sort }),
                isLater: page > 1,
                sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                fileOf: listFile('supplier-balances', { search, page, sort }),
              }}
              empty={
                <Empty title={search === '' ? 'No suppliers yet' : 'No suppliers match'}>
                  {search === '' ? 'Every supplier has an account.' : 'Search for part of a key or name.'}
                </Empty>
              }
            />
            {total > 0 && <Pager page={page} pageSize={pageSize} total={total} unit="suppliers" />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

type Choose = (balance: Balance) => void;
type Acts = { readonly onPay: Choose; readonly onAdjust: Choose };

function balanceColumns(currency: string, acts: Acts | null): ReadonlyArray<Column<Balance>> {
  const money = (amount: number): string => formatMoney(amount, currency);
  return [
    {
      key: 'supplier',
      title: 'Supplier',
      orders: ordersOf('name'),
      cell: ({ supplier, supplierName }) => (
        <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: supplier }}>
          {supplierName}
        </PageLink>
      ),
    },
    {
      key: 'balance',
      title: 'Owed',
      numeric: true,
      orders: ordersOf('owed'),
      cell: ({ balance }) => money(balance),
    },
    { key: 'held', title: 'Held', numeric: true, orders: ordersOf('held'), cell: ({ held }) => money(held) },
    {
      key: 'payable',
      title: 'To be paid',
      numeric: true,
      orders: ordersOf('payable'),
      cell: ({ payable }) => money(payable),
    },
    {
      key: 'statements',
      title: 'Statements',
      cell: ({ supplier, supplierName }) => (
        <PageLink to="/statements" search={{ supplier }} aria-label={`Statements of ${supplierName}`}>
          View
        </PageLink>
      ),
    },
    ...(acts === null
      ? []
      : [
          {
            key: 'pay',
            title: 'Payout',
            cell: (row: Balance) => (
              <Button
                size="compact-sm"
                variant="default"
                disabled={row.balance <= 0}
                aria-label={`Record a payout to ${row.supplierName}`}
                onClick={() => acts.onPay(row)}
              >
                Record
              </Button>
            ),
          },
          {
            key: 'adjust',
            title: 'Correction',
            cell: (row: Balance) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Adjust the balance of ${row.supplierName}`}
                onClick={() => acts.onAdjust(row)}
              >
                Adjust
              </Button>
            ),
          },
        ]),
  ];
}

function Payouts(): ReactNode {
  const [{ payouts: sort }, setFilters] = useFilters(PAYOUT_FILTERS);
  const query = useQuery({
    queryKey: ['statements', 'payouts', sort],
    queryFn: ({ signal }) => request('GET /console/api/payouts', { query: { pageSize: PAYOUTS, sort }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={PAYOUT_TITLES[sort]}>
      <Loaded query={query} what="Loading payouts">
        {({ data, currency }) => (
          <DataTable
            caption={PAYOUT_TITLES[sort]}
            columns={[SUPPLIER, ...payoutColumns((amount) => formatMoney(amount, currency))]}
            rows={data}
            rowKey={({ payoutId }) => payoutId}
            isStale={query.isPlaceholderData}
            sort={{ by: sort, onChange: (by) => setFilters({ payouts: PAYOUT_FILTERS.payouts.read(by) }) }}
            empty={<Empty title="No payouts yet">Record one after you have paid a supplier.</Empty>}
          />
        )}
      </Loaded>
    </Section>
  );
}

const SUPPLIER: Column<Payout> = { key: 'supplier', title: 'Supplier', cell: ({ supplierName }) => supplierName };
