// The list of partners, suppliers or offers: filters in the URL, pages of rows, and an empty state.
import { Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type Column, DataTable, type ListSettings } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { choiceFilter, type Filter, pageFilter, queryText, textFilter } from '../../ui/filters.ts';
import { ordersOf } from '../../ui/list-orders.ts';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useZone } from '../../ui/zone.tsx';
import type { PartnersQuery } from '../../../src/console/partners.schema.ts';
import type { SuppliersQuery } from '../../../src/console/suppliers.schema.ts';
import { listFile } from '../list-file.ts';
import { FIGURE_DAYS } from './configuration-api.ts';
import { capital } from './draft.ts';
import { ListFilters } from './list-filters.tsx';
import { type Forms, valuesOf } from './members.ts';

type Listed = 'supplier' | 'partner' | 'offer';
type Filters<Of extends Listed> = {
  readonly search: string;
  readonly status: '' | Forms[Of]['status'];
  readonly page: number;
} & Sort<Of>;
type Sort<Of extends Listed> = Of extends 'partner'
  ? { readonly sort: NonNullable<PartnersQuery['sort']> }
  : Of extends 'supplier'
    ? { readonly sort: NonNullable<SuppliersQuery['sort']> }
    : unknown;

/** The filters of the list, for `useFilters`. */
export function listFilters<Of extends Listed>(kind: Of) {
  const statuses = valuesOf<Listed>(kind, 'status') as ReadonlyArray<Forms[Of]['status']>;
  return { search: textFilter, status: choiceFilter(['', ...statuses]), page: pageFilter };
}

const WORDS = { search: ['Search'], status: ['Status', capital] } as const;

export function ListOfThings<Of extends Listed, Row extends { readonly key: string }>({
  kind,
  caption,
  known,
  filters,
  further,
  onChange,
  sort,
  query,
  columns,
  empty,
}: {
  readonly kind: Of;
  readonly caption?: string;
  /** The filters of the page, as given to `useFilters`. */
  readonly known: { readonly [Name in keyof Filters<Of>]: Filter<Filters<Of>[Name]> };
  readonly filters: Filters<Of>;
  /** Parameters of the list's request that no filter of the page is for. */
  readonly further?: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<Filters<Of>>, options?: { readonly push?: boolean }) => void;
  /** The order, if the list has several. */
  readonly sort?: NonNullable<ListSettings<Row>['sort']>;
  readonly query: UseQueryResult<{ readonly data: readonly Row[]; readonly total: number; readonly pageSize: number }>;
  readonly columns: ReadonlyArray<Column<Row>>;
  /** Shown if there are no items at all, whatever the filters. */
  readonly empty: ReactNode;
}): ReactNode {
  const unit = `${kind}s`;
  const isFiltered = filters.search !== '' || filters.status !== '';
  return (
    <>
      <ListFilters
        filters={filters}
        onChange={(change, options) => onChange(change as Partial<Filters<Of>>, options)}
        label={`Search ${unit}`}
        statuses={valuesOf<Listed>(kind, 'status')}
      />
      <FilterBar list={unit} filters={known} values={filters} words={WORDS} onChange={onChange} />
      <Loaded query={query} what={`Loading ${unit}`}>
        {({ data, total, pageSize }) => (
          <>
            <DataTable
              caption={caption ?? capital(unit)}
              columns={columns}
              rows={data}
              rowKey={({ key }) => key}
              isStale={query.isPlaceholderData}
              list={{
                name: unit,
                at: queryText(filters),
                isLater: filters.page > 1,
                ...(sort === undefined ? {} : { sort }),
                fileOf: listFile(unit, { ...filters, ...further, pageSize }),
              }}
              empty={isFiltered ? <Empty title={`No ${unit} match`}>Try another search or status.</Empty> : empty}
            />
            <Pager page={filters.page} pageSize={pageSize} total={total} unit={unit} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** What the figures of the list cover, by the days of the marketplace. */
export function FiguresNote({ what, trend }: { readonly what: string; readonly trend: string }): ReactNode {
  const zone = useZone();
  return `${what}. Totals: last ${FIGURE_DAYS} days. Trend: ${trend} per day, last 14 days. Days in ${zone}.`;
}

/** A column with the name, linked to the item's page, and the key. */
export function nameColumn<Row extends { readonly key: string }>(
  title: string,
  linkTo: (row: Row) => ReactNode,
): Column<Row> {
  return {
    key: 'name',
    title,
    orders: ordersOf('name'),
    cell: (row) => (
      <Stack gap={0}>
        {linkTo(row)}
        <Text size="xs" c="dimmed">
          {row.key}
        </Text>
      </Stack>
    ),
  };
}
