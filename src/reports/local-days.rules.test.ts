import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { utcDay } from '../base/time.ts';
import {
  countsOfPeriods,
  edgesOf,
  lastPeriods,
  namedPeriod,
  partOf,
  type PeriodName,
  type Sums,
  type Unit,
} from './local-days.rules.ts';

const HOUR_MS = 3_600_000;
const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
];

// Names that only some days have, as statuses and reasons are.
const sumsOf = (times: readonly number[]): Sums =>
  Object.fromEntries(
    [...Map.groupBy(times, (at) => `kind ${(at / HOUR_MS) % 3}`)].map(([kind, inside]) => [kind, inside.length]),
  );
const withoutZeros = (sums: Sums): Sums => Object.fromEntries(Object.entries(sums).filter(([, count]) => count !== 0));

/** As the database answers: what was delivered on each UTC day, and between each edge and its midnight. */
function counted(
  unit: Unit,
  count: number,
  { now, timeZone, times }: { now: Date; timeZone: string; times: number[] },
) {
  const periods = lastPeriods(unit, count, { now, timeZone });
  const edges = edgesOf(periods);
  const [first = 0, last = 0] = [edges[0]?.midnight, edges.at(-1)?.midnight];
  const days = Map.groupBy(
    times.filter((at) => at >= first && at < last),
    (at) => utcDay(new Date(at)),
  );
  const utcDays = [...days].map(([day, inside]) => ({ day, sums: sumsOf(inside) }));
  const parts = edges.map(partOf).map(({ from, until }) => {
    const inside = times.filter((at) => at >= from && at < until);
    return inside.length === 0 ? null : sumsOf(inside);
  });
  return { periods, counts: countsOfPeriods(periods, utcDays, { parts, nothing: {} }) };
}

describe('The last days of a zone', () => {
  it('end with today, and have the length that their clock changes give them', () => {
    const days = lastPeriods('day', 3, { now: new Date('2026-11-03T07:59:59Z'), timeZone: 'America/Los_Angeles' });
    expect(days.map(({ date, from, until }) => [date, (until - from) / HOUR_MS])).toEqual([
      ['2026-10-31', 24],
      ['2026-11-01', 25],
      ['2026-11-02', 24],
    ]);
  });

  it('can be months', () => {
    const months = lastPeriods('month', 2, { now: new Date('2026-12-01T03:00:00Z'), timeZone: 'America/New_York' });
    expect(months.map(({ date, from }) => [date, new Date(from).toISOString()])).toEqual([
      ['2026-10-01', '2026-10-01T04:00:00.000Z'],
      ['2026-11-01', '2026-11-01T04:00:00.000Z'],
    ]);
  });
});

describe('A named period', () => {
  const when = { now: new Date('2026-11-03T07:59:59Z'), timeZone: 'America/Los_Angeles' };
  it.each<[PeriodName, Unit, number, string, string]>([
    ['today', 'day', 1, '2026-11-02', '2026-11-02'],
    ['yesterday', 'day', 1, '2026-11-01', '2026-11-01'],
    ['7d', 'day', 7, '2026-10-27', '2026-11-02'],
    ['month', 'day', 2, '2026-11-01', '2026-11-02'],
    ['12m', 'month', 12, '2025-12-01', '2026-11-01'],
  ])('%s counts each %s of %d', (name, unit, length, first, last) => {
    const found = namedPeriod(name, when);
    const dates = found.periods.map(({ date }) => date);
    expect([found.unit, dates.length, dates[0], dates.at(-1)]).toEqual([unit, length, first, last]);
  });
});

describe('What is counted', () => {
  it('counts once, on its day or month of the zone, in every zone and over every clock change', () => {
    const anyHour = fc.integer({ min: 0, max: 60 * 24 });
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom<Unit>('day', 'month'),
        // Around the changes of the clocks in the north and in the south.
        fc.constantFrom('2026-03-01T00:00:00Z', '2026-09-01T00:00:00Z', '2026-10-15T00:00:00Z'),
        fc.array(anyHour, { maxLength: 60 }),
        anyHour,
        (timeZone, unit, start, hours, nowHour) => {
          const at = (hour: number): number => Date.parse(start) + hour * HOUR_MS;
          const times = hours.map(at);
          const now = new Date(at(nowHour));
          const { periods, counts } = counted(unit, unit === 'day' ? 12 : 3, { now, timeZone, times });
          const expected = periods.map(({ from, until }) => sumsOf(times.filter((one) => one >= from && one < until)));
          expect(counts.map(withoutZeros)).toEqual(expected);
        },
      ),
    );
  });
});
