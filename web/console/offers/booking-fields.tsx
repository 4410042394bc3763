// The booking settings of an offer: bookable hours, slot length, calls per slot, notice and days ahead.
import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import type { Booking } from '../configuration/configuration-api.ts';
import type { Faults } from '../configuration/draft.ts';
import { fieldsOf, NumberField } from '../configuration/fields.tsx';
import { HoursEditor } from './hours-editor.tsx';

const NUMBERS = ['slotMinutes', 'capacity', 'noticeMinutes', 'horizonDays'] as const;

export function BookingFields({
  booking,
  onChange,
  faults,
  timeZone,
}: {
  readonly booking: Booking;
  readonly onChange: (booking: Booking) => void;
  readonly faults: Faults;
  readonly timeZone: string;
}): ReactNode {
  const field = fieldsOf('offer', faults);
  return (
    <Section title="Booking">
      <HoursEditor
        label={`${field('booking.availability').label}, in ${timeZone}`}
        hours={booking.availability}
        onChange={(availability) => onChange({ ...booking, availability })}
        path="booking.availability"
        faults={faults}
      />
      {booking.availability.length === 0 && faults.of('booking.availability') !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {faults.of('booking.availability')}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {NUMBERS.map((name) => (
          <NumberField
            key={name}
            {...field(`booking.${name}`)}
            value={booking[name]}
            onChange={(value) => onChange({ ...booking, [name]: value })}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}
