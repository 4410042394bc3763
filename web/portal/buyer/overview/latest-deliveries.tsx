// The latest deliveries, updated live.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Section } from '../../../ui/facts.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { DeliveriesTable } from '../deliveries/deliveries-table.tsx';

const LATEST = 5;

export function LatestDeliveries(): ReactNode {
  const query = useQuery({
    queryKey: ['deliveries', 'latest'],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/deliveries', { query: { pageSize: LATEST }, signal }),
  });
  return (
    <Section
      title="Latest deliveries"
      actions={
        <Text size="sm" component="span">
          <PageLink to="/deliveries">All deliveries</PageLink>
        </Text>
      }
    >
      <Loaded query={query} what="Loading the latest deliveries">
        {({ data, verticals }) => (
          <DeliveriesTable
            caption="Latest deliveries"
            rows={data}
            verticals={verticals}
            isStale={false}
            empty={<Empty title="No deliveries yet">Leads appear here as soon as they are routed to you.</Empty>}
          />
        )}
      </Loaded>
    </Section>
  );
}
