// The periods that pages of figures offer, as a filter and a field, and the days that one stands for.
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';

import type { StatsQuery } from '../../src/portal/buyer/stats.schema.ts';
import { choiceFilter } from './filters.ts';
import { formatDate, formatMonth } from './formats.ts';

type PeriodName = NonNullable<StatsQuery['period']>;

const NAMES: Readonly<Record<PeriodName, string>> = {
  '30d': 'Last 30 days',
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  month: 'This month',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
};
const PERIODS = ['30d', 'today', 'yesterday', '7d', 'month', '90d', '12m'] as const;

export const periodFilter = choiceFilter(PERIODS);

export function PeriodPicker({
  value,
  onChange,
  label = 'Period',
}: {
  readonly value: PeriodName;
  readonly onChange: (period: PeriodName) => void;
  readonly label?: string;
}): ReactNode {
  return (
    <NativeSelect
      aria-label={label}
      w="fit-content"
      data={PERIODS.map((name) => ({ value: name, label: NAMES[name] }))}
      value={value}
      onChange={({ currentTarget }) => onChange(PERIODS.find((name) => name === currentTarget.value) ?? PERIODS[0])}
    />
  );
}

/** `Oct 27, 2026 to Nov 2, 2026`, or one day, or months. */
export function periodSpan({
  unit,
  from,
  to,
}: {
  readonly unit: 'day' | 'month';
  readonly from: string;
  readonly to: string;
}): string {
  const format = unit === 'day' ? formatDate : formatMonth;
  return from === to ? format(from) : `${format(from)} to ${format(to)}`;
}
