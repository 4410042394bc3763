// The partner's overview page: notices, key figures, pacing, charts, latest deliveries.
import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useFilters } from '../../../ui/filters.ts';
import { Page } from '../../../ui/page.tsx';
import { periodFilter, PeriodPicker } from '../../../ui/period.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { OffersAttention } from './offers-attention.tsx';
import { ByDay, SpendByDay, Splits } from './charts.tsx';
import { OverviewFigures } from './figures.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { LatestDeliveries } from './latest-deliveries.tsx';

const Pacing = lazyPart(async () => (await import('./pacing.tsx')).Pacing, 'Loading the caps');

const FILTERS = { period: periodFilter };

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
            <PeriodPicker
              label="Period of the charts"
              value={period}
              onChange={(value) => setFilters({ period: value })}
            />
            <Stack gap="lg" aria-busy={stats.isPlaceholderData} opacity={stats.isPlaceholderData ? 0.6 : 1}>
              <ByDay stats={response} />
              <Splits stats={response} />
              <SpendByDay stats={response} />
            </Stack>
          </Stack>
        )}
      </Loaded>
      <LatestDeliveries />
    </Page>
  );
}
