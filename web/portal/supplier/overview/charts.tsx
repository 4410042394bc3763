// Charts of submissions by day or month and of accepted leads by score.
import type { ReactNode } from 'react';

import type { Overview } from '../../../../src/portal/supplier/overview.schema.ts';
import { Bars, ChartSection } from '../../../ui/chart-section.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { formatDate, formatMonth, formatNumber, formatShare } from '../../../ui/formats.ts';
import { Empty } from '../../../ui/states.tsx';

type Day = Overview['byDay'][number];
type ScoreRange = Overview['scores'][number];

/** The outcomes of a day's leads; together they add up to the submissions. */
const SERIES = [
  { name: 'sold', label: 'Sold', color: 'accent.6' },
  { name: 'pending', label: 'Pending', color: 'yellow.5' },
  { name: 'unsold', label: 'Not sold', color: 'gray.6' },
  { name: 'refused', label: 'Rejected', color: 'red.7' },
];

export function ByDay({ unit, days }: { readonly unit: Overview['unit']; readonly days: readonly Day[] }): ReactNode {
  return (
    <ChartSection
      title={`Submissions by ${unit}`}
      chart={
        <Bars
          x="day"
          series={SERIES}
          format={formatNumber}
          data={days.map((day) => ({
            day: unit === 'day' ? shortDay(day.date) : formatMonth(day.date),
            sold: day.routed,
            pending: day.pending,
            unsold: unsold(day),
            refused: refused(day),
          }))}
        />
      }
      table={
        <DataTable
          caption={`Submissions by ${unit}, newest first`}
          columns={[PERIOD_COLUMNS[unit], ...COUNT_COLUMNS]}
          rows={days.toReversed()}
          rowKey={({ date }) => date}
          empty={<Empty title="No days" />}
        />
      }
    />
  );
}

const PERIOD_COLUMNS: Readonly<Record<Overview['unit'], Column<Day>>> = {
  day: {
    key: 'date',
    title: 'Day',
    cell: ({ date }) => <span style={{ whiteSpace: 'nowrap' }}>{formatDate(date)}</span>,
  },
  month: { key: 'date', title: 'Month', cell: ({ date }) => formatMonth(date) },
};

const COUNT_COLUMNS: readonly Column<Day>[] = [
  { key: 'submitted', title: 'Submitted', numeric: true, cell: ({ submitted }) => formatNumber(submitted) },
  { key: 'refused', title: 'Rejected', numeric: true, cell: (day) => formatNumber(refused(day)) },
  { key: 'accepted', title: 'Accepted', numeric: true, cell: ({ accepted }) => formatNumber(accepted) },
  { key: 'sold', title: 'Sold', numeric: true, cell: ({ routed }) => formatNumber(routed) },
  { key: 'unsold', title: 'Not sold', numeric: true, cell: (day) => formatNumber(unsold(day)) },
  { key: 'pending', title: 'Pending', numeric: true, cell: ({ pending }) => formatNumber(pending) },
  {
    key: 'rate',
    title: 'Sold share',
    numeric: true,
    cell: ({ submitted, acceptanceRate }) => (submitted === 0 ? '' : formatShare(acceptanceRate / 100)),
  },
  {
    key: 'score',
    title: 'Average score',
    numeric: true,
    cell: ({ accepted, avgScore }) => (accepted === 0 ? '' : avgScore.toFixed(1)),
  },
];

export function ByScore({
  scores,
  accepted,
}: {
  readonly scores: readonly ScoreRange[];
  readonly accepted: number;
}): ReactNode {
  const columns: readonly Column<ScoreRange>[] = [
    { key: 'range', title: 'Score', cell: (range) => span(range) },
    { key: 'leads', title: 'Accepted leads', numeric: true, cell: ({ leads }) => formatNumber(leads) },
    {
      key: 'share',
      title: 'Share',
      numeric: true,
      cell: ({ leads }) => (accepted === 0 ? '' : formatShare(leads / accepted)),
    },
  ];
  return (
    <ChartSection
      title="Accepted leads by score"
      height={220}
      chart={
        <Bars
          x="score"
          series={[{ name: 'leads', label: 'Leads', color: 'accent.6' }]}
          format={formatNumber}
          data={scores.map((range) => ({ score: span(range), leads: range.leads }))}
        />
      }
      table={
        <DataTable
          caption="Accepted leads per range of ten points"
          columns={columns}
          rows={scores}
          rowKey={span}
          empty={<Empty title="No scores" />}
        />
      }
    />
  );
}

function span({ from, to }: ScoreRange): string {
  return `${from}–${to}`;
}

function refused({ submitted, accepted }: Day): number {
  return submitted - accepted;
}

function unsold(day: Day): number {
  return day.rejected - refused(day);
}

/** Nov 21 */
function shortDay(date: string): string {
  return formatDate(date).replace(/, \d+$/, '');
}
