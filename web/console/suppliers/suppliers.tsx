// All suppliers with what they posted lately.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { choiceFilter, pageFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { formatNumber, formatShare } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { SupplierRow } from '../../../src/console/suppliers.schema.ts';
import { FIGURE_DAYS, useSuppliers } from '../configuration/configuration-api.ts';
import { ListFilters } from '../configuration/list-filters.tsx';
import { Allowed } from '../allowed.tsx';

const STATUSES = ['pending', 'approved', 'suspended'] as const;
const FILTERS = { search: textFilter, status: choiceFilter(['', ...STATUSES]), page: pageFilter };

export function SuppliersPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useSuppliers(filters);
  const isFiltered = filters.search !== '' || filters.status !== '';
  return (
    <Page
      title="Suppliers"
      description={`Who posts leads. Figures are of the last ${FIGURE_DAYS} days.`}
      actions={
        <Allowed to="configure">
          <ButtonLink to="/suppliers/new">New supplier</ButtonLink>
        </Allowed>
      }
    >
      <ListFilters
        filters={filters}
        onChange={(change, options) => setFilters(change as Partial<typeof filters>, options)}
        label="Search suppliers"
        statuses={STATUSES}
      />
      <Loaded query={query} what="Loading suppliers">
        {({ data, total, pageSize }) => (
          <>
            <DataTable
              caption="Suppliers"
              columns={COLUMNS}
              rows={data}
              rowKey={({ key }) => key}
              isStale={query.isPlaceholderData}
              empty={
                isFiltered ? (
                  <Empty title="No suppliers match">Search for something else, or for any status.</Empty>
                ) : (
                  <Empty title="No suppliers yet">
                    <PageLink to="/suppliers/new">Create the first one</PageLink>, then issue a key that it posts with.
                  </Empty>
                )
              }
            />
            <Pager page={filters.page} pageSize={pageSize} total={total} unit="suppliers" />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const COLUMNS: Array<Column<SupplierRow>> = [
  {
    key: 'name',
    title: 'Supplier',
    cell: ({ key, name }) => (
      <Stack gap={0}>
        <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: key }}>
          {name}
        </PageLink>
        <Text size="xs" c="dimmed">
          {key}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => <Status>{status}</Status>,
  },
  { key: 'submitted', title: 'Submitted', numeric: true, cell: ({ figures }) => formatNumber(figures.submitted) },
  { key: 'routed', title: 'Sold', numeric: true, cell: ({ figures }) => formatNumber(figures.routed) },
  {
    key: 'rate',
    title: 'Share sold',
    numeric: true,
    cell: ({ figures }) => (figures.submitted === 0 ? '—' : formatShare(figures.acceptanceRate / 100)),
  },
  {
    key: 'score',
    title: 'Average score',
    numeric: true,
    cell: ({ figures }) => (figures.submitted === 0 ? '—' : formatNumber(figures.avgScore)),
  },
  {
    key: 'callback',
    title: 'Callback',
    cell: ({ callback }) => (callback === null ? 'None' : 'Set up'),
  },
];
