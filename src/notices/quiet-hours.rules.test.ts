// Quiet hours and digests: past midnight, and on the days on which the clock changes (contract 12.3).
import { describe, expect, it } from 'vitest';

import { nextAt, quietUntil } from './quiet-hours.rules.ts';

const night = { from: '22:00', to: '07:00' };
const noon = { from: '12:00', to: '13:00' };
const early = { from: '01:00', to: '01:30' };
const gap = { from: '01:00', to: '02:30' };
const NEW_YORK = 'America/New_York';

describe('Quiet hours', () => {
  it.each([
    ['before they begin', '2026-11-23T21:59:59Z', night, 'UTC', null],
    ['at their first moment', '2026-11-23T22:00:00Z', night, 'UTC', '2026-11-24T07:00:00.000Z'],
    ['after midnight', '2026-11-24T00:10:00Z', night, 'UTC', '2026-11-24T07:00:00.000Z'],
    ['in their last minute', '2026-11-24T06:59:59Z', night, 'UTC', '2026-11-24T07:00:00.000Z'],
    ['at their end', '2026-11-24T07:00:00Z', night, 'UTC', null],
    ['within one day', '2026-11-24T12:30:00Z', noon, 'UTC', '2026-11-24T13:00:00.000Z'],
    ['in another zone', '2026-11-24T03:30:00Z', night, NEW_YORK, '2026-11-24T12:00:00.000Z'],
    ['outside of them in another zone', '2026-11-23T23:00:00Z', night, NEW_YORK, null],
    [
      'in the night in which the clock goes forward',
      '2026-03-08T04:00:00Z',
      night,
      NEW_YORK,
      '2026-03-08T11:00:00.000Z',
    ],
    ['until a time that the clock skips', '2026-03-08T06:10:00Z', gap, NEW_YORK, '2026-03-08T07:30:00.000Z'],
    ['in the night in which the clock goes back', '2026-11-01T03:00:00Z', night, NEW_YORK, '2026-11-01T12:00:00.000Z'],
    ['in the first of two equal hours', '2026-11-01T05:10:00Z', early, NEW_YORK, '2026-11-01T05:30:00.000Z'],
    ['in the second of two equal hours', '2026-11-01T06:10:00Z', early, NEW_YORK, '2026-11-01T06:30:00.000Z'],
    ['that have no length', '2026-11-24T12:00:00Z', { from: '12:00', to: '12:00' }, 'UTC', null],
  ] as const)('end right %s', (_, at, hours, zone, end) => {
    expect(quietUntil(new Date(at), hours, zone)?.toISOString() ?? null).toBe(end);
  });
});

describe('The next digest', () => {
  it.each([
    ['later on the same day', '2026-11-24T07:00:00Z', '08:00', 'UTC', '2026-11-24T08:00:00.000Z'],
    ['a day later at its own time', '2026-11-24T08:00:00Z', '08:00', 'UTC', '2026-11-25T08:00:00.000Z'],
    ['by the clock of the zone', '2026-11-24T12:59:00Z', '08:00', NEW_YORK, '2026-11-24T13:00:00.000Z'],
    ['on a day of 23 hours', '2026-03-07T14:00:00Z', '08:00', NEW_YORK, '2026-03-08T12:00:00.000Z'],
    ['on a day of 25 hours', '2026-10-31T14:00:00Z', '08:00', NEW_YORK, '2026-11-01T13:00:00.000Z'],
    ['an hour later where the clock skips it', '2026-03-08T05:00:00Z', '02:30', NEW_YORK, '2026-03-08T07:30:00.000Z'],
  ])('is due %s', (_, at, clock, zone, due) => {
    expect(nextAt(new Date(at), clock, zone).toISOString()).toBe(due);
  });
});
