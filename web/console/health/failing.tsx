// The endpoints that are failing or disabled, the longest first.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatAgo } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Status } from '../../ui/status.tsx';
import { OwnerLink } from '../endpoints/owner-link.tsx';
import type { FailingEndpoint, Health } from '../../../src/console/health.schema.ts';

/** The page Endpoints lists all. */
const SHOWN = 5;

export function Failing({ endpoints }: { readonly endpoints: Health['endpoints'] }): ReactNode {
  const { listed, failing, disabled } = endpoints;
  if (listed.length === 0) return null;
  const left = failing + disabled - Math.min(SHOWN, listed.length);
  return (
    <Section
      title="Unhealthy endpoints"
      actions={
        <Text size="sm">
          <PageLink to="/endpoints" search={{ only: 'failing' }}>
            {left > 0 ? `${left} more` : 'All endpoints'}
          </PageLink>
        </Text>
      }
    >
      <DataTable
        caption="Unhealthy endpoints"
        columns={COLUMNS}
        rows={listed.slice(0, SHOWN)}
        rowKey={({ ownerKind, ownerKey, channel }) => `${ownerKind} ${ownerKey} ${channel}`}
        empty={null}
      />
    </Section>
  );
}

const COLUMNS: ReadonlyArray<Column<FailingEndpoint>> = [
  { key: 'owner', title: 'Owner', cell: (endpoint) => <OwnerLink owner={endpoint} /> },
  { key: 'channel', title: 'Channel', cell: ({ channel }) => channel },
  {
    key: 'state',
    title: 'Status',
    cell: ({ state }) => <Status tone={state === 'failing' ? 'bad' : 'idle'}>{state}</Status>,
  },
  { key: 'since', title: 'Since', cell: ({ since }) => <time dateTime={since}>{formatAgo(since, new Date())}</time> },
  { key: 'error', title: 'Last response', cell: ({ lastError }) => lastError ?? <span aria-label="unknown">—</span> },
];
