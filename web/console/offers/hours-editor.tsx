// The editor of weekly hours: rows with days and times, and a diagram of the resulting week.
import { Box, Button, Chip, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Hours } from '../configuration/configuration-api.ts';
import type { Faults } from '../configuration/draft.ts';
import { dayNames, daysWords } from '../configuration/field-words.ts';
import { officeHours } from '../configuration/new-things.ts';

const DAYS = Object.keys(dayNames);

/** `path` is the path of the rows in the form: `schedule`. */
export function HoursEditor({
  hours,
  onChange,
  label,
  path,
  faults,
}: {
  readonly hours: readonly Hours[];
  readonly onChange: (hours: readonly Hours[]) => void;
  readonly label: string;
  readonly path: string;
  readonly faults: Faults;
}): ReactNode {
  // The index identifies a row: rows have no id, and new ones are added at the end.
  const rows = hours.map((entry, index) => ({ entry, index }));
  const change = (index: number, entry: Hours): void =>
    onChange(hours.map((other, at) => (at === index ? entry : other)));
  return (
    <Fieldset legend={label}>
      <Stack gap="md">
        {rows.map(({ entry, index }) => (
          <HoursRow
            key={index}
            entry={entry}
            number={index + 1}
            error={faults.of(`${path}[${index}]`)}
            onChange={(next) => change(index, next)}
            onRemove={() => onChange(hours.filter((_, at) => at !== index))}
          />
        ))}
        <Group gap="sm">
          <Button variant="default" size="xs" onClick={() => onChange([...hours, officeHours])}>
            Add hours
          </Button>
          {hours.length === 0 && <Text size="sm">Add at least one row of hours.</Text>}
        </Group>
        <WeekGrid hours={hours} />
      </Stack>
    </Fieldset>
  );
}

function HoursRow({
  entry,
  number,
  error,
  onChange,
  onRemove,
}: {
  readonly entry: Hours;
  readonly number: number;
  readonly error: string | undefined;
  readonly onChange: (entry: Hours) => void;
  readonly onRemove: () => void;
}): ReactNode {
  return (
    <Stack gap="xs" role="group" aria-label={`Hours ${number}`}>
      <Chip.Group multiple value={[...entry.days]} onChange={(days) => onChange({ ...entry, days: inOrder(days) })}>
        <Group gap={6}>
          {DAYS.map((day) => (
            <Chip key={day} value={day} size="xs" variant="outline">
              {dayNames[day]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="From"
          value={entry.from}
          onChange={({ currentTarget }) => onChange({ ...entry, from: currentTarget.value })}
          placeholder="09:00"
          w={90}
          maxLength={5}
          error={error !== undefined}
        />
        <TextInput
          label="To"
          value={entry.to}
          onChange={({ currentTarget }) => onChange({ ...entry, to: currentTarget.value })}
          placeholder="17:00"
          w={90}
          maxLength={5}
          error={error !== undefined}
        />
        <Button variant="subtle" color="gray" size="xs" mb={4} onClick={onRemove} aria-label={`Remove hours ${number}`}>
          Remove
        </Button>
      </Group>
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </Stack>
  );
}

function inOrder(days: readonly string[]): string[] {
  return DAYS.filter((day) => days.includes(day));
}

const MINUTES = 1440;

/** The diagram of the week. Its text alternative repeats the rows. */
function WeekGrid({ hours }: { readonly hours: readonly Hours[] }): ReactNode {
  const spans = hours.flatMap(({ days, from, to }) => {
    const [start, end] = [minuteOf(from), minuteOf(to)];
    return start === null || end === null || start >= end ? [] : [{ days, start, end, from, to }];
  });
  return (
    <Box
      role="img"
      aria-label={`Open ${hours.map(({ days, from, to }) => `${daysWords(days)} ${from} to ${to}`).join(', ')}`}
    >
      <Stack gap={3}>
        {DAYS.map((day) => (
          <Group key={day} gap="xs" wrap="nowrap">
            <Text size="xs" c="dimmed" w={30}>
              {dayNames[day]}
            </Text>
            <Box pos="relative" h={10} flex={1} bg="var(--lm-quiet-ground)" style={{ borderRadius: 3 }}>
              {spans
                .filter(({ days }) => days.includes(day))
                .map(({ start, end }) => (
                  <Box
                    key={`${start} ${end}`}
                    pos="absolute"
                    top={0}
                    bottom={0}
                    left={`${(100 * start) / MINUTES}%`}
                    w={`${(100 * (end - start)) / MINUTES}%`}
                    bg="var(--lm-good)"
                    style={{ borderRadius: 3 }}
                  />
                ))}
            </Box>
          </Group>
        ))}
        <Group justify="space-between" pl={42} aria-hidden="true">
          {['00', '06', '12', '18', '24'].map((hour) => (
            <Text key={hour} size="xs" c="dimmed">
              {hour}
            </Text>
          ))}
        </Group>
      </Stack>
    </Box>
  );
}

function minuteOf(time: string): number | null {
  const match = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(time);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}
