import { describe, expect, test } from 'vitest';

import { billableSpans, dayStarts, monthSpan, parseMonth, notOver } from './period.rules.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

test.each([
  ['2026-10', '2026-10'],
  ['2000-01', '2000-01'],
  ['2026-13', null],
  ['2026-00', null],
  ['2026-1', null],
  ['1999-12', null],
  ['3000-01', null],
  ['2026-10-01', null],
  [' 2026-10', null],
  ['', null],
])('%o is read as the month %o', (text, month) => {
  expect(parseMonth(text)).toBe(month);
});

describe('A month', () => {
  test.each([
    ['in winter', '2026-01', 'America/New_York', '2026-01-01T05:00:00.000Z', '2026-02-01T05:00:00.000Z'],
    ['that ends summer time', '2026-11', 'America/Los_Angeles', '2026-11-01T07:00:00.000Z', '2026-12-01T08:00:00.000Z'],
    ['that begins summer time', '2026-03', 'America/Chicago', '2026-03-01T06:00:00.000Z', '2026-04-01T05:00:00.000Z'],
    ['east of everybody', '2026-10', 'Pacific/Kiritimati', '2026-09-30T10:00:00.000Z', '2026-10-31T10:00:00.000Z'],
    ['in UTC', '2024-02', 'UTC', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['at the end of the year', '2026-12', 'Asia/Kolkata', '2026-11-30T18:30:00.000Z', '2026-12-31T18:30:00.000Z'],
    // Clocks went from 23:59 to 01:00 on the night to 1 October 2023.
    ['without its first hour', '2023-10', 'America/Asuncion', '2023-10-01T04:00:00.000Z', '2023-11-01T03:00:00.000Z'],
  ])('%s lasts from its first instant to the next month’s', (_case, month, zone, from, until) => {
    const span = monthSpan(month, zone);
    expect([iso(span.from), iso(span.until)]).toEqual([from, until]);
  });

  test('has as many days as the calendar says, also where one is longer than the others', () => {
    const days = dayStarts('2026-11', 'America/Los_Angeles').map((day) => day.toISOString());
    expect(days).toHaveLength(30);
    expect(days.slice(0, 3)).toEqual([
      '2026-11-01T07:00:00.000Z',
      '2026-11-02T08:00:00.000Z',
      '2026-11-03T08:00:00.000Z',
    ]);
    expect(dayStarts('2024-02', 'UTC')).toHaveLength(29);
  });
});

describe('An invoice takes up charges', () => {
  const spans = (month: string, invoiced: readonly string[], zone = 'UTC'): string[] =>
    billableSpans(month, invoiced, zone).map(({ from, until }) => `${iso(from)} ${iso(until)}`);

  test('of its own month', () => {
    expect(spans('2026-10', [])).toEqual(['2026-10-01T00:00:00.000Z 2026-11-01T00:00:00.000Z']);
  });

  test('of earlier months that have an invoice, in one stretch where they follow each other', () => {
    expect(spans('2026-10', ['2026-09', '2026-06', '2026-07', '2026-09'])).toEqual([
      '2026-06-01T00:00:00.000Z 2026-08-01T00:00:00.000Z',
      '2026-09-01T00:00:00.000Z 2026-11-01T00:00:00.000Z',
    ]);
  });

  test('of no later month', () => {
    expect(spans('2026-10', ['2026-11', '2027-01'])).toEqual(['2026-10-01T00:00:00.000Z 2026-11-01T00:00:00.000Z']);
  });

  test('by the zone as it is, whatever it was when the earlier invoices were issued', () => {
    expect(spans('2026-10', ['2026-09'], 'America/New_York')).toEqual([
      '2026-09-01T04:00:00.000Z 2026-11-01T04:00:00.000Z',
    ]);
  });
});

describe('A month is not over', () => {
  const partners = [
    { buyerKey: 'summit', timeZone: 'America/Los_Angeles' },
    { buyerKey: 'harbor', timeZone: 'America/New_York' },
  ];
  test.each([
    [
      'for anybody while it lasts',
      '2026-11-01T03:59:59.999Z',
      '2026-10 is not over for summit in America/Los_Angeles (and for 1 more): it ends at 2026-11-01T07:00:00.000Z.',
    ],
    [
      'for those whose zone is behind',
      '2026-11-01T04:00:00.000Z',
      '2026-10 is not over for summit in America/Los_Angeles: it ends at 2026-11-01T07:00:00.000Z.',
    ],
    ['from the first instant of the next one on for nobody', '2026-11-01T07:00:00.000Z', null],
  ])('%s', (_what, now, expected) => {
    expect(notOver('2026-10', partners, new Date(now))).toBe(expected);
  });
});
