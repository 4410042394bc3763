import { describe, expect, it } from 'vitest';

import type { ClaimKind, ClaimStatus, ReturnRefusal } from './claim-status.ts';
import { forbidsReturn, returnability, returnableUntil } from './return-window.rules.ts';

const policy = { windowBusinessDays: 5, holidays: ['2026-12-24'] };
const timeZone = 'America/Los_Angeles';
const deliveredAt = new Date('2026-11-16T18:00:00.000Z');
const until = '2026-11-24T07:59:59.000Z';

describe('The return window', () => {
  it.each([
    ['2026-11-16T18:00:00.000Z', 5, until, 'five business days in the partner’s time zone'],
    ['2026-12-18T18:00:00.000Z', 5, '2026-12-30T07:59:59.000Z', 'neither Christmas nor the operator’s day off counts'],
    ['2026-11-16T18:00:00.000Z', 0, '2026-11-17T07:59:59.000Z', 'no days means the day of delivery alone'],
  ])('of a delivery at %s with a policy of %i days ends at %s: %s', (at, windowBusinessDays, end) => {
    const delivery = { deliveredAt: new Date(at), confirmedAt: new Date(at) };
    expect(returnableUntil(delivery, { ...policy, windowBusinessDays }, timeZone).toISOString()).toBe(end);
  });

  it.each<[string, string | null, number, string, string]>([
    ['2026-11-16T18:00:00.000Z', '2026-11-16T18:00:00.412Z', 5, until, 'the same day'],
    ['2026-11-16T18:00:00.000Z', '2026-11-19T18:00:00.000Z', 5, '2026-11-28T07:59:59.000Z', 'retried over three days'],
    ['2026-11-16T18:00:00.000Z', '2026-11-19T18:00:00.000Z', 0, '2026-11-20T07:59:59.000Z', 'no days: that day alone'],
    [
      '2026-11-17T07:59:59.000Z',
      '2026-11-17T08:00:01.000Z',
      5,
      '2026-11-25T07:59:59.000Z',
      'over midnight in the zone',
    ],
    ['2026-11-16T23:59:59.000Z', '2026-11-17T00:00:01.000Z', 5, until, 'over midnight in UTC only'],
    ['2026-11-20T18:00:00.000Z', '2026-11-22T18:00:00.000Z', 1, '2026-11-24T07:59:59.000Z', 'a Sunday is a day 0, too'],
    ['2026-10-31T18:00:00.000Z', '2026-11-02T18:00:00.000Z', 5, '2026-11-10T07:59:59.000Z', 'over the end of a month'],
    ['2026-12-31T18:00:00.000Z', '2027-01-04T18:00:00.000Z', 1, '2027-01-06T07:59:59.000Z', 'over the end of a year'],
    [
      '2026-10-31T18:00:00.000Z',
      '2026-11-01T18:00:00.000Z',
      1,
      '2026-11-03T07:59:59.000Z',
      'over the end of summer time',
    ],
    ['2026-11-16T18:00:00.000Z', '2026-11-16T17:59:58.000Z', 5, until, 'confirmed by a clock that is behind'],
    ['2026-11-17T08:00:01.000Z', '2026-11-17T07:59:59.000Z', 5, '2026-11-25T07:59:59.000Z', 'the later day counts'],
    ['2026-11-16T18:00:00.000Z', null, 5, until, 'not confirmed yet'],
  ])(
    'of a delivery at %s that was confirmed at %s, with %i days, ends at %s: %s',
    (at, confirmed, windowBusinessDays, end) => {
      const delivery = { deliveredAt: new Date(at), confirmedAt: confirmed === null ? null : new Date(confirmed) };
      expect(returnableUntil(delivery, { ...policy, windowBusinessDays }, timeZone).toISOString()).toBe(end);
    },
  );

  it('counts days in the time zone of the partner', () => {
    const delivery = { deliveredAt: new Date('2026-11-16T10:00:00Z'), confirmedAt: new Date('2026-11-18T12:00:00Z') };
    const ends = ['America/Los_Angeles', 'UTC', 'Pacific/Auckland'].map((zone) =>
      returnableUntil(delivery, { windowBusinessDays: 1, holidays: [] }, zone).toISOString(),
    );
    expect(ends).toEqual(['2026-11-20T07:59:59.000Z', '2026-11-19T23:59:59.000Z', '2026-11-20T10:59:59.000Z']);
  });
});

describe('A claim', () => {
  it.each<[ClaimKind, ClaimStatus, boolean]>([
    ['return', 'submitted', true],
    ['return', 'under_review', true],
    ['return', 'approved', true],
    ['return', 'denied', true],
    ['return', 'withdrawn', false],
    ['dispute', 'submitted', true],
    ['dispute', 'under_review', true],
    ['dispute', 'approved', true],
    ['dispute', 'denied', false],
    ['dispute', 'withdrawn', false],
  ])('of kind %s with status %s forbids a return: %s', (kind, status, forbids) => {
    expect(forbidsReturn({ kind, status })).toBe(forbids);
  });
});

describe('Filing a return', () => {
  const open = { kind: 'dispute', status: 'submitted' } as const;
  const inTime = '2026-11-24T07:59:59.999Z';
  const late = '2026-11-24T08:00:00.000Z';

  it.each<[Parameters<typeof returnability>[0]['status'], typeof open | null, string, boolean, ReturnRefusal | null]>([
    ['Confirmed', null, inTime, false, null],
    ['Confirmed', null, inTime, true, 'return_cap_reached'],
    ['Confirmed', null, late, false, 'return_window_closed'],
    ['Confirmed', null, late, true, 'return_window_closed'],
    ['Confirmed', open, inTime, false, 'claim_exists'],
    ['Confirmed', open, late, true, 'claim_exists'],
    ['Pending', null, inTime, false, 'delivery_not_confirmed'],
    ['Failed', null, inTime, false, 'delivery_not_confirmed'],
    ['Returned', null, inTime, false, 'delivery_not_confirmed'],
    ['Pending', open, late, true, 'delivery_not_confirmed'],
  ])(
    'on a %s delivery with claim %o at %s, cap reached %s, is rejected with: %s',
    (status, claim, now, capReached, reason) => {
      const facts = {
        status,
        deliveredAt,
        confirmedAt: deliveredAt,
        claim,
        capReached,
        policy,
        timeZone,
        now: new Date(now),
      };
      expect(returnability(facts)).toEqual({ until, reason });
    },
  );

  it('is possible again after the claim was withdrawn', () => {
    const claim = { kind: 'return', status: 'withdrawn' } as const;
    const times = { deliveredAt, confirmedAt: deliveredAt };
    const facts = { status: 'Confirmed', ...times, claim, capReached: false, policy, timeZone } as const;
    expect(returnability({ ...facts, now: new Date(inTime) }).reason).toBeNull();
  });
});
