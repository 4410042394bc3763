// The partner's overview page: notices, key figures, pacing, charts, latest deliveries.
import { SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { choiceFilter, useFilters } from '../../../ui/filters.ts';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { OffersAttention } from './offers-attention.tsx';
import { ByDay, ByEventType } from './charts.tsx';
import { OverviewFigures } from './figures.tsx';
import { LatestDeliveries } from './latest-deliveries.tsx';
import { Pacing } from './pacing.tsx';

const PERIODS = ['30d', '7d', '90d', '12m'] as const;
const FILTERS = { period: choiceFilter(PERIODS) };
const PERIOD_WORDS = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '12m', label: '12 months' },
];

export function OverviewPage(): ReactNode {
  const [{ period }, setFilters] = useFilters(FILTERS);
  const stats = useQuery({
    queryKey: ['deliveries', 'stats', period],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/stats', { query: { period }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Overview" description={<ZoneNote />}>
      <OffersAttention />
      <OverviewFigures />
      <Loaded query={stats} what="Loading your statistics">
        {(response) => (
          <Stack gap="lg">
            <Pacing stats={response} />
            <SegmentedControl
              aria-label="Period of the charts"
              w={{ base: '100%', xs: 'fit-content' }}
              value={period}
              onChange={(value) => setFilters({ period: PERIODS.find((one) => one === value) ?? PERIODS[0] })}
              data={PERIOD_WORDS}
            />
            <Stack gap="lg" aria-busy={stats.isPlaceholderData} opacity={stats.isPlaceholderData ? 0.6 : 1}>
              <ByDay stats={response} />
              <ByEventType stats={response} />
            </Stack>
          </Stack>
        )}
      </Loaded>
      <LatestDeliveries />
    </Page>
  );
}
