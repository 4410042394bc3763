import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from './retry-after.rules.ts';

const now = new Date('2026-11-20T10:00:00.000Z');

describe('retryAfterSeconds', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    [' 120 ', 120],
    ['00120', 120],
    ['86400', 86_400],
    ['86401', 86_400],
    ['99999999999999999999999999', 86_400],
    ['9'.repeat(400), 86_400],
    ['-1', 0],
    ['-99999999999999999999', 0],
  ])('reads the header %s as %d seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });

  it.each([
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 12:00:00 GMT', 7_200],
    ['Fri, 20 Nov 2026 09:59:59 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sun, 22 Nov 2026 10:00:01 GMT', 86_400],
    ['Thu, 31 Dec 2026 23:59:60 GMT', 86_400],
    ['Friday, 20-Nov-26 10:01:00 GMT', 60],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Wednesday, 20-Nov-76 10:00:00 GMT', 86_400],
    ['Sunday, 20-Nov-77 10:00:00 GMT', 0],
    ['Fri Nov 20 10:00:05 2026', 5],
    ['Sun Nov  6 08:49:37 1994', 0],
  ])('reads the date %s as %d seconds from now', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });

  it('rounds up, so that a wait never ends early', () => {
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', new Date('2026-11-20T10:00:00.001Z'))).toBe(30);
    expect(retryAfterSeconds('Fri, 20 Nov 2026 10:00:30 GMT', new Date('2026-11-20T09:59:59.999Z'))).toBe(31);
  });

  it.each([
    null,
    '',
    ' ',
    'soon',
    '1.5',
    '1,5',
    '+5',
    '1e3',
    '0x10',
    '--1',
    '-',
    '10 s',
    '10, 20',
    '１２',
    'NaN',
    'Infinity',
    '2026-11-20T10:00:30Z',
    'Fri, 20 Nov 2026 10:00:30',
    'Fri, 20 Nov 2026 10:00:30 UTC',
    'Fri, 20 Nov 2026 10:00:30 +0000',
    'fri, 20 nov 2026 10:00:30 gmt',
    'Fri, 20 Nov 26 10:00:30 GMT',
    'Fri, 5 Nov 2026 10:00:30 GMT',
    'Mon, 30 Feb 2026 10:00:30 GMT',
    'Fri, 00 Nov 2026 10:00:30 GMT',
    'Fri, 32 Nov 2026 10:00:30 GMT',
    'Fri, 20 Nov 2026 24:00:00 GMT',
    'Fri, 20 Nov 2026 10:60:00 GMT',
    'Fri, 20 Nov 2026 10:00:61 GMT',
    'Friday, 20-Nov-2026 10:01:00 GMT',
    'Fri Nov 6 10:00:05 2026',
  ])('returns null for %j', (header) => {
    expect(retryAfterSeconds(header, now)).toBeNull();
  });
});
