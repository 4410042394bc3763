// Key figures of today, the two weeks before and this month, in the partner's time zone, and the funds.
import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Period } from '../../../../src/portal/buyer/overview.schema.ts';
import type { Offers } from '../../../../src/portal/buyer/stats.schema.ts';
import { Figure, Figures } from '../../../ui/facts.tsx';
import { count, formatMoney, formatNumber, formatShare } from '../../../ui/formats.ts';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Time } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useOfferStates } from './offer-states.ts';

export function OverviewFigures(): ReactNode {
  const query = useQuery({
    queryKey: ['deliveries', 'overview'],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/overview', { signal }),
  });
  return (
    <Loaded query={query} what="Loading today and this month">
      {({ today, month, days, currency }) => {
        const money = (amount: number): string => formatMoney(amount, currency);
        const date = days.at(-1)?.date ?? '';
        return (
          <Stack gap="xs">
            <Figures>
              <Figure
                name="Deliveries today"
                link={{ to: '/deliveries', search: { from: date, to: date } }}
                value={formatNumber(today.deliveries)}
                note={
                  <>
                    <Statuses period={today} />
                    <Weeks values={days.map(({ deliveries }) => deliveries)} format={formatNumber} />
                    {formatNumber(month.deliveries)} this month: <Statuses period={month} />
                  </>
                }
              />
              <Figure
                name="Spend today"
                link={{ to: '/reports', search: { by: 'day', span: 'this-month' } }}
                value={money(today.revenue)}
                note={
                  <>
                    <Waiting period={today} currency={currency} />
                    <Weeks values={days.map(({ revenue }) => revenue)} format={money} />
                    {money(month.revenue)} this month, <Waiting period={month} currency={currency} />
                  </>
                }
              />
              <Funds />
              <ReturnRate month={month} />
            </Figures>
            <Text size="xs" c="dimmed">
              Spend is the price of the day’s confirmed deliveries, less those returned since. Today began{' '}
              <Time at={today.from} kind="short" />, this month <Time at={month.from} kind="short" />.
            </Text>
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** The two weeks before today as a line, and the sum of the last one against the first. */
function Weeks({
  values,
  format,
}: {
  readonly values: readonly number[];
  readonly format: (value: number) => string;
}): ReactNode {
  const past = values.slice(0, -1);
  const sumOf = (week: readonly number[]): number => week.reduce((sum, value) => sum + value, 0);
  const [before, last] = [sumOf(past.slice(0, WEEK)), sumOf(past.slice(WEEK))];
  return (
    <>
      <Box my={6}>
        <Sparkline values={past} />
      </Box>
      <div>
        {format(last)} in the last 7 full days{before > 0 && `, ${changeOf(last, before)} vs. the 7 before`}
      </div>
    </>
  );
}

const WEEK = 7;

function changeOf(now: number, before: number): string {
  return `${now < before ? '-' : '+'}${formatShare(Math.abs(now - before) / before)}`;
}

/** What the offers' states say: the same instant, and the same figure, as the notice about low funds. */
function Funds(): ReactNode {
  const { data } = useOfferStates();
  const available = data?.available;
  return (
    <Figure
      name="Available funds"
      link={{ to: '/billing' }}
      value={
        data === undefined ? '…' : typeof available === 'number' ? formatMoney(available, data.currency) : 'No limit'
      }
      note={data === undefined ? '' : fundsNote(data)}
    />
  );
}

function fundsNote({ available, leadsLeft, offers, currency }: Offers): string {
  if (available === null) return 'You have no credit limit.';
  if (available <= 0) return 'Out of funds: you receive no leads until you make a payment.';
  if (leadsLeft !== null) return `Enough for ${count(leadsLeft, 'more lead')} at your highest price.`;
  const highest = Math.max(0, ...offers.filter(({ isActive }) => isActive).map(({ price }) => price));
  return highest === 0 ? 'You have no active offers.' : `Your highest price is ${formatMoney(highest, currency)}.`;
}

function ReturnRate({ month: { confirmed, returned } }: { readonly month: Period }): ReactNode {
  const charged = confirmed + returned;
  return (
    <Figure
      name="Return rate this month"
      link={{ to: '/claims' }}
      value={charged === 0 ? '—' : formatShare(returned / charged)}
      note={
        charged === 0
          ? 'Nothing charged yet'
          : `${formatNumber(returned)} of ${formatNumber(charged)} charged deliveries returned`
      }
    />
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
