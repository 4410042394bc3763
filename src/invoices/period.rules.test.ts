import { describe, expect, it } from 'vitest';

import { billableSpans, dayStarts, monthSpan, parseMonth, notOver } from './period.rules.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

describe('parseMonth', () => {
  it.each([
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
});

describe('monthSpan and dayStarts', () => {
  it.each([
    ['a month in winter', '2026-01', 'America/New_York', '2026-01-01T05:00:00.000Z', '2026-02-01T05:00:00.000Z'],
    [
      'a month in which daylight saving ends',
      '2026-11',
      'America/Los_Angeles',
      '2026-11-01T07:00:00.000Z',
      '2026-12-01T08:00:00.000Z',
    ],
    [
      'a month in which daylight saving begins',
      '2026-03',
      'America/Chicago',
      '2026-03-01T06:00:00.000Z',
      '2026-04-01T05:00:00.000Z',
    ],
    ['a month at UTC+14', '2026-10', 'Pacific/Kiritimati', '2026-09-30T10:00:00.000Z', '2026-10-31T10:00:00.000Z'],
    ['a month in UTC', '2024-02', 'UTC', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    [
      'a month at the end of the year',
      '2026-12',
      'Asia/Kolkata',
      '2026-11-30T18:30:00.000Z',
      '2026-12-31T18:30:00.000Z',
    ],
    // Clocks went from 23:59 to 01:00 on the night to 1 October 2023.
    [
      'a month without its first hour',
      '2023-10',
      'America/Asuncion',
      '2023-10-01T04:00:00.000Z',
      '2023-11-01T03:00:00.000Z',
    ],
  ])('returns the start and end of %s', (_case, month, zone, from, until) => {
    const span = monthSpan(month, zone);
    expect([iso(span.from), iso(span.until)]).toEqual([from, until]);
  });

  it('returns the start of each day, even if a day is longer than others', () => {
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

describe('billableSpans', () => {
  const spans = (month: string, invoiced: readonly string[], zone = 'UTC'): string[] =>
    billableSpans(month, invoiced, zone).map(({ from, until }) => `${iso(from)} ${iso(until)}`);

  it('returns the month itself', () => {
    expect(spans('2026-10', [])).toEqual(['2026-10-01T00:00:00.000Z 2026-11-01T00:00:00.000Z']);
  });

  it('merges adjacent months that have an invoice', () => {
    expect(spans('2026-10', ['2026-09', '2026-06', '2026-07', '2026-09'])).toEqual([
      '2026-06-01T00:00:00.000Z 2026-08-01T00:00:00.000Z',
      '2026-09-01T00:00:00.000Z 2026-11-01T00:00:00.000Z',
    ]);
  });

  it('ignores later months', () => {
    expect(spans('2026-10', ['2026-11', '2027-01'])).toEqual(['2026-10-01T00:00:00.000Z 2026-11-01T00:00:00.000Z']);
  });

  it('uses the current time zone for earlier months as well', () => {
    expect(spans('2026-10', ['2026-09'], 'America/New_York')).toEqual([
      '2026-09-01T04:00:00.000Z 2026-11-01T04:00:00.000Z',
    ]);
  });
});

describe('notOver', () => {
  const partners = [
    { buyerKey: 'summit', timeZone: 'America/Los_Angeles' },
    { buyerKey: 'harbor', timeZone: 'America/New_York' },
  ];
  it.each([
    [
      'names one partner and counts the others while the month lasts for all',
      '2026-11-01T03:59:59.999Z',
      '2026-10 is not over for summit in America/Los_Angeles (and for 1 more): it ends at 2026-11-01T07:00:00.000Z.',
    ],
    [
      'names the partner for whom the month still lasts',
      '2026-11-01T04:00:00.000Z',
      '2026-10 is not over for summit in America/Los_Angeles: it ends at 2026-11-01T07:00:00.000Z.',
    ],
    ['returns null from the end of the month on', '2026-11-01T07:00:00.000Z', null],
  ])('%s', (_what, now, expected) => {
    expect(notOver('2026-10', partners, new Date(now))).toBe(expected);
  });
});
