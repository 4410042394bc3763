// A valid value for an own field, for test leads and the posting specification (contract 14.4).
import { utcDay } from '../base/time.ts';
import type { FieldType } from '../marketplace/vertical.schema.ts';
import type { OwnField } from '../marketplace/verticals.ts';

const SAMPLE_TEXT = 'Example';
const SAMPLE_NUMBER = 10;

const SAMPLES: Readonly<Record<FieldType, (field: OwnField, now: Date) => string | number | boolean>> = {
  text: ({ minLength, maxLength }) => SAMPLE_TEXT.padEnd(minLength ?? 0, '.').slice(0, maxLength ?? undefined),
  integer: sampleNumber,
  number: sampleNumber,
  money: sampleNumber,
  boolean: () => true,
  date: (field, now) => within(field, utcDay(now)),
  datetime: (field, now) => within(field, `${now.toISOString().slice(0, 19)}Z`),
  enum: ({ values }) => values[0] ?? '',
  url: () => 'https://forms.example.com/',
  zip: () => '94103',
  email: () => 'jordan.rivera@example.com',
  phone: () => '+15555550123',
};

/** As a supplier posts it, within the field's bounds. */
export function sampleOwn(field: OwnField, now: Date): string | number | boolean {
  return SAMPLES[field.type](field, now);
}

function sampleNumber({ min, max }: OwnField): number {
  const most = typeof max === 'number' ? Math.min(SAMPLE_NUMBER, max) : SAMPLE_NUMBER;
  return typeof min === 'number' ? Math.max(min, most) : most;
}

/** Bounds are days or instants in UTC, whose texts are in their order. */
function within({ min, max }: OwnField, text: string): string {
  if (typeof min === 'string' && text < min) return min;
  return typeof max === 'string' && text > max ? max : text;
}
