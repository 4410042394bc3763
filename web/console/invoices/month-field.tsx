// The filter of a list by month: the latest ones, and the chosen one if it is older.
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

import { monthName } from './months.ts';

export function MonthField({
  months,
  value,
  onChange,
}: {
  readonly months: readonly string[];
  /** Empty for all months. */
  readonly value: string;
  readonly onChange: (month: string) => void;
}): ReactNode {
  const choices = value === '' || months.includes(value) ? months : [value, ...months];
  return (
    <Select
      label="Month"
      data={[{ value: '', label: 'All months' }, ...choices.map((one) => ({ value: one, label: monthName(one) }))]}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}
