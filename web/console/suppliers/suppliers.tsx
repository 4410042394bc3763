// The list of suppliers with their recent figures.
import type { ReactNode } from 'react';

import type { Column } from '../../ui/data-table.tsx';
import { useFilters } from '../../ui/filters.ts';
import { formatNumber, formatShare } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { ordersOf, sortFilter } from '../../ui/list-orders.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Trend } from '../../ui/trend.tsx';
import { Ago } from '../../ui/zone.tsx';
import type { SupplierRow } from '../../../src/console/suppliers.schema.ts';
import { useSuppliers } from '../configuration/configuration-api.ts';
import { FiguresNote, listFilters, ListOfThings, nameColumn } from '../configuration/list-of-things.tsx';
import { Allowed } from '../allowed.tsx';

const FILTERS = {
  ...listFilters('supplier'),
  sort: sortFilter(['last', 'today', 'submitted', 'routed', 'rate', 'score']),
};

export function SuppliersPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useSuppliers(filters);
  return (
    <Page
      title="Suppliers"
      description={<FiguresNote what="Accounts that submit leads" trend="leads submitted" />}
      actions={
        <Allowed to="configure">
          <ButtonLink to="/suppliers/new">New supplier</ButtonLink>
        </Allowed>
      }
    >
      <ListOfThings
        kind="supplier"
        known={FILTERS}
        filters={filters}
        onChange={setFilters}
        sort={{ by: filters.sort, onChange: (by) => setFilters({ sort: FILTERS.sort.read(by) }) }}
        query={query}
        columns={COLUMNS}
        empty={
          <Empty title="No suppliers yet">
            <PageLink to="/suppliers/new">Create a supplier</PageLink>, then issue a key for it.
          </Empty>
        }
      />
    </Page>
  );
}

const COLUMNS: Array<Column<SupplierRow>> = [
  nameColumn('Supplier', ({ key, name }) => (
    <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: key }}>
      {name}
    </PageLink>
  )),
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => <Status>{status}</Status>,
  },
  {
    key: 'last',
    title: 'Last submission',
    orders: ordersOf('last'),
    cell: ({ activity }) => <Ago at={activity.lastLeadAt} />,
  },
  {
    key: 'today',
    title: 'Today',
    numeric: true,
    orders: ordersOf('today'),
    cell: ({ activity }) => formatNumber(activity.trend.at(-1) ?? 0),
  },
  {
    key: 'trend',
    title: 'Trend',
    cell: ({ activity }) => <Trend counts={activity.trend} unit="lead" />,
  },
  {
    key: 'submitted',
    title: 'Submitted',
    numeric: true,
    orders: ordersOf('submitted'),
    cell: ({ figures }) => formatNumber(figures.submitted),
  },
  {
    key: 'routed',
    title: 'Sold',
    numeric: true,
    orders: ordersOf('routed'),
    cell: ({ figures }) => formatNumber(figures.routed),
  },
  {
    key: 'rate',
    title: 'Share sold',
    numeric: true,
    orders: ordersOf('rate'),
    cell: ({ figures }) => (figures.submitted === 0 ? '—' : formatShare(figures.acceptanceRate / 100)),
  },
  {
    key: 'score',
    title: 'Average score',
    numeric: true,
    orders: ordersOf('score'),
    cell: ({ figures }) => (figures.submitted === 0 ? '—' : formatNumber(figures.avgScore)),
  },
  {
    key: 'callback',
    title: 'Callback',
    cell: ({ callback }) => (callback === null ? 'None' : 'Set up'),
  },
];
