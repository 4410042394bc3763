// Deliveries by day and by event type, each as a chart and as a table of the same numbers.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { BuyerStats } from '../../../sdk/typescript/client.ts';
import { Charted } from '../../ui/charted.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { formatDate, formatMoney, formatNumber, formatShare } from '../../ui/formats.ts';
import { Bars } from '../../ui/lazy-charts.tsx';
import { Empty } from '../../ui/states.tsx';

type Day = BuyerStats['byDay'][number];
type Kind = { readonly name: string; readonly deliveries: number };

const SERIES = [
  { name: 'confirmed', label: 'Confirmed', color: 'pine.6' },
  { name: 'pending', label: 'Pending', color: 'yellow.5' },
  { name: 'failed', label: 'Failed', color: 'red.7' },
  { name: 'returned', label: 'Returned', color: 'gray.6' },
];

export function ByDay({ stats }: { readonly stats: BuyerStats }): ReactNode {
  const { byDay, days, currency } = stats;
  return (
    <Charted
      title={`Deliveries by day, last ${days} days`}
      chart={
        stats.totals.deliveries === 0 ? (
          <Nothing days={days} />
        ) : (
          <Bars
            x="day"
            series={SERIES}
            format={formatNumber}
            data={byDay.map(({ date, confirmed, pending, failed, returned }) => ({
              day: shortDay(date),
              ...{ confirmed, pending, failed, returned },
            }))}
          />
        )
      }
      table={
        <>
          <Text size="sm" c="dimmed">
            Days are UTC days, as in the API and in the export, by the present status of their deliveries.
          </Text>
          <DataTable
            caption="Deliveries by day, newest first"
            columns={dayColumns(currency)}
            rows={byDay.toReversed()}
            rowKey={({ date }) => date}
            empty={<Nothing days={days} />}
          />
        </>
      }
    />
  );
}

function dayColumns(currency: string): readonly Column<Day>[] {
  const counted = (
    key: 'deliveries' | 'confirmed' | 'pending' | 'failed' | 'returned',
    title: string,
  ): Column<Day> => ({
    key,
    title,
    numeric: true,
    cell: (day) => formatNumber(day[key]),
  });
  return [
    { key: 'date', title: 'UTC day', cell: ({ date }) => formatDate(date) },
    counted('deliveries', 'Deliveries'),
    counted('confirmed', 'Confirmed'),
    counted('pending', 'Pending'),
    counted('failed', 'Failed'),
    counted('returned', 'Returned'),
    { key: 'revenue', title: 'Revenue', numeric: true, cell: ({ revenue }) => formatMoney(revenue, currency) },
  ];
}

export function ByEventType({ stats }: { readonly stats: BuyerStats }): ReactNode {
  const { byEventType, days, totals } = stats;
  const kinds: readonly Kind[] = Object.entries(byEventType).map(([name, deliveries]) => ({ name, deliveries }));
  const columns: readonly Column<Kind>[] = [
    { key: 'name', title: 'Event type', cell: ({ name }) => name },
    { key: 'deliveries', title: 'Deliveries', numeric: true, cell: ({ deliveries }) => formatNumber(deliveries) },
    {
      key: 'share',
      title: 'Share',
      numeric: true,
      cell: ({ deliveries }) => formatShare(totals.deliveries === 0 ? 0 : deliveries / totals.deliveries),
    },
  ];
  return (
    <Charted
      title={`Deliveries by event type, last ${days} days`}
      height={200}
      chart={
        totals.deliveries === 0 ? (
          <Nothing days={days} />
        ) : (
          <Bars
            x="name"
            series={[{ name: 'deliveries', label: 'Deliveries', color: 'pine.6' }]}
            format={formatNumber}
            data={kinds.map((kind) => ({ ...kind }))}
          />
        )
      }
      table={
        <DataTable
          caption="Deliveries by event type"
          columns={columns}
          rows={kinds}
          rowKey={({ name }) => name}
          empty={<Nothing days={days} />}
        />
      }
    />
  );
}

function Nothing({ days }: { readonly days: number }): ReactNode {
  return (
    <Empty title="Nothing was delivered">There is nothing in the last {days} days. Choose more of them above.</Empty>
  );
}

/** Nov 21 */
function shortDay(date: string): string {
  return formatDate(date).replace(/, \d{4}$/, '');
}
