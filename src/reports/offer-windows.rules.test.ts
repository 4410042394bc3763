import { describe, expect, it } from 'vitest';

import { anIndexed } from '../../test/support/offers.ts';
import { capSpan, type CapWindow } from '../base/time.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { localDay } from '../routing/local-day.rules.ts';
import type { Offer, WeeklyHours } from '../routing/offer.ts';
import { capState, offerAvailability, pacingOf, cachedWindowDays, type WindowUses } from './offer-windows.rules.ts';

// A Friday.
const NOON = '2026-11-20T12:00:00.000Z';
const noCaps = { daily: null, weekly: null, monthly: null };
const daysOf = cachedWindowDays(localDay);

type Used = Partial<Record<CapWindow, { used?: number; usedCents?: number }>>;

function usesAt(at: string, timeZone: string, used: Used): WindowUses {
  const useOf = (window: CapWindow) => ({
    span: capSpan(window, new Date(at), timeZone),
    used: used[window]?.used ?? 0,
    usedCents: used[window]?.usedCents ?? 0,
  });
  return { daily: useOf('daily'), weekly: useOf('weekly'), monthly: useOf('monthly') };
}

type Case = {
  at?: string;
  timeZone?: string;
  caps?: Partial<Offer['caps']>;
  schedule?: readonly WeeklyHours[];
  used?: Used;
};

function pacing({ at = NOON, timeZone = 'UTC', caps = {}, schedule, used = {} }: Case) {
  const { offer } = anIndexed({ caps: { ...noCaps, ...caps }, schedule: schedule ?? null });
  return pacingOf(offer, usesAt(at, timeZone, used), { daysOf, timeZone, now: new Date(at) });
}

const workdays: readonly WeeklyHours[] = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], fromMinute: 8 * 60, toMinute: 16 * 60 },
];

describe('The state of a cap', () => {
  const use = usesAt(NOON, 'America/Los_Angeles', { daily: { used: 24 } }).daily;

  it.each([
    [null, null],
    [50, { limit: 50, used: 24, remaining: 26 }],
    [24, { limit: 24, used: 24, remaining: 0 }],
    [10, { limit: 10, used: 24, remaining: 0 }],
    [0, { limit: 0, used: 24, remaining: 0 }],
  ])('of %s is computed from its limit and use', (limit, expected) => {
    const state = capState(limit, use);
    expect(state).toEqual(expected === null ? null : { ...expected, resetsAt: '2026-11-21T08:00:00.000Z' });
  });
});

describe('An offer is', () => {
  const cases: ReadonlyArray<readonly [string, string, Partial<Offer>, Partial<Buyer>, Used]> = [
    ['active', 'without limits', {}, {}, {}],
    ['active', 'with something left of its cap', { caps: { ...noCaps, daily: 3 } }, {}, { daily: { used: 2 } }],
    ['capped', 'with a cap used up', { caps: { ...noCaps, weekly: 3 } }, {}, { weekly: { used: 3 } }],
    ['capped', 'with a cap of nothing', { caps: { ...noCaps, monthly: 0 } }, {}, {}],
    [
      'active',
      'when its budget pays for one more',
      { budgetCents: { ...noCaps, daily: 9000 } },
      {},
      { daily: { usedCents: 4500 } },
    ],
    ['capped', 'when it does not', { budgetCents: { ...noCaps, daily: 8999 } }, {}, { daily: { usedCents: 4500 } }],
    ['paused', 'when it is paused', { status: 'paused' }, {}, {}],
    ['paused', 'when it is paused, whatever its caps', { status: 'paused', caps: { ...noCaps, daily: 0 } }, {}, {}],
    ['paused', 'while its partner is paused', {}, { status: 'paused' }, {}],
    ['paused', 'while there is nowhere to send to', {}, { channels: ['webhook'] }, {}],
    ['closed', 'when it is closed', { status: 'closed' }, {}, {}],
    ['closed', 'when it is closed, whatever its partner', { status: 'closed' }, { status: 'paused' }, {}],
  ];
  it.each(cases)('%s %s', (expected, _, offer, buyer, used) => {
    const indexed = anIndexed(offer, buyer);
    expect(offerAvailability(indexed.offer, indexed.buyer, usesAt(NOON, 'UTC', used))).toBe(expected);
  });
});

describe('Pacing', () => {
  it('is computed for each cap that is set, shortest window first', () => {
    expect(pacing({}).length).toBe(0);
    const all = pacing({ caps: { daily: 10, weekly: 70, monthly: 300 }, used: { daily: { used: 4 } } });
    expect(all).toEqual([
      {
        offerKey: 'west',
        window: 'daily',
        ...{ cap: 10, used: 4, remaining: 6, expectedByNow: 5, projected: 8, state: 'on_pace' },
        resetsAt: '2026-11-21T00:00:00.000Z',
      },
      {
        offerKey: 'west',
        window: 'weekly',
        // Four days and a half of seven.
        ...{ cap: 70, used: 0, remaining: 70, expectedByNow: 45, projected: 0, state: 'behind' },
        resetsAt: '2026-11-23T00:00:00.000Z',
      },
      {
        offerKey: 'west',
        window: 'monthly',
        // 19 days and a half of 30.
        ...{ cap: 300, used: 0, remaining: 300, expectedByNow: 195, projected: 0, state: 'behind' },
        resetsAt: '2026-12-01T00:00:00.000Z',
      },
    ]);
  });

  it.each<readonly [string, Case, number, number]>([
    ['at the first instant', { at: '2026-11-20T00:00:00.000Z', used: { daily: { used: 3 } } }, 0, 3],
    ['before the hours begin', { at: '2026-11-20T07:59:59.999Z', schedule: workdays }, 0, 0],
    [
      'a quarter into the hours',
      { at: '2026-11-20T10:00:00.000Z', schedule: workdays, used: { daily: { used: 5 } } },
      10,
      20,
    ],
    [
      'when the hours are over',
      { at: '2026-11-20T20:00:00.000Z', schedule: workdays, used: { daily: { used: 5 } } },
      40,
      5,
    ],
    ['on a day without hours', { at: '2026-11-21T12:00:00.000Z', schedule: workdays }, 0, 0],
    ['at more than the cap would allow', { at: '2026-11-20T06:00:00.000Z', used: { daily: { used: 39 } } }, 10, 40],
    ['above a cap that was lowered', { at: '2026-11-20T06:00:00.000Z', used: { daily: { used: 50 } } }, 10, 50],
    // Midnight there is 08:00 here.
    ['in the buyer’s zone', { at: '2026-11-20T20:00:00.000Z', timeZone: 'America/Los_Angeles' }, 20, 0],
    // 25 hours long: 13 of them are over at noon.
    [
      'on the day of 25 hours',
      { at: '2026-11-01T20:00:00.000Z', timeZone: 'America/Los_Angeles', caps: { daily: 25 } },
      13,
      0,
    ],
  ])('%s computes expected and projected sales', (_, { caps, ...rest }, expectedByNow, projected) => {
    const [daily] = pacing({ caps: { daily: 40, ...caps }, ...rest });
    expect([daily?.expectedByNow, daily?.projected]).toEqual([expectedByNow, projected]);
  });

  it('counts the open hours of a week, whether or not the offer is paced', () => {
    // Monday to Thursday, and half of Friday's hours.
    const [weekly] = pacing({ caps: { weekly: 100 }, schedule: workdays, used: { weekly: { used: 45 } } });
    expect(weekly).toMatchObject({ expectedByNow: 90, projected: 50, state: 'behind' });
  });

  it.each<readonly [number, number, string]>([
    [100, 100, 'capped'],
    [100, 101, 'capped'],
    [100, 60, 'on_pace'],
    [100, 61, 'ahead'],
    [100, 40, 'on_pace'],
    [100, 39, 'behind'],
    [4, 3, 'on_pace'],
    [8, 6, 'ahead'],
    [8, 3, 'on_pace'],
    [8, 2, 'behind'],
    [1, 0, 'on_pace'],
    [0, 0, 'capped'],
  ])('at half the day with a cap of %i and %i sold is %s', (cap, used, state) => {
    expect(pacing({ caps: { daily: cap }, used: { daily: { used } } })[0]?.state).toBe(state);
  });

  it('never calls an offer ahead that follows even pacing', () => {
    for (let minute = 0; minute < 1440; minute += 7) {
      const at = new Date(Date.parse('2026-11-20T00:00:00.000Z') + minute * 60_000).toISOString();
      for (const cap of [1, 3, 7, 50]) {
        const used = Math.min(cap, Math.ceil((cap * minute) / 1440) + 1);
        expect([at, cap, pacing({ at, caps: { daily: cap }, used: { daily: { used } } })[0]?.state]).not.toEqual([
          at,
          cap,
          'ahead',
        ]);
      }
    }
  });
});

describe('The days of a window', () => {
  it('are days of the zone of the partner', () => {
    const span = capSpan('weekly', new Date(NOON), 'America/Los_Angeles');
    const days = daysOf(span, 'America/Los_Angeles');
    expect(days.map(({ weekday }) => weekday)).toEqual(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
    expect([days[0]?.from, days.at(-1)?.until]).toEqual([span.from, span.until]);
    expect(daysOf(span, 'America/Los_Angeles')).toBe(days);
  });
});
