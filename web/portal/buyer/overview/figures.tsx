// Today and this month in figures, by the days of the partner's own zone.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Figure, Figures } from '../../../ui/facts.tsx';
import { count, formatMoney, formatNumber } from '../../../ui/formats.ts';
import { read } from '../../../ui/request.ts';
import { Loaded } from '../../../ui/states.tsx';
import { Time } from '../../../ui/zone.tsx';

type Period = {
  readonly from: string;
  readonly until: string;
  readonly deliveries: number;
  readonly confirmed: number;
  readonly pending: number;
  readonly failed: number;
  readonly returned: number;
  readonly revenue: number;
  readonly revenuePending: number;
};

/** As GET /portal/api/buyer/overview answers. */
type Overview = {
  readonly timeZone: string;
  readonly currency: string;
  readonly today: Period;
  readonly month: Period;
};

export function OverviewFigures(): ReactNode {
  const query = useQuery({
    queryKey: ['deliveries', 'overview'],
    queryFn: ({ signal }) => read<Overview>('/portal/api/buyer/overview', signal),
  });
  return (
    <Loaded query={query} what="Loading today and this month">
      {({ today, month, currency }) => (
        <Stack gap="xs">
          <Figures>
            <Figure name="Deliveries today" value={formatNumber(today.deliveries)} note={<Statuses period={today} />} />
            <Figure
              name="Spend today"
              value={formatMoney(today.revenue, currency)}
              note={<Waiting period={today} currency={currency} />}
            />
            <Figure
              name="Deliveries this month"
              value={formatNumber(month.deliveries)}
              note={<Statuses period={month} />}
            />
            <Figure
              name="Spend this month"
              value={formatMoney(month.revenue, currency)}
              note={<Waiting period={month} currency={currency} />}
            />
          </Figures>
          <Text size="xs" c="dimmed">
            Spend is the price of your confirmed deliveries, without those returned. Today began{' '}
            <Time at={today.from} kind="short" />, this month <Time at={month.from} kind="short" />.
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

function Statuses({ period }: { readonly period: Period }): ReactNode {
  const { confirmed, pending, failed, returned } = period;
  const parts = [
    `${formatNumber(confirmed)} confirmed`,
    ...(pending > 0 ? [`${formatNumber(pending)} pending`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(returned > 0 ? [`${formatNumber(returned)} returned`] : []),
  ];
  return parts.join(', ');
}

function Waiting({ period, currency }: { readonly period: Period; readonly currency: string }): ReactNode {
  const { pending, revenuePending } = period;
  if (pending === 0) return 'nothing pending';
  return `and ${formatMoney(revenuePending, currency)} in ${count(pending, 'pending delivery', 'pending deliveries')}`;
}
