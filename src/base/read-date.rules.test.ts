import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateFormatter } from './date-format.rules.ts';
import { compileDateFormat, dayOfWritten, instantOfWritten, readCommonDate } from './read-date.rules.ts';

function read(text: string, format: string | null = null, timeZone = 'UTC'): string | null {
  const reader = format === null ? readCommonDate : compileDateFormat(format);
  if (typeof reader === 'string') throw new Error(reader);
  const written = reader(text);
  return written === null ? null : new Date(instantOfWritten(written, timeZone)).toISOString();
}

describe('A time without a format', () => {
  it.each([
    ['2026-11-20 17:03:11', '2026-11-20T17:03:11.000Z'],
    ['2026-11-20T17:03:11', '2026-11-20T17:03:11.000Z'],
    ['2026-11-20T17:03Z', '2026-11-20T17:03:00.000Z'],
    ['2026-11-20T17:03', '2026-11-20T17:03:00.000Z'],
    [' 2026-11-20 ', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20 17:03:11.123456', '2026-11-20T17:03:11.123Z'],
    ['2026-11-20 17:03:11 +0000', '2026-11-20T17:03:11.000Z'],
    ['2026-11-20 17:03:11-05', '2026-11-20T22:03:11.000Z'],
    ['2026-11-20T17:03:11,5+05:45', '2026-11-20T11:18:11.500Z'],
    ['2026-11-20 17:03:11 UTC', '2026-11-20T17:03:11.000Z'],
  ])('%j is read as %s', (text, at) => {
    expect(read(text)).toBe(at);
  });

  it.each([
    ...['', 'now', '11/20/2026', '20.11.2026', '2026-13-01', '2026-02-30', '2026-11-20 24:00', '2026-11-20 17:60'],
    ...[
      '2026-11-20 17:03:60',
      '2026-11-20 17:03:11+19:00',
      '2026-11-20 17',
      '20261120',
      '2026-11-20 EST',
      '0026-11-20',
    ],
  ])('%j is not read', (text) => {
    expect(read(text)).toBeNull();
  });

  it('is in the zone unless it names an offset', () => {
    expect(read('2026-11-20 17:03:11', null, 'America/New_York')).toBe('2026-11-20T22:03:11.000Z');
    expect(read('2026-07-01', null, 'America/New_York')).toBe('2026-07-01T04:00:00.000Z');
    expect(read('2026-11-20 17:03:11Z', null, 'America/New_York')).toBe('2026-11-20T17:03:11.000Z');
    // Twice, and never.
    expect(read('2026-11-01 01:30', null, 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    expect(read('2026-03-08 02:30', null, 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  });
});

describe('A time in a format', () => {
  it.each([
    ['MM/DD/YYYY h:mm A', '11/20/2026 5:03 PM', '2026-11-20T17:03:00.000Z'],
    ['MM/DD/YYYY h:mm A', '1/5/2026 12:03 am', '2026-01-05T00:03:00.000Z'],
    ['M/D/YY H:mm', '11/20/26 7:03', '2026-11-20T07:03:00.000Z'],
    ['DD.MM.YYYY HH:mm:ss', '20.11.2026 17:03:11', '2026-11-20T17:03:11.000Z'],
    ['YYYYMMDDHHmmss', '20261120170311', '2026-11-20T17:03:11.000Z'],
    ['YYYYMMDD', '2026112', null],
    ['ddd, D MMM YYYY HH:mm:ss ZZ', 'Fri, 20 Nov 2026 17:03:11 +0100', '2026-11-20T16:03:11.000Z'],
    ['MMMM D, YYYY [at] h:mm a', 'november 20, 2026  at 5:03 p.m.', '2026-11-20T17:03:00.000Z'],
    ['MMM D YYYY', 'Brumaire 20 2026', null],
    ['X', '1763658191', '2025-11-20T17:03:11.000Z'],
    ['x', '1763658191250', '2025-11-20T17:03:11.250Z'],
    ['DD/MM/YYYY', '11/20/2026', null],
    ['MM/DD/YYYY', '11-20-2026', null],
    ['MM/DD/YYYY h:mm A', '11/20/2026 17:03 PM', null],
    ['YYYY-MM-DD HH:mm:ss.SSS', '2026-11-20 17:03:11.25', '2026-11-20T17:03:11.250Z'],
    ['[at (]YYYY-MM-DD[)]', 'at (2026-11-20)', '2026-11-20T00:00:00.000Z'],
  ])('%j reads %j as %s', (format, text, at) => {
    expect(read(text, format)).toBe(at);
  });

  it.each([
    ['HH:mm', 'has no year: YYYY'],
    ['YYYY', 'has no month: MM'],
    ['MMMM YYYY', 'has no day: DD'],
    ['MM/DD/YYYY h:mm', 'has hours of a half day without A for AM and PM; HH are hours up to 23'],
    ['MM/DD/YYYY MM', 'names the month twice'],
    ['[YYYY-MM-DD]', 'has no year: YYYY'],
  ])('%j is refused: %s', (format, message) => {
    expect(compileDateFormat(format)).toBe(message);
  });

  it('reads what the same format writes, in any zone', () => {
    const formats = [
      'MM/DD/YYYY h:mm:ss A',
      'YYYY-MM-DD HH:mm:ss',
      'D MMM YYYY H:m:s',
      'dddd, MMMM DD YYYY hh:mm:ssa ZZ',
    ];
    const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Europe/Dublin'];
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2001, 0, 1) / 1000, max: Date.UTC(2060, 0, 1) / 1000 }),
        fc.constantFrom(...formats),
        fc.constantFrom(...zones),
        (seconds, format, zone) => {
          const write = dateFormatter(format, zone);
          const at = new Date(seconds * 1000).toISOString();
          const again = read(String(write(at)), format, zone) ?? '';
          // An hour occurs twice when clocks go back: what was written is the same.
          expect(write(again)).toBe(write(at));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never throws, and takes time in proportion to the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 60 }), (format, text) => {
        const reader = compileDateFormat(format);
        if (typeof reader === 'string') return;
        const written = reader(text);
        if (written !== null) expect(dayOfWritten(written)).toMatch(/^[+-]?\d+-\d\d-\d\d$/);
      }),
    );
    expect(read('2026-11-20 '.repeat(20_000))).toBeNull();
    expect(read(`2026-11-20${' '.repeat(50_000)}x`)).toBeNull();
    expect(read(`1${' '.repeat(50_000)}x`, 'D  M  YYYY')).toBeNull();
  });
});
