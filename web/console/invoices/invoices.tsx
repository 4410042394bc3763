// The list of invoices with filters and the monthly run, or with `invoice` in the URL one invoice.
import { Select, SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { choiceFilter, monthFilter, pageFilter, textFilter, queryText, useFilters } from '../../ui/filters.ts';
import { labelIn } from '../../ui/set-filters.ts';
import { count, formatMoney } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { ListSumsLine } from '../../ui/list-sums-line.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { useFocusOnChange } from '../focus-heading.ts';
import { PartnerField, usePartnerWords } from '../ledger/partner-field.tsx';
import { DocumentLink } from './document-link.tsx';
import { InvoicePageOf } from './invoice.tsx';
import type { Invoice, Invoices } from '../../../src/console/invoices.schema.ts';
import { MonthField } from './month-field.tsx';
import { monthName, pastMonths } from './months.ts';
import { BillingRuns } from './billing-runs.tsx';
import { RunMonth } from './run-month.tsx';
import { Allowed } from '../allowed.tsx';

const FILTERS = {
  invoice: textFilter,
  month: monthFilter,
  status: choiceFilter(['any', 'open', 'issued', 'overdue', 'paid', 'void']),
  partner: textFilter,
  sort: choiceFilter(['', 'issued', 'due', '-due', 'total', '-total', 'amountDue', '-amountDue']),
  page: pageFilter,
};
const STATUSES = [
  { value: 'any', label: 'All' },
  { value: 'open', label: 'Unpaid' },
  { value: 'issued', label: 'Issued, not due yet' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'paid', label: 'Paid' },
  { value: 'void', label: 'Void' },
];
/** Three years; older invoices are found by partner. */
const MONTHS = 36;

export function InvoicesPage(): ReactNode {
  const [{ invoice }] = useFilters(FILTERS);
  useFocusOnChange(invoice);
  return invoice === '' ? <Invoices /> : <InvoicePageOf key={invoice} name={invoice} />;
}

function Invoices(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { month, status, partner, sort, page } = filters;
  const query = useQuery({
    queryKey: ['invoices', 'list', month, status, partner, sort, page],
    queryFn: ({ signal }) =>
      request('GET /console/api/invoices', { query: { month, status, partner, sort, page }, signal }),
    placeholderData: keepPreviousData,
  });
  // All invoices are too many to be ordered by anything but their time of issue.
  const isNarrow = month !== '' || partner !== '';
  const words = {
    month: ['Month', monthName],
    status: ['Status', labelIn(STATUSES)],
    partner: usePartnerWords(partner),
  } as const;
  const months = pastMonths(new Date(), MONTHS);
  return (
    <Page title="Invoices" description={<ZoneNote />}>
      <BillingRuns />
      <Allowed to="money" otherwise="issue invoices">
        <RunMonth months={months} />
      </Allowed>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <MonthField months={months} value={month} onChange={(chosen) => setFilters({ month: chosen })} />
        <Select
          label="Status"
          data={STATUSES}
          value={status}
          allowDeselect={false}
          onChange={(chosen) => setFilters({ status: FILTERS.status.read(chosen ?? undefined) })}
        />
        <PartnerField value={partner} onChange={(chosen) => setFilters({ partner: chosen })} />
      </SimpleGrid>
      <FilterBar list="invoices" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      <Loaded query={query} what="Loading invoices">
        {({ data, pageSize, total, hasMore, sum, currency }) => (
          <>
            {sum !== null && sum.invoices > 0 && (
              <Text style={{ fontVariantNumeric: 'tabular-nums' }}>
                {monthName(month)}: {count(sum.invoices, 'invoice')} without void ones,{' '}
                {formatMoney(sum.subtotal, currency)} charged, {formatMoney(sum.credits, currency)} credited,{' '}
                {formatMoney(sum.total, currency)} total, {formatMoney(sum.amountDue, currency)} due.
              </Text>
            )}
            <DataTable
              caption="Invoices"
              columns={isNarrow ? COLUMNS : COLUMNS.map(withoutNarrowOrder)}
              rows={data}
              rowKey={({ invoiceId }) => invoiceId}
              isStale={query.isPlaceholderData}
              list={{
                name: 'invoices',
                at: queryText({ month, status, partner, sort, page }),
                isLater: page > 1,
                sort: {
                  by: isNarrow || sort === 'issued' ? sort : '',
                  onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }),
                },
                fileOf: listFile('invoices', { month, status, partner, sort, page }),
              }}
              empty={<Empty title="No invoices match">Change the filters, or run a month above.</Empty>}
            />
            <Pager
              page={page}
              pageSize={pageSize}
              total={total}
              unit="invoices"
              hasMore={hasMore}
              sums={
                <ListSumsLine
                  of={['invoices', month, status, partner]}
                  read={(signal) =>
                    request('GET /console/api/invoices/sums', { query: { month, status, partner }, signal })
                  }
                  words={{ amounts: { due: 'due' } }}
                />
              }
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function withoutNarrowOrder({ orders, ...column }: Column<Invoice>): Column<Invoice> {
  return orders?.ascending === 'issued' ? { ...column, orders } : column;
}

const COLUMNS: ReadonlyArray<Column<Invoice>> = [
  {
    key: 'number',
    title: 'Number',
    cell: ({ number }) => (
      <PageLink to="/invoices" search={{ invoice: number }}>
        {number}
      </PageLink>
    ),
  },
  { key: 'partner', title: 'Partner', cell: ({ partnerName }) => partnerName },
  { key: 'month', title: 'Month', cell: ({ month }) => monthName(month) },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status>{status}</Status> },
  {
    key: 'total',
    title: 'Total',
    numeric: true,
    orders: { ascending: 'total', descending: '-total' },
    cell: ({ total, currency }) => formatMoney(total, currency),
  },
  {
    key: 'due',
    title: 'Amount due',
    numeric: true,
    orders: { ascending: 'amountDue', descending: '-amountDue' },
    cell: ({ amountDue, currency }) => formatMoney(amountDue, currency),
  },
  {
    key: 'issued',
    title: 'Issued',
    orders: { ascending: 'issued', descending: '' },
    cell: ({ issuedAt }) => <Time at={issuedAt} kind="day" />,
  },
  {
    key: 'dueAt',
    title: 'Due on',
    orders: { ascending: 'due', descending: '-due' },
    cell: ({ dueAt, status, total }) => (status === 'void' || total <= 0 ? '—' : <Time at={dueAt} kind="day" />),
  },
  { key: 'document', title: 'Document', cell: ({ number }) => <DocumentLink number={number} /> },
];
