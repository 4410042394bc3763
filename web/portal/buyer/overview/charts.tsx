// Charts of deliveries by day and by event type.
import type { ReactNode } from 'react';

import type { Stats } from '../../../../src/portal/buyer/stats.schema.ts';
import { Bars, ChartSection } from '../../../ui/chart-section.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { formatDate, formatMoney, formatMonth, formatNumber, formatShare } from '../../../ui/formats.ts';
import { periodSpan } from '../../../ui/period.tsx';
import { Empty } from '../../../ui/states.tsx';

type Day = Stats['byDay'][number];
type Kind = { readonly name: string; readonly deliveries: number };

const SERIES = [
  { name: 'confirmed', label: 'Confirmed', color: 'accent.6' },
  { name: 'pending', label: 'Pending', color: 'yellow.5' },
  { name: 'failed', label: 'Failed', color: 'red.7' },
  { name: 'returned', label: 'Returned', color: 'gray.6' },
];

export function ByDay({ stats }: { readonly stats: Stats }): ReactNode {
  const { byDay, currency, unit } = stats;
  return (
    <ChartSection
      title={`Deliveries by ${unit}, ${periodSpan(stats)}`}
      chart={
        stats.totals.deliveries === 0 ? (
          <Nothing stats={stats} />
        ) : (
          <Bars
            x="day"
            series={SERIES}
            format={formatNumber}
            data={byDay.map(({ date, confirmed, pending, failed, returned }) => ({
              day: unit === 'day' ? shortDay(date) : formatMonth(date),
              ...{ confirmed, pending, failed, returned },
            }))}
          />
        )
      }
      table={
        <DataTable
          caption={`Deliveries by ${unit}, newest first`}
          columns={dayColumns(unit, currency)}
          rows={byDay.toReversed()}
          rowKey={({ date }) => date}
          empty={<Nothing stats={stats} />}
        />
      }
    />
  );
}

function dayColumns(unit: Stats['unit'], currency: string): readonly Column<Day>[] {
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
    unit === 'day'
      ? { key: 'date', title: 'Day', cell: ({ date }) => formatDate(date) }
      : { key: 'date', title: 'Month', cell: ({ date }) => formatMonth(date) },
    counted('deliveries', 'Deliveries'),
    counted('confirmed', 'Confirmed'),
    counted('pending', 'Pending'),
    counted('failed', 'Failed'),
    counted('returned', 'Returned'),
    { key: 'spend', title: 'Spend', numeric: true, cell: ({ revenue }) => formatMoney(revenue, currency) },
  ];
}

export function ByEventType({ stats }: { readonly stats: Stats }): ReactNode {
  const { byEventType, totals } = stats;
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
    <ChartSection
      title={`Deliveries by event type, ${periodSpan(stats)}`}
      height={200}
      chart={
        totals.deliveries === 0 ? (
          <Nothing stats={stats} />
        ) : (
          <Bars
            x="name"
            series={[{ name: 'deliveries', label: 'Deliveries', color: 'accent.6' }]}
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
          empty={<Nothing stats={stats} />}
        />
      }
    />
  );
}

function Nothing({ stats }: { readonly stats: Stats }): ReactNode {
  return <Empty title="No deliveries">None in {periodSpan(stats)}. Choose a longer period above.</Empty>;
}

/** Nov 21 */
function shortDay(date: string): string {
  return formatDate(date).replace(/, \d{4}$/, '');
}
