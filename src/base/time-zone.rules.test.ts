import { describe, expect, it } from 'vitest';

import { canonicalTimeZone, computedTimeZone, isTimeZone, storedTimeZone, timeZoneFault } from './time-zone.rules.ts';
import { localDate } from './time.ts';

describe('A time zone', () => {
  it.each([
    ['America/New_York', 'America/New_York'],
    ['america/new_york', 'America/New_York'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['EST5EDT', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Atlantic/Jan_Mayen', 'Arctic/Longyearbyen'],
    ['nz', 'Pacific/Auckland'],
    ['utc', 'UTC'],
    ['GMT', 'UTC'],
    ['Etc/GMT+7', 'Etc/GMT+7'],
    ['CET', 'Europe/Brussels'],
  ])('%s is stored as %s', (name, zone) => {
    expect([canonicalTimeZone(name), storedTimeZone(name), timeZoneFault(name)]).toEqual([zone, zone, null]);
  });

  it.each([
    ['PST', 'America/Los_Angeles'],
    ['pdt', 'America/Los_Angeles'],
    ['MST', 'America/Denver'],
    ['CST', 'America/Chicago'],
    ['EST', 'America/New_York'],
    ['AKST', 'America/Anchorage'],
    ['HST', 'Pacific/Honolulu'],
    ['AST', 'America/Halifax'],
    ['IST', 'Asia/Kolkata'],
    ['BST', 'Europe/London'],
    ['AEST', 'Australia/Sydney'],
    ['Los Angeles', 'America/Los_Angeles'],
    ['America/Los Angeles', 'America/Los_Angeles'],
    ['Europe/New_York', 'America/New_York'],
    ['kolkata', 'Asia/Kolkata'],
  ])('%s is refused, and %s offered', (name, zone) => {
    expect(canonicalTimeZone(name)).toBeNull();
    expect(timeZoneFault(name)).toBe(`must be an IANA time zone (did you mean ${zone}?)`);
  });

  it.each([
    '',
    ' ',
    'Mars/Base',
    '+01:00',
    '-05',
    'UTC+2',
    'SystemV/PST8',
    'Factory',
    'localtime',
    'posix/UTC',
    'Etc/GMT+99',
  ])('%j is refused', (name) => {
    expect([isTimeZone(name), timeZoneFault(name)]).toEqual([
      false,
      'must be an IANA time zone, such as America/New_York',
    ]);
  });

  it('is one that days can be computed in, and none of the abbreviations that Node takes', () => {
    const letters =
      'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST EST MST HST';
    const words = letters.split(' ');
    for (const word of words)
      expect(new Intl.DateTimeFormat('en', { timeZone: word }).resolvedOptions().timeZone).toBeTypeOf('string');
    expect(words.filter(isTimeZone)).toEqual([]);
    for (const name of Intl.supportedValuesOf('timeZone')) {
      expect(localDate(new Date(0), canonicalTimeZone(name) ?? '')).toMatch(/^19(69-12-31|70-01-01)$/);
    }
    expect(Intl.supportedValuesOf('timeZone').filter((zone) => !isTimeZone(zone))).toEqual([]);
  });
});

describe('A stored time zone', () => {
  it.each([
    // Nothing could be computed by them.
    ['PST', 'America/Los_Angeles'],
    ['BST', 'Europe/London'],
    ['IST', 'Asia/Kolkata'],
    // Days and months were computed by their fixed hours.
    ['EST', 'America/Panama'],
    ['mst', 'America/Phoenix'],
    ['HST', 'Pacific/Honolulu'],
    ['Mars/Base', 'Mars/Base'],
  ])('%s stands for %s', (name, zone) => {
    expect(storedTimeZone(name)).toBe(zone);
  });

  it('has the days that a database computed by it only if it is a name of the IANA', () => {
    expect(['US/Eastern', 'PST', 'EST'].map(computedTimeZone)).toEqual(['America/New_York', 'PST', 'EST']);
  });
});
