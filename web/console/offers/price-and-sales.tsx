// The price of an offer over the last days with its sales per day, and the changes of the price. Load it through `lazyPart`.
import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { OfferPrices } from '../../../src/console/offers.schema.ts';
import { Bars, ChartSection, Steps } from '../../ui/chart-section.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatDate, formatMoney, formatNumber } from '../../ui/formats.ts';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { actorWords } from '../changes/change-review.tsx';
import { request } from '../console-api.ts';
import { useConsoleSession } from '../session.ts';
import { type PriceDay, priceDays } from './price-days.ts';

type PriceChange = OfferPrices['changes'][number];

export function PriceAndSales({ offerKey }: { readonly offerKey: string }): ReactNode {
  const { currency } = useConsoleSession();
  const query = useQuery({
    queryKey: ['configuration', 'offers', offerKey, 'prices'],
    queryFn: async ({ signal }) => {
      const params = { offerKey };
      const question = {
        ...{ by: 'day', measures: 'deliveries', span: 'last-90-days' as const },
        offer: encodeURIComponent(offerKey),
      };
      const [prices, report] = await Promise.all([
        request('GET /console/api/offers/:offerKey/prices', { params, signal }),
        request('GET /console/api/reports', { query: question, signal }),
      ]);
      return { changes: prices.changes, days: priceDays(prices, report) };
    },
  });
  return (
    <Loaded query={query} what="Loading prices and sales">
      {({ changes, days }) => (
        <>
          <Days days={days} currency={currency} />
          <Section title="Price changes">
            <DataTable
              caption="Price changes, newest first"
              columns={changeColumns(currency)}
              rows={changes}
              rowKey={({ at, to }) => `${at} ${to}`}
              empty={<Text size="sm">The price has never changed.</Text>}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}

/** Both axes have room for a price of five digits. */
const CHART_PX = { price: 130, gap: 12, sales: 150, axis: 88 };

function Days({ days, currency }: { readonly days: readonly PriceDay[]; readonly currency: string }): ReactNode {
  const rows = days.map(({ day, price, sold }) => ({ day: shortDay(day), price, sold }));
  const money = (value: number): string => formatMoney(value, currency);
  return (
    <ChartSection
      title="Price and sales, last 90 days"
      height={CHART_PX.price + CHART_PX.gap + CHART_PX.sales}
      chart={
        <Stack gap={CHART_PX.gap}>
          <Box h={CHART_PX.price}>
            <Steps
              x="day"
              data={rows}
              series={{ name: 'price', label: 'Price', color: 'blue.6' }}
              format={money}
              axisPx={CHART_PX.axis}
            />
          </Box>
          <Box h={CHART_PX.sales}>
            <Bars
              x="day"
              data={rows}
              series={[{ name: 'sold', label: 'Sales', color: 'accent.6' }]}
              format={formatNumber}
              axisPx={CHART_PX.axis}
            />
          </Box>
        </Stack>
      }
      table={
        <DataTable
          caption="Price at the end of each day and sales, newest first"
          columns={dayColumns(currency)}
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          empty={<Text size="sm">No days to show.</Text>}
        />
      }
    />
  );
}

function dayColumns(currency: string): ReadonlyArray<Column<PriceDay>> {
  return [
    { key: 'day', title: 'Day', cell: ({ day }) => formatDate(day) },
    { key: 'price', title: 'Price', numeric: true, cell: ({ price }) => formatMoney(price, currency) },
    { key: 'sold', title: 'Sales', numeric: true, cell: ({ sold }) => formatNumber(sold) },
  ];
}

function changeColumns(currency: string): ReadonlyArray<Column<PriceChange>> {
  return [
    { key: 'at', title: 'When', cell: ({ at }) => <Time at={at} /> },
    { key: 'from', title: 'From', numeric: true, cell: ({ from }) => formatMoney(from, currency) },
    { key: 'to', title: 'To', numeric: true, cell: ({ to }) => formatMoney(to, currency) },
    { key: 'actor', title: 'By', cell: ({ actor }) => (actor === null ? '—' : actorWords(actor)) },
  ];
}

/** Nov 21 */
function shortDay(date: string): string {
  return formatDate(date).replace(/, \d{4}$/, '');
}
