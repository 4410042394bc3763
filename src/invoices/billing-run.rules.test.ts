// Tests on which day a month is invoiced (contract 6.20).
import { describe, expect, it } from 'vitest';
import { isRunDue, monthsUpTo, nextRunDay } from './billing-run.rules.ts';

describe('isRunDue', () => {
  it.each([
    ['is not due before the day in UTC', 'UTC', 1, '2026-10-31T23:59:59.999Z', false],
    ['is due from the first instant of the day in UTC', 'UTC', 1, '2026-11-01T00:00:00.000Z', true],
    ['waits for midnight in Los Angeles', 'America/Los_Angeles', 1, '2026-11-01T06:59:59.999Z', false],
    ['is due at midnight in Los Angeles', 'America/Los_Angeles', 1, '2026-11-01T07:00:00.000Z', true],
    ['is due on the other side of the date line first', 'Pacific/Kiritimati', 1, '2026-10-31T10:00:00.000Z', true],
    ['waits for a later day', 'UTC', 5, '2026-11-04T23:59:59.999Z', false],
    ['is due on that day', 'UTC', 5, '2026-11-05T00:00:00.000Z', true],
    ['is due months later', 'UTC', 28, '2027-03-01T00:00:00.000Z', true],
    ['is due in January for December', 'UTC', 1, '2026-11-01T00:00:00.000Z', true],
    // Clocks in Havana go from 00:59 back to 00:00; the day begins at the first midnight.
    ['is due when the clocks change at midnight', 'America/Havana', 1, '2026-11-01T04:00:00.000Z', true],
  ])('%s', (_case, timeZone, runOn, at, expected) => {
    expect(isRunDue('2026-10', { timeZone, runOn }, new Date(at))).toBe(expected);
  });
});

describe('monthsUpTo', () => {
  it('lists the months over the end of a year', () => {
    expect(monthsUpTo('2026-11', '2027-02')).toEqual(['2026-11', '2026-12', '2027-01', '2027-02']);
  });
  it('is empty when a clock has gone back', () => {
    expect(monthsUpTo('2026-11', '2026-10')).toEqual([]);
  });
});

describe('nextRunDay', () => {
  it.each([
    [1, '2026-11-24T00:00:00Z', '2026-12-01'],
    [28, '2026-11-24T00:00:00Z', '2026-11-28'],
    [24, '2026-11-24T00:00:00Z', '2026-12-24'],
    [5, '2026-12-31T00:00:00Z', '2027-01-05'],
  ])('on day %i, seen at %s, is %s', (runOn, at, day) => {
    expect(nextRunDay(runOn, new Date(at))).toBe(day);
  });
});
