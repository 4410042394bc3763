// The page of failures: dead letters and failed deliveries.
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

import { choiceFilter, cursorFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';

const FILTERS = {
  tab: choiceFilter(['jobs', 'deliveries']),
  after: cursorFilter,
  sort: textFilter,
  partner: textFilter,
};

export function JobsPage(): ReactNode {
  const [{ tab }, setFilters] = useFilters(FILTERS);
  return (
    <Page title="Failures" description={<ZoneNote />}>
      <Tabs
        value={tab}
        // Only the visible tab requests data.
        keepMounted={false}
        onChange={(value) => setFilters({ tab: FILTERS.tab.read(value ?? undefined), sort: '', partner: '' })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="jobs">Dead letters</Tabs.Tab>
          <Tabs.Tab value="deliveries">Failed deliveries</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="jobs">
          <DeadLetters />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <FailedDeliveries />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
