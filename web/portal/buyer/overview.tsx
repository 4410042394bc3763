// The partner's overview: today and this month, how the offers stand against their caps, days and kinds as charts, the latest deliveries.
import { SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { BuyerStats } from '../../../sdk/typescript/client.ts';
import { choiceFilter, useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { read } from '../../ui/request.ts';
import { Loaded } from '../../ui/states.tsx';
import { ZoneNote } from '../../ui/zone.tsx';
import { ByDay, ByEventType } from './overview-charts.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { LatestDeliveries } from './overview-latest.tsx';
import { Pacing } from './overview-pacing.tsx';

const DAYS = ['30', '7', '90', '365'] as const;
const FILTERS = { days: choiceFilter(DAYS) };

export function OverviewPage(): ReactNode {
  const [{ days }, setFilters] = useFilters(FILTERS);
  const stats = useQuery({
    queryKey: ['deliveries', 'stats', days],
    queryFn: ({ signal }) => read<BuyerStats>(`/portal/api/v1/buyer/stats?days=${days}`, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Overview" description={<ZoneNote />}>
      <OverviewFigures />
      <Loaded query={stats} what="Loading your statistics">
        {(answer) => (
          <Stack gap="lg">
            <Pacing stats={answer} />
            <SegmentedControl
              aria-label="Days shown in the charts"
              w={{ base: '100%', xs: 'fit-content' }}
              value={days}
              onChange={(value) => setFilters({ days: DAYS.find((one) => one === value) ?? DAYS[0] })}
              data={['7', '30', '90', '365'].map((value) => ({ value, label: `${value} days` }))}
            />
            <Stack gap="lg" aria-busy={stats.isPlaceholderData} opacity={stats.isPlaceholderData ? 0.6 : 1}>
              <ByDay stats={answer} />
              <ByEventType stats={answer} />
            </Stack>
          </Stack>
        )}
      </Loaded>
      <LatestDeliveries />
    </Page>
  );
}
