import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { federalHolidays } from '../base/business-days.rules.ts';
import { DAY_MS } from '../base/time.ts';
import { usualReturnPolicy } from '../../test/support/offers.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import { returnableUntil } from '../buyers/return-window.rules.ts';
import { claimMonth, decisionDue, disputableUntil, fileableUntil, yearOf } from './claim-window.rules.ts';

const LA = 'America/Los_Angeles';
const ZONES = [
  LA,
  'America/New_York',
  'UTC',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
  'America/Santiago',
];

const instant = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2031-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const zone = fc.constantFrom(...ZONES);

/** The calendar day in a zone by another road than the one under test: the platform's own formatting. */
function localDay(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
}

function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function isOpen(day: string, holidays: readonly string[]): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).toUTCString().slice(0, 3);
  return (
    weekday !== 'Sat' &&
    weekday !== 'Sun' &&
    !federalHolidays(Number(day.slice(0, 4))).includes(day) &&
    !holidays.includes(day)
  );
}

function crossedOff(day: string, days: number, holidays: readonly string[]): string {
  let reached = day;
  for (let left = days; left > 0;) {
    reached = dayAfter(reached);
    if (isOpen(reached, holidays)) left -= 1;
  }
  return reached;
}

/** The days of the second that is said to be the last, of its last millisecond and of the one after that. */
function daysAtTheEnd(until: Date, timeZone: string): string[] {
  return [0, 999, 1000].map((ms) => localDay(until.getTime() + ms, timeZone));
}

function endOf(day: string): string[] {
  return [day, day, dayAfter(day)];
}

describe('A decision is due', () => {
  it.each([
    ['2026-11-16T18:00:00.000Z', '2026-11-24T07:59:59.000Z', 'after five business days'],
    ['2026-11-20T18:00:00.000Z', '2026-12-01T07:59:59.000Z', 'later where Thanksgiving lies between'],
    ['2026-11-17T07:59:59.999Z', '2026-11-24T07:59:59.000Z', 'from the day that it still is in the partner’s zone'],
    ['2026-12-18T18:00:00.000Z', '2026-12-30T07:59:59.000Z', 'past Christmas and the operator’s day before it'],
    ['2026-10-30T18:00:00.000Z', '2026-11-07T07:59:59.000Z', 'over the end of summer time'],
  ])('for a claim of %s at %s: %s', (filedAt, due) => {
    expect(decisionDue(new Date(filedAt), { holidays: ['2026-12-24'] }, LA).toISOString()).toBe(due);
  });

  it('at the end of the day that is reached by crossing off the calendar', () => {
    fc.assert(
      fc.property(instant, zone, fc.array(fc.nat({ max: 20 }), { maxLength: 4 }), (at, timeZone, ahead) => {
        const day = localDay(at.getTime(), timeZone);
        const holidays = ahead.map((days) => dayAfter(day, days));
        expect(daysAtTheEnd(decisionDue(at, { holidays }, timeZone), timeZone)).toEqual(
          endOf(crossedOff(day, 5, holidays)),
        );
      }),
    );
  });
});

describe('The return window', () => {
  it('ends with the day that is reached by crossing off the calendar', () => {
    fc.assert(
      fc.property(
        instant,
        zone,
        fc.nat({ max: 30 }),
        fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
        (at, timeZone, windowBusinessDays, ahead) => {
          const day = localDay(at.getTime(), timeZone);
          const holidays = ahead.map((days) => dayAfter(day, days));
          const until = returnableUntil(
            { deliveredAt: at, confirmedAt: null },
            { windowBusinessDays, holidays },
            timeZone,
          );
          expect(daysAtTheEnd(until, timeZone)).toEqual(endOf(crossedOff(day, windowBusinessDays, holidays)));
        },
      ),
    );
  });
});

describe('A dispute may be filed', () => {
  it.each([
    ['2026-11-20T18:00:00.000Z', 30, '2026-12-21T07:59:59.000Z'],
    ['2026-10-25T18:00:00.000Z', 30, '2026-11-25T07:59:59.000Z'],
    ['2026-11-20T18:00:00.000Z', 0, '2026-11-21T07:59:59.000Z'],
    ['2026-01-31T18:00:00.000Z', 30, '2026-03-03T07:59:59.000Z'],
  ])('on a delivery of %s within %i days until %s', (deliveredAt, disputeWindowDays, until) => {
    const delivery = { deliveredAt: new Date(deliveredAt), confirmedAt: null };
    expect(disputableUntil(delivery, { disputeWindowDays }, LA).toISOString()).toBe(until);
  });

  it('through the last second of the last day, over any clock changes', () => {
    fc.assert(
      fc.property(instant, zone, fc.nat({ max: 365 }), (at, timeZone, disputeWindowDays) => {
        const until = disputableUntil({ deliveredAt: at, confirmedAt: null }, { disputeWindowDays }, timeZone);
        expect(daysAtTheEnd(until, timeZone)).toEqual(
          endOf(dayAfter(localDay(at.getTime(), timeZone), disputeWindowDays)),
        );
      }),
    );
  });
});

describe('The windows of a delivery that was retried', () => {
  it('begin with the confirmation, for returns as for disputes', () => {
    const kinds = fc.constantFrom<ClaimKind>('return', 'dispute');
    fc.assert(
      fc.property(instant, instant, zone, kinds, (one, other, timeZone, kind) => {
        const [earlier, later] = one < other ? [one, other] : [other, one];
        const buyer = { returnPolicy: { ...usualReturnPolicy, holidays: [] }, timeZone };
        const until = fileableUntil(kind, { deliveredAt: later, confirmedAt: later }, buyer);
        expect(fileableUntil(kind, { deliveredAt: earlier, confirmedAt: later }, buyer)).toEqual(until);
        // Whichever of two clocks was ahead.
        expect(fileableUntil(kind, { deliveredAt: later, confirmedAt: earlier }, buyer)).toEqual(until);
        expect(fileableUntil(kind, { deliveredAt: later, confirmedAt: null }, buyer)).toEqual(until);
      }),
    );
  });
});

describe('The month of a delivery', () => {
  it.each([
    ['2026-11-20T18:00:00.000Z', LA, '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T07:59:59.999Z', LA, '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T08:00:00.000Z', LA, '2026-12-01', '2026-12-01T08:00:00.000Z', '2027-01-01T08:00:00.000Z'],
    [
      '2026-10-31T11:00:00.000Z',
      'Pacific/Auckland',
      '2026-11-01',
      '2026-10-31T11:00:00.000Z',
      '2026-11-30T11:00:00.000Z',
    ],
  ])('at %s in %s is %s', (at, timeZone, month, from, until) => {
    expect(claimMonth(new Date(at), timeZone)).toEqual({
      month,
      span: { from: Date.parse(from), until: Date.parse(until) },
    });
  });

  it('is that of its day in the partner’s zone', () => {
    fc.assert(
      fc.property(instant, zone, (at, timeZone) => {
        const { month, span } = claimMonth(at, timeZone);
        const name = localDay(at.getTime(), timeZone).slice(0, 7);
        expect(month).toBe(`${name}-01`);
        expect([localDay(span.from, timeZone).slice(0, 7), localDay(span.until - 1, timeZone).slice(0, 7)]).toEqual([
          name,
          name,
        ]);
        expect([
          localDay(span.from - 1, timeZone).slice(0, 7),
          localDay(span.until, timeZone).slice(0, 7),
        ]).not.toContain(name);
        expect(yearOf(at, timeZone)).toBe(Number(name.slice(0, 4)));
      }),
    );
  });
});
