import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anIndexed, noLimits } from '../../test/support/offers.ts';
import { capSpan, capWindows, type CapWindow } from '../base/time.ts';
import {
  type Closed,
  closedBy,
  type Availability,
  isLimited,
  lastOpenInstant,
  makeAvailability,
  nextOpenSlot,
  cachedSpans,
  windowsOf,
} from './availability.rules.ts';
import { localDay } from './local-day.rules.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import type { Offer, WeeklyHours } from './offer.ts';
import { weekdays } from './offer.schema.ts';

type Use = { readonly used?: number; readonly usedCents?: number };
type Uses = Readonly<Partial<Record<CapWindow, Use>>>;

const calendar = { spanOf: capSpan, dayOf: localDay };

/** The offer at an instant, where its counters were used in the windows that hold `usedAt`. */
function availabilityAt(indexed: IndexedOffer, at: Date, uses: Uses, usedAt: Date = at): Availability {
  const reading = (window: CapWindow, startsAt: number) => {
    const use = uses[window];
    const isSame = startsAt === capSpan(window, usedAt, indexed.buyer.timeZone).from;
    return use !== undefined && isSame ? { used: use.used ?? 0, usedCents: use.usedCents ?? 0 } : null;
  };
  return makeAvailability(indexed, at, { ...calendar, reading });
}

const closedAt = (...circumstances: Parameters<typeof availabilityAt>): Closed | null =>
  closedBy(availabilityAt(...circumstances));

const between = (fromMinute: number, toMinute: number, days = weekdays): WeeklyHours => ({
  days,
  fromMinute,
  toMinute,
});

type Case = {
  readonly says: string;
  /** Wednesday, noon, where nothing else is said. */
  readonly at?: string;
  readonly offer: Partial<Offer>;
  readonly uses?: Uses;
  readonly left: { code: string; got?: unknown; want?: unknown } | null;
  readonly opensAt?: string | null;
};

const daily = (limit: number) => ({ ...noLimits, daily: limit });
/** On Wednesday, or in the night after it where the hour is more than 23. */
function clock(text: string): Date {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return new Date(Date.UTC(2026, 10, 18) + Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000));
}
const morning = '2026-11-19T00:00:00Z';

const cases: readonly Case[] = [
  { says: 'is open without limits', offer: {}, left: null },

  { says: 'is open from the first minute of its hours', offer: { schedule: [between(720, 780)] }, left: null },
  {
    says: 'is closed at the end of its hours',
    offer: { schedule: [between(600, 720)] },
    left: { code: 'outside_schedule' },
    opensAt: '2026-11-19T10:00:00Z',
  },
  {
    says: 'is closed on other days than those of its hours',
    offer: { schedule: [between(0, 1440, ['mon'])] },
    left: { code: 'outside_schedule' },
    opensAt: '2026-11-23T00:00:00Z',
  },

  { says: 'is open while its cap is not reached', offer: { caps: daily(3) }, uses: { daily: { used: 2 } }, left: null },
  {
    says: 'reopens with the next window when its cap is reached',
    offer: { caps: daily(3) },
    uses: { daily: { used: 3 } },
    left: { code: 'cap_reached', got: { window: 'daily', used: 3 }, want: 3 },
    opensAt: morning,
  },
  {
    says: 'is closed by a cap that was lowered below the number of sales',
    offer: { caps: daily(3) },
    uses: { daily: { used: 7 } },
    left: { code: 'cap_reached', got: { window: 'daily', used: 7 }, want: 3 },
    opensAt: morning,
  },
  {
    says: 'never opens with a cap of 0',
    offer: { caps: daily(0) },
    left: { code: 'cap_reached', got: { window: 'daily', used: 0 }, want: 0 },
    opensAt: null,
  },
  {
    says: 'reopens on Monday after a weekly cap',
    offer: { caps: { ...noLimits, weekly: 1 } },
    uses: { weekly: { used: 1 } },
    left: { code: 'cap_reached', got: { window: 'weekly', used: 1 }, want: 1 },
    opensAt: '2026-11-23T00:00:00Z',
  },
  {
    says: 'reopens with the last exhausted window, but names the first one as the reason',
    offer: { caps: { daily: 3, weekly: null, monthly: 3 } },
    uses: { daily: { used: 3 }, monthly: { used: 3 } },
    left: { code: 'cap_reached', got: { window: 'daily', used: 3 }, want: 3 },
    opensAt: '2026-12-01T00:00:00Z',
  },
  {
    says: 'stays closed by a cap of 0 when another cap would reopen it',
    offer: { caps: { daily: 3, weekly: null, monthly: 0 } },
    uses: { daily: { used: 3 } },
    left: { code: 'cap_reached', got: { window: 'daily', used: 3 }, want: 3 },
    opensAt: null,
  },
  {
    says: 'reopens with the hours of the next day, not at midnight',
    offer: { caps: daily(3), schedule: [between(480, 1200, ['wed', 'fri'])] },
    uses: { daily: { used: 3 } },
    left: { code: 'cap_reached', got: { window: 'daily', used: 3 }, want: 3 },
    opensAt: '2026-11-20T08:00:00Z',
  },
  {
    says: 'skips the later hours of a day whose cap is reached',
    offer: { caps: daily(3), schedule: [between(780, 1200)] },
    uses: { daily: { used: 3 } },
    left: { code: 'outside_schedule' },
    opensAt: '2026-11-19T13:00:00Z',
  },

  {
    says: 'may spend its budget to the last cent',
    offer: { budgetCents: daily(9000) },
    uses: { daily: { usedCents: 4500 } },
    left: null,
  },
  {
    says: 'is closed by a budget that is one cent short',
    offer: { budgetCents: daily(8999) },
    uses: { daily: { usedCents: 4500 } },
    left: { code: 'budget_reached', got: { window: 'daily', usedCents: 4500, payoutCents: 4500 }, want: 8999 },
    opensAt: morning,
  },
  {
    says: 'never opens with a budget below the payout',
    offer: { budgetCents: daily(4499) },
    left: { code: 'budget_reached', got: { window: 'daily', usedCents: 0, payoutCents: 4500 }, want: 4499 },
    opensAt: null,
  },
  {
    says: 'names a cap of any window before a budget of any window',
    offer: { caps: { ...noLimits, monthly: 1 }, budgetCents: daily(1) },
    uses: { monthly: { used: 1 } },
    left: { code: 'cap_reached', got: { window: 'monthly', used: 1 }, want: 1 },
    opensAt: null,
  },

  {
    says: 'may have sold half of its cap and one more at noon with even pacing',
    offer: { caps: daily(24), pacing: 'even' },
    uses: { daily: { used: 12 } },
    left: null,
  },
  {
    says: 'waits for the pace after that',
    offer: { caps: daily(24), pacing: 'even' },
    uses: { daily: { used: 13 } },
    left: { code: 'over_pace', got: 13, want: 13 },
    opensAt: '2026-11-18T12:00:00.001Z',
  },
  {
    says: 'waits longer when it is further ahead of its pace',
    offer: { caps: daily(24), pacing: 'even' },
    uses: { daily: { used: 20 } },
    left: { code: 'over_pace', got: 20, want: 13 },
    opensAt: '2026-11-18T19:00:00.001Z',
  },
  {
    says: 'never sells more than its cap under even pacing',
    at: '2026-11-18T23:59:00Z',
    offer: { caps: daily(24), pacing: 'even' },
    uses: { daily: { used: 24 } },
    left: { code: 'cap_reached', got: { window: 'daily', used: 24 }, want: 24 },
    opensAt: morning,
  },
  {
    says: 'may sell one lead at the first instant of a paced day',
    at: '2026-11-18T00:00:00Z',
    offer: { caps: daily(24), pacing: 'even' },
    left: null,
  },
  {
    says: 'may sell only one lead at the first instant of a paced day',
    at: '2026-11-18T00:00:00Z',
    offer: { caps: daily(24), pacing: 'even' },
    uses: { daily: { used: 1 } },
    left: { code: 'over_pace', got: 1, want: 1 },
    opensAt: '2026-11-18T00:00:00.001Z',
  },
  {
    says: 'does not count the time between hours for the pace, and waits for it',
    offer: { caps: daily(8), pacing: 'even', schedule: [between(540, 721), between(840, 1139)] },
    uses: { daily: { used: 5 } },
    left: { code: 'over_pace', got: 5, want: 4 },
    // Of 480 minutes 240 and a little have to pass: 181 before the break, 59 after it.
    opensAt: '2026-11-18T14:59:00.001Z',
  },
  {
    says: 'names a budget before the pace',
    offer: { caps: daily(24), budgetCents: daily(1), pacing: 'even' },
    uses: { daily: { used: 20 } },
    left: { code: 'budget_reached', got: { window: 'daily', usedCents: 0, payoutCents: 4500 }, want: 1 },
    opensAt: null,
  },
  {
    says: 'has no pace without a daily cap',
    offer: { caps: { ...noLimits, weekly: 9 }, pacing: 'even' },
    uses: { daily: { used: 8 }, weekly: { used: 8 } },
    left: null,
  },
  {
    says: 'has no pace on a closed day, and starts the next day from zero',
    offer: { caps: daily(24), pacing: 'even', schedule: [between(0, 1440, ['thu'])] },
    uses: { daily: { used: 20 } },
    left: { code: 'outside_schedule' },
    opensAt: morning,
  },
];

describe('an offer', () => {
  it.each(cases)('$says', ({ at = '2026-11-18T12:00:00Z', offer, uses = {}, left, opensAt }) => {
    const closed = closedAt(anIndexed(offer), new Date(at), uses);
    if (closed === null) return expect(left).toBeNull();
    const { opensAt: found, ...reason } = closed;
    expect(reason).toEqual(left);
    expect(found === null ? null : new Date(found)).toEqual(typeof opensAt === 'string' ? new Date(opensAt) : opensAt);
  });
});

describe('a closed offer', () => {
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo');
  const minute = fc.integer({ min: 0, max: 288 }).map((steps) => steps * 5);
  const hours = fc
    .tuple(fc.uniqueArray(minute, { minLength: 2, maxLength: 2 }), fc.subarray([...weekdays], { minLength: 1 }))
    .map(([minutes, days]) => between(Math.min(...minutes), Math.max(...minutes), days));
  const limit = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null });
  const limits = fc.record({ daily: limit, weekly: limit, monthly: limit });
  const offers = fc.record({
    schedule: fc.option(fc.array(hours, { minLength: 1, maxLength: 3 }), { nil: null }),
    caps: limits,
    budgetCents: limits,
    payoutCents: fc.integer({ min: 1, max: 3 }),
    pacing: fc.constantFrom('asap' as const, 'even' as const),
  });
  const use = fc.record({ used: fc.integer({ min: 0, max: 7 }), usedCents: fc.integer({ min: 0, max: 7 }) });
  // Days with and without a change of clocks, in all of the zones.
  const instant = fc.date({ min: new Date('2026-10-20'), max: new Date('2026-11-10'), noInvalidDate: true });

  it('is closed until the instant that it names, and open then', () => {
    const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
      minLength: 12,
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        offers,
        zone,
        instant,
        fc.record({ daily: use, weekly: use, monthly: use }),
        chances,
        (offer, timeZone, now, uses, parts) => {
          const indexed = anIndexed(offer, { timeZone });
          const closed = closedAt(indexed, now, uses);
          if (closed === null) return;
          // Forty days: longer than any window and any week.
          const until = closed.opensAt ?? now.getTime() + 40 * 86_400_000;
          expect(until).toBeGreaterThan(now.getTime());
          for (const part of [...parts, 1 - Number.EPSILON]) {
            const at = new Date(Math.floor(now.getTime() + part * (until - 1 - now.getTime())));
            expect([at.toISOString(), closedAt(indexed, at, uses, now)?.code]).not.toEqual([
              at.toISOString(),
              undefined,
            ]);
          }
          expect(closedAt(indexed, new Date(until - 1), uses, now)).not.toBeNull();
          if (closed.opensAt !== null) expect(closedAt(indexed, new Date(closed.opensAt), uses, now)).toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('stays closed for the batch and is checked only once', () => {
    const availability = makeAvailability(anIndexed({ caps: daily(1) }), new Date('2026-11-18T12:00:00Z'), {
      ...calendar,
      reading: () => ({ used: 1, usedCents: 0 }),
    });
    expect(closedBy(availability)).toBe(closedBy(availability));
  });
});

describe('the next opening for a waiting lead', () => {
  const paced: Partial<Offer> = { caps: daily(24), pacing: 'even' };
  const morningShift = { ...paced, caps: daily(8), schedule: [between(480, 960)] };
  it.each([
    { says: 'is the opening of the offer when no lead waits', offer: paced, used: 13, places: ['12:00:00.001'] },
    {
      says: 'is one pace interval later for each lead before it',
      offer: paced,
      used: 13,
      places: ['12:00:00.001', '13:00:00.001', '14:00:00.001', '15:00:00.001'],
    },
    {
      says: 'is the start of the next day for all leads beyond the cap',
      offer: paced,
      used: 22,
      at: '20:30',
      places: ['21:00:00.001', '22:00:00.001', '24:00', '24:00'],
    },
    {
      says: 'is the opening for as many leads as the pace allows at that time',
      offer: { ...paced, schedule: [between(0, 720), between(780, 1440)] },
      used: 12,
      at: '12:30',
      places: ['13:00', '13:00', '13:27:30.001'],
    },
    {
      says: 'is on the next day when the hours end before the pace allows the lead',
      offer: morningShift,
      used: 7,
      at: '13:30',
      places: ['14:00:00.001', '32:00'],
    },
    {
      says: 'is the same for all leads without a pace',
      offer: { schedule: [between(780, 1440)] },
      used: 0,
      places: ['13:00', '13:00', '13:00'],
    },
  ])('$says', ({ offer, used, at = '12:00', places }) => {
    const availability = availabilityAt(anIndexed(offer), clock(at), { daily: { used } });
    expect(closedBy(availability)).not.toBeNull();
    const found = places.map(() => {
      const opening = nextOpenSlot(availability);
      availability.waiting += 1;
      return opening === null ? null : new Date(opening);
    });
    expect(found).toEqual(places.map(clock));
  });

  it.each([
    { says: 'is the deadline when the offer is open then', until: '14:00', last: '14:00' },
    {
      says: 'is the last instant of the hours when they end before the deadline',
      until: '18:00',
      last: '15:59:59.999',
    },
    { says: 'is none when the offer does not open before the deadline', until: '12:59', last: null },
  ])('the last attempt of a lead without an opening $says', ({ until, last }) => {
    const availability = availabilityAt(anIndexed(morningShift), clock('12:30'), { daily: { used: 6 } });
    expect(closedBy(availability)?.opensAt).toBe(clock('13:00:00.001').getTime());
    expect(lastOpenInstant(availability, clock(until).getTime())).toBe(last === null ? null : clock(last).getTime());
  });

  it('equals the opening of the offer if all leads before it had been sold', () => {
    const cap = fc.integer({ min: 1, max: 40 });
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 4, maxLength: 4 });
    const instant = fc.integer({ min: 0, max: 86_399_999 });
    const amount = fc.integer({ min: 0, max: 45 });
    fc.assert(
      fc.property(cap, minutes, instant, amount, amount, (limit, times, ms, used, waiting) => {
        const [from = 0, to = 0, again = 0, end = 0] = times.toSorted((one, other) => one - other);
        const indexed = anIndexed({
          caps: daily(limit),
          pacing: 'even',
          schedule: [between(from, to), between(again, end)],
        });
        const at = new Date(Date.UTC(2026, 10, 18) + ms);
        const availability = availabilityAt(indexed, at, { daily: { used } });
        if (closedBy(availability) === null) return;
        availability.waiting = waiting;
        expect(nextOpenSlot(availability)).toBe(closedAt(indexed, at, { daily: { used: used + waiting } })?.opensAt);
      }),
      { numRuns: 500 },
    );
  });
});

describe('even pacing', () => {
  it('allows ceil(cap × elapsed ÷ total) + 1 sales, and at most the cap', () => {
    const cap = fc.integer({ min: 1, max: 2000 });
    const elapsed = fc.integer({ min: 0, max: 86_399_999 });
    fc.assert(
      fc.property(cap, elapsed, fc.integer({ min: 0, max: 2001 }), (limit, ms, used) => {
        const at = new Date(Date.UTC(2026, 10, 18) + ms);
        const closed = closedAt(anIndexed({ caps: daily(limit), pacing: 'even' }), at, { daily: { used } });
        // In whole numbers: ceil(a ÷ b) = (a + b - 1) div b.
        const allowed = Number((BigInt(limit) * BigInt(ms) + 86_399_999n) / 86_400_000n) + 1;
        const expected = used >= limit ? 'cap_reached' : used >= allowed ? 'over_pace' : undefined;
        expect(closed?.code).toBe(expected);
      }),
    );
  });
});

describe('the windows of an offer', () => {
  it('are daily, weekly and monthly, and limited where there is a cap or a budget', () => {
    const indexed = anIndexed(
      { caps: daily(0), budgetCents: { ...noLimits, monthly: 5 } },
      { timeZone: 'America/New_York' },
    );
    const now = new Date('2026-11-18T12:00:00Z');
    expect(
      windowsOf(indexed, now, capSpan).map(({ window, span }) => [window, new Date(span.from).toISOString()]),
    ).toEqual([
      ['daily', '2026-11-18T05:00:00.000Z'],
      ['weekly', '2026-11-16T05:00:00.000Z'],
      ['monthly', '2026-11-01T04:00:00.000Z'],
    ]);
    expect(capWindows.filter((window) => isLimited(indexed, window))).toEqual(['daily', 'monthly']);
  });

  it('are cached until they end, whether time goes forward or back', () => {
    const spanOf = cachedSpans();
    const first = spanOf('daily', new Date('2026-11-18T12:00:00Z'), 'UTC');
    expect(spanOf('daily', new Date('2026-11-18T23:59:59.999Z'), 'UTC')).toBe(first);
    for (const at of ['2026-11-19T00:00:00Z', '2026-11-17T23:59:59.999Z']) {
      expect(spanOf('daily', new Date(at), 'UTC')).toEqual(capSpan('daily', new Date(at), 'UTC'));
    }
    expect(spanOf('weekly', new Date('2026-11-18T12:00:00Z'), 'UTC')).not.toEqual(first);
  });
});
