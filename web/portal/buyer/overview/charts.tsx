// Charts of deliveries and of spend by day.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Stats } from '../../../../src/portal/buyer/stats.schema.ts';
import { Bars, ChartSection } from '../../../ui/chart-section.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { formatDate, formatMoney, formatMonth, formatNumber, formatShare } from '../../../ui/formats.ts';
import { PageLink } from '../../../ui/link.tsx';
import { periodSpan } from '../../../ui/period.tsx';
import { Empty } from '../../../ui/states.tsx';

type Day = Stats['byDay'][number];

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

export function SpendByDay({ stats }: { readonly stats: Stats }): ReactNode {
  const { byDay, currency, unit, totals } = stats;
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <ChartSection
      title={`Spend by ${unit}, ${periodSpan(stats)}`}
      height={200}
      chart={
        totals.deliveries === 0 ? (
          <Nothing stats={stats} />
        ) : (
          <Bars
            x="day"
            series={[{ name: 'spend', label: 'Spend', color: 'accent.6' }]}
            format={money}
            data={byDay.map(({ date, revenue }) => ({
              day: unit === 'day' ? shortDay(date) : formatMonth(date),
              spend: revenue,
            }))}
          />
        )
      }
      table={
        <DataTable
          caption={`Spend by ${unit}, newest first`}
          columns={dayColumns(unit, currency).filter(({ key }) => key === 'date' || key === 'spend')}
          rows={byDay.toReversed()}
          rowKey={({ date }) => date}
          empty={<Nothing stats={stats} />}
        />
      }
    />
  );
}

/** Deliveries by event type, and the reports that split them further. */
export function Splits({ stats: { byEventType, totals } }: { readonly stats: Stats }): ReactNode {
  return (
    <Group gap="md">
      {Object.entries(byEventType).map(([name, deliveries]) => (
        <Text key={name} size="sm">
          {name}: {formatNumber(deliveries)}
          {totals.deliveries > 0 && ` (${formatShare(deliveries / totals.deliveries)})`}
        </Text>
      ))}
      {SPLITS.map(([by, label]) => (
        <Text key={by} size="sm">
          <PageLink to="/reports" search={{ by, measures: 'deliveries,revenue,returnRate' }}>
            {label}
          </PageLink>
        </Text>
      ))}
    </Group>
  );
}

const SPLITS = [
  ['offer', 'Spend by offer'],
  ['state', 'Spend by state'],
] as const;

function Nothing({ stats }: { readonly stats: Stats }): ReactNode {
  return <Empty title="No deliveries">None in {periodSpan(stats)}. Choose a longer period above.</Empty>;
}

/** Nov 21 */
function shortDay(date: string): string {
  return formatDate(date).replace(/, \d{4}$/, '');
}
