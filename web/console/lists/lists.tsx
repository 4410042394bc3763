// The lists of the marketplace and its partners: contacts, domains and zip codes that keep leads from being sold.
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

import type { ListView } from '../../../src/scopes/lists.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { pageFilter, queryText, textFilter, useFilters } from '../../ui/filters.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { listColumns } from '../../ui/lists/list-parts.tsx';
import { LIST_USES } from '../../ui/lists/list-words.ts';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Allowed } from '../allowed.tsx';
import { NameSearch } from '../configuration/list-filters.tsx';
import { listFile } from '../list-file.ts';
import { useLists } from './list-queries.ts';

const FILTERS = { search: textFilter, page: pageFilter };
const WORDS = { search: ['Search'] } as const;

const COLUMNS: ReadonlyArray<Column<ListView>> = [
  ...listColumns.slice(0, 2),
  { key: 'use', title: 'Use', cell: ({ use }) => LIST_USES[use].title },
  { key: 'owner', title: 'Owner', cell: ({ partner }) => <Owner partner={partner} /> },
  ...listColumns.slice(2),
];

export function ListsPage(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const query = useLists(filters);
  return (
    <Page
      title="Lists"
      description="Contacts, domains and zip codes that are sold to nobody, not to some partners, or count as sold before."
      actions={
        <Allowed to="configure">
          <ButtonLink to="/lists/new">New list</ButtonLink>
        </Allowed>
      }
    >
      <Group role="search">
        <NameSearch
          label="Search lists"
          value={filters.search}
          onChange={(search) => setFilters({ search }, { push: false })}
        />
      </Group>
      <FilterBar list="lists" filters={FILTERS} values={filters} words={WORDS} onChange={setFilters} />
      <Loaded query={query} what="Loading lists">
        {({ data, total, pageSize }) => (
          <>
            <DataTable
              caption="Lists"
              columns={COLUMNS}
              rows={data}
              rowKey={({ listId }) => listId}
              isStale={query.isPlaceholderData}
              list={{
                name: 'lists',
                at: queryText(filters),
                isLater: filters.page > 1,
                fileOf: listFile('lists', { ...filters, pageSize }),
              }}
              empty={
                filters.search === '' ? (
                  <Empty title="No lists yet">
                    A list keeps leads from being sold, such as a list of people who must not be called.
                  </Empty>
                ) : (
                  <Empty title="No lists match">Try another search.</Empty>
                )
              }
            />
            <Pager page={filters.page} pageSize={pageSize} total={total} unit="lists" />
          </>
        )}
      </Loaded>
    </Page>
  );
}

export function Owner({ partner }: { readonly partner: string | null }): ReactNode {
  if (partner === null) return 'Marketplace';
  return (
    <PageLink to="/partners/$partnerKey" params={{ partnerKey: partner }}>
      {partner}
    </PageLink>
  );
}
