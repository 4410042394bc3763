// The list of suppliers' statements with the monthly run, or with `statement` in the URL one statement.
import { SimpleGrid, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { StatementList } from '../../../src/console/statements.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { choiceFilter, monthFilter, pageFilter, textFilter, queryText, useFilters } from '../../ui/filters.ts';
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { SumsText } from '../../ui/list-sums-line.tsx';
import { ordersOf } from '../../ui/list-orders.ts';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { Allowed } from '../allowed.tsx';
import { listFile } from '../list-file.ts';
import { request } from '../console-api.ts';
import { useFocusOnChange } from '../focus-heading.ts';
import { MonthField } from '../invoices/month-field.tsx';
import { monthName, pastMonths } from '../invoices/months.ts';
import { useSupplierWords } from '../leads/supplier-field.tsx';
import { RunStatements } from './run-statements.tsx';
import { StatementPageOf } from './statement.tsx';

const FILTERS = {
  statement: textFilter,
  supplier: textFilter,
  month: monthFilter,
  page: pageFilter,
  sort: choiceFilter(['-issued', 'issued', 'earned', '-earned', 'total', '-total', 'payable', '-payable']),
};
/** Three years; older statements are found by supplier. */
const MONTHS = 36;

export function StatementsPage(): ReactNode {
  const [{ statement }] = useFilters(FILTERS);
  useFocusOnChange(statement);
  return statement === '' ? <Statements /> : <StatementPageOf key={statement} name={statement} />;
}

function Statements(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const { supplier, month, page, sort } = filters;
  const query = useQuery({
    queryKey: ['statements', 'list', supplier, month, page, sort],
    queryFn: ({ signal }) => request('GET /console/api/statements', { query: { supplier, month, page, sort }, signal }),
    placeholderData: keepPreviousData,
  });
  const words = { month: ['Month', monthName], supplier: useSupplierWords(supplier) } as const;
  const months = pastMonths(new Date(), MONTHS);
  return (
    <Page
      title="Statements"
      description={
        <>
          What suppliers earned in a month of their time zone, and what they are owed after it. <ZoneNote />
        </>
      }
      actions={
        <ButtonLink to="/payouts" variant="default">
          Payouts
        </ButtonLink>
      }
    >
      <Allowed to="money" otherwise="issue statements">
        <RunStatements months={months} />
      </Allowed>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <MonthField months={months} value={month} onChange={(chosen) => setFilters({ month: chosen })} />
        <TextInput
          label="Supplier"
          placeholder="Key"
          type="search"
          value={supplier}
          onChange={(event) => setFilters({ supplier: event.currentTarget.value.trim() }, { push: false })}
        />
      </SimpleGrid>
      <FilterBar list="statements" filters={FILTERS} values={filters} words={words} onChange={setFilters} />
      <Loaded query={query} what="Loading statements">
        {({ data, total, pageSize, earned, currency }) => (
          <>
            <DataTable
              caption="Statements"
              columns={COLUMNS}
              rows={data}
              rowKey={({ statementId }) => statementId}
              isStale={query.isPlaceholderData}
              list={{
                name: 'statements',
                at: queryText({ supplier, month, page, sort }),
                isLater: page > 1,
                sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                fileOf: listFile('statements', { supplier, month, page, sort }),
              }}
              empty={
                <Empty title={supplier === '' && month === '' ? 'No statements yet' : 'No statements match'}>
                  {supplier === '' && month === ''
                    ? 'The first ones follow the first month in which a supplier with terms sold a lead.'
                    : 'Choose another month, or enter the whole key of a supplier.'}
                </Empty>
              }
            />
            <Pager
              page={page}
              pageSize={pageSize}
              total={total}
              unit="statements"
              sums={<SumsText>{formatMoney(earned, currency)} earned</SumsText>}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Row = StatementList['data'][number];

const COLUMNS: ReadonlyArray<Column<Row>> = [
  {
    key: 'number',
    title: 'Number',
    cell: ({ number }) => (
      <PageLink to="/statements" search={{ statement: number }}>
        {number}
      </PageLink>
    ),
  },
  { key: 'supplier', title: 'Supplier', cell: ({ supplierName }) => supplierName },
  { key: 'month', title: 'Month', cell: ({ month }) => monthName(month) },
  { key: 'leads', title: 'Leads', numeric: true, cell: ({ leads }) => formatNumber(leads) },
  {
    key: 'earned',
    title: 'Earned',
    numeric: true,
    orders: ordersOf('earned'),
    cell: ({ earned, currency }) => formatMoney(earned, currency),
  },
  {
    key: 'back',
    title: 'Taken back',
    numeric: true,
    cell: ({ clawedBack, currency }) => formatMoney(-clawedBack, currency),
  },
  { key: 'paid', title: 'Paid out', numeric: true, cell: ({ paidOut, currency }) => formatMoney(-paidOut, currency) },
  {
    key: 'total',
    title: 'Balance after',
    numeric: true,
    orders: ordersOf('total'),
    cell: ({ total, currency }) => formatMoney(total, currency),
  },
  {
    key: 'payable',
    title: 'To be paid',
    numeric: true,
    orders: ordersOf('payable'),
    cell: ({ payable, currency }) => formatMoney(payable, currency),
  },
  {
    key: 'issued',
    title: 'Issued',
    orders: ordersOf('issued'),
    cell: ({ issuedAt }) => <Time at={issuedAt} kind="day" />,
  },
];
