// The fields of a filter by day, and buttons that set it to today, yesterday, 7 days or this month, in the time zone of the page.
import { Button, Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

import { DAY_PRESETS, dayIn, type Days } from './days.ts';
import { Empty } from './states.tsx';
import { useZone } from './zone.tsx';

const LABELS = ['From', 'Through'] as const;

/** The first and the last day, both included. */
export function DayFields({
  days,
  labels: [first, last] = LABELS,
  onChange,
}: {
  readonly days: Days;
  readonly labels?: readonly [first: string, last: string];
  readonly onChange: (change: Partial<Days>) => void;
}): ReactNode {
  return (
    <>
      <TextInput
        type="date"
        label={first}
        value={days.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={last}
        value={days.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </>
  );
}

export function DayPresets({
  days,
  onChange,
}: {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
}): ReactNode {
  const today = dayIn(useZone(), new Date());
  return (
    <Group gap={6} role="group" aria-label="Days">
      {DAY_PRESETS.map(([name, daysOf]) => {
        const preset = daysOf(today);
        const isSet = preset.from === days.from && preset.to === days.to;
        return (
          <Button
            key={name}
            size="compact-sm"
            variant={isSet ? 'filled' : 'default'}
            aria-pressed={isSet}
            onClick={() => onChange(isSet ? { from: '', to: '' } : preset)}
          >
            {name}
          </Button>
        );
      })}
    </Group>
  );
}

/** Instead of a list, when the first day of its filter is after the last. */
export function ReversedDays(): ReactNode {
  return <Empty title="The first day is after the last">Change one of them, or choose a preset.</Empty>;
}
