// The supplier's statements, or with `statement` in the URL one of them, with its document and its lines to download.
import { Button } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Statement } from '../../../../sdk/typescript/client.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { choiceFilter, pageFilter, queryText, textFilter, useFilters } from '../../../ui/filters.ts';
import { formatMoney, formatNumber } from '../../../ui/formats.ts';
import { ListSumsLine } from '../../../ui/list-sums-line.tsx';
import { ButtonLink, PageLink } from '../../../ui/link.tsx';
import { ordersOf } from '../../../ui/list-orders.ts';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { StatementSections } from '../../../ui/statement.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { Time, ZoneProvider } from '../../../ui/zone.tsx';
import { supplierListFile } from '../../list-file.ts';
import { request } from '../../portal-api.ts';

const FILTERS = {
  page: pageFilter,
  statement: textFilter,
  sort: choiceFilter(['-issued', 'issued', 'earned', '-earned', 'total', '-total', 'payable', '-payable']),
};
const PAGE_SIZE = 25;

const FORMS = [
  ['pdf', '', 'PDF'],
  ['csv', '', 'CSV'],
  ['csv', '?for=excel', 'CSV for Excel'],
] as const;

export function StatementsPage(): ReactNode {
  const [{ statement }] = useFilters(FILTERS);
  return statement === '' ? <Statements /> : <OneStatement key={statement} statementId={statement} />;
}

function Statements(): ReactNode {
  const [{ page, sort }, setFilters] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['submissions', 'statements', page, sort],
    queryFn: ({ signal }) =>
      request('GET /portal/api/v1/supplier/statements', { query: { page, pageSize: PAGE_SIZE, sort }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Statements"
      description="What you earned in each month, and what you were owed after it."
      actions={
        <ButtonLink to="/supply/earnings" variant="default">
          Earnings
        </ButtonLink>
      }
    >
      <Loaded query={query} what="Loading your statements">
        {({ data, total, pageSize }) => (
          <>
            <DataTable
              caption="Statements"
              columns={COLUMNS}
              rows={data}
              rowKey={({ statementId }) => statementId}
              isStale={query.isPlaceholderData}
              list={{
                name: 'statements',
                at: queryText({ page, sort }),
                isLater: page > 1,
                sort: { by: sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) },
                fileOf: supplierListFile('statements', { page, pageSize, sort }),
              }}
              empty={
                <Empty title="No statements yet">
                  The first one is issued after the month of your first sale, and emailed to you if you have set an
                  address under Notices.
                </Empty>
              }
            />
            {total > 0 && (
              <Pager
                page={page}
                pageSize={pageSize}
                total={total}
                unit="statements"
                sums={
                  <ListSumsLine
                    of={['statements']}
                    read={(signal) => request('GET /portal/api/supplier/statements/sums', { signal })}
                    words={{ amounts: { earned: 'earned' } }}
                  />
                }
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const COLUMNS: ReadonlyArray<Column<Statement>> = [
  {
    key: 'number',
    title: 'Number',
    cell: ({ statementId, number }) => (
      <PageLink to="/supply/statements" search={{ statement: statementId }}>
        {number}
      </PageLink>
    ),
  },
  { key: 'month', title: 'Month', cell: ({ month }) => month },
  { key: 'leads', title: 'Paid sales', numeric: true, cell: ({ leads }) => formatNumber(leads) },
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
    cell: ({ issuedAt, timeZone }) => (
      <ZoneProvider zone={timeZone}>
        <Time at={issuedAt} kind="day" />
      </ZoneProvider>
    ),
  },
];

function OneStatement({ statementId }: { readonly statementId: string }): ReactNode {
  const query = useQuery({
    queryKey: ['submissions', 'statement', statementId],
    queryFn: ({ signal }) =>
      request('GET /portal/api/v1/supplier/statements/:statementId', { params: { statementId }, signal }),
  });
  const number = query.data?.number;
  return (
    <Page
      title={number ?? 'Statement'}
      description={query.data !== undefined && `${query.data.month}, days and times in ${query.data.timeZone}.`}
      actions={
        <>
          {number !== undefined &&
            FORMS.map(([form, more, title]) => (
              <Button
                key={title}
                component="a"
                variant="default"
                href={`/portal/api/v1/supplier/statements/${statementId}.${form}${more}`}
                download={`${number}.${form}`}
                leftSection={<DownloadIcon aria-hidden="true" />}
              >
                {title}
              </Button>
            ))}
          <ButtonLink to="/supply/statements" variant="default">
            All statements
          </ButtonLink>
        </>
      }
    >
      <Loaded query={query} what="Loading the statement">
        {(statement) => (
          <ZoneProvider zone={statement.timeZone}>
            <StatementSections statement={statement} />
          </ZoneProvider>
        )}
      </Loaded>
    </Page>
  );
}
