// The list of verticals with the suppliers that post into them and the offers that buy from them.
import type { ReactNode } from 'react';

import type { VerticalRow } from '../../../src/console/verticals.schema.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Allowed } from '../allowed.tsx';
import { useVerticals } from '../configuration/configuration-api.ts';
import { nameColumn } from '../configuration/list-of-things.tsx';

export function VerticalsPage(): ReactNode {
  const query = useVerticals();
  return (
    <Page
      title="Verticals"
      description="Kinds of leads with fields of their own."
      actions={
        <Allowed to="configure">
          <ButtonLink to="/verticals/new">New vertical</ButtonLink>
        </Allowed>
      }
    >
      <Loaded query={query} what="Loading verticals">
        {({ data }) => (
          <DataTable
            caption="Verticals"
            columns={COLUMNS}
            rows={data}
            rowKey={({ key }) => key}
            empty={
              <Empty title="No verticals yet">
                All leads are of one kind and have the standard fields. Create a vertical to sell another kind.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

const COLUMNS: ReadonlyArray<Column<VerticalRow>> = [
  nameColumn('Vertical', ({ key, name }) => (
    <PageLink to="/verticals/$verticalKey" params={{ verticalKey: key }}>
      {name}
    </PageLink>
  )),
  { key: 'status', title: 'Status', cell: ({ status }) => <Status>{status}</Status> },
  { key: 'fields', title: 'Fields', numeric: true, cell: ({ fields }) => formatNumber(fields.length) },
  { key: 'suppliers', title: 'Suppliers', numeric: true, cell: ({ suppliers }) => formatNumber(suppliers.length) },
  { key: 'offers', title: 'Offers', numeric: true, cell: ({ offers }) => formatNumber(offers) },
];
