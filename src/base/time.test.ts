import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { capSpan, type CapWindow, capWindows, startOfUtcDay, utcDay } from './time.ts';

describe('A UTC day', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['1999-12-31', '1999-12-31T00:00:00.000Z'],
  ])('%s begins at %s', (text, start) => {
    expect(startOfUtcDay(text)?.toISOString()).toBe(start);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '20261120',
    '2026-11-20T00:00:00Z',
    ' 2026-11-20',
    '2026-11-20\n',
    '26-11-20',
    '+002026-11-20',
    '',
    'today',
  ])('%j is rejected', (text) => {
    expect(startOfUtcDay(text)).toBeNull();
  });

  it('is the day of the instant in UTC, in every time zone of the machine', () => {
    expect(utcDay(new Date('2026-11-20T23:59:59.999Z'))).toBe('2026-11-20');
    expect(utcDay(new Date('2026-11-21T00:00:00.000Z'))).toBe('2026-11-21');
  });
});

describe('The window of a cap', () => {
  it.each<[CapWindow, string, string, string, string]>([
    ['daily', 'UTC', '2026-11-18T12:00:00Z', '2026-11-18T00:00:00Z', '2026-11-19T00:00:00Z'],
    ['daily', 'America/Los_Angeles', '2026-11-18T07:59:59.999Z', '2026-11-17T08:00:00Z', '2026-11-18T08:00:00Z'],
    ['daily', 'America/Los_Angeles', '2026-11-18T08:00:00Z', '2026-11-18T08:00:00Z', '2026-11-19T08:00:00Z'],
    // 25 and 23 hours.
    ['daily', 'America/New_York', '2026-11-01T12:00:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['daily', 'America/New_York', '2026-03-08T12:00:00Z', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    // The clocks go from 23:59 to 01:00: the day begins at 01:00.
    ['daily', 'Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
    // A Sunday belongs to the week of the Monday before.
    ['weekly', 'UTC', '2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'],
    ['weekly', 'UTC', '2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['weekly', 'America/New_York', '2026-11-01T12:00:00Z', '2026-10-26T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['weekly', 'UTC', '2027-01-01T00:00:00Z', '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z'],
    ['monthly', 'UTC', '2026-11-30T23:59:59.999Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['monthly', 'America/New_York', '2026-12-01T04:59:59.999Z', '2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
    ['monthly', 'UTC', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['monthly', 'Asia/Tokyo', '2026-12-31T15:00:00Z', '2026-12-31T15:00:00Z', '2027-01-31T15:00:00Z'],
  ])('%s in %s holds %s', (window, timeZone, at, from, until) => {
    const span = capSpan(window, new Date(at), timeZone);
    expect([new Date(span.from), new Date(span.until)]).toEqual([new Date(from), new Date(until)]);
  });

  const zone = fc.constantFrom(
    'UTC',
    'America/New_York',
    'America/Havana',
    'Africa/Cairo',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  );
  const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });

  it('contains its instant, is the same for all of them, and is followed by the next', () => {
    fc.assert(
      fc.property(fc.constantFrom(...capWindows), zone, instant, (window, timeZone, at) => {
        const span = capSpan(window, at, timeZone);
        expect(span.from <= at.getTime() && at.getTime() < span.until).toBe(true);
        for (const edge of [span.from, span.until - 1]) expect(capSpan(window, new Date(edge), timeZone)).toEqual(span);
        expect(capSpan(window, new Date(span.until), timeZone).from).toBe(span.until);
      }),
    );
  });

  it('of a week and of a month begins and ends with a day', () => {
    fc.assert(
      fc.property(fc.constantFrom<CapWindow>('weekly', 'monthly'), zone, instant, (window, timeZone, at) => {
        const span = capSpan(window, at, timeZone);
        expect(capSpan('daily', new Date(span.from), timeZone).from).toBe(span.from);
        expect(capSpan('daily', new Date(span.until - 1), timeZone).until).toBe(span.until);
      }),
    );
  });
});
