// Key figures of today and this month, in the partner's time zone.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Period } from '../../../../src/portal/buyer/overview.schema.ts';
import { Figure, Figures } from '../../../ui/facts.tsx';
import { count, formatMoney, formatNumber } from '../../../ui/formats.ts';
import { Loaded } from '../../../ui/states.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';

export function OverviewFigures(): ReactNode {
  const query = useQuery({
    queryKey: ['deliveries', 'overview'],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/overview', { signal }),
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
            Spend is the price of your confirmed deliveries, less returned ones. Today began{' '}
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
