import { describe, expect, test } from 'vitest';

import {
  type ClaimKind,
  type ClaimStatus,
  forbidsReturn,
  returnability,
  returnableUntil,
  type ReturnRefusal,
} from './return-window.rules.ts';

const policy = { windowBusinessDays: 5, holidays: ['2026-12-24'] };
const timeZone = 'America/Los_Angeles';
const deliveredAt = new Date('2026-11-16T18:00:00.000Z');
const until = '2026-11-24T07:59:59.000Z';

describe('The return window', () => {
  test.each([
    ['2026-11-16T18:00:00.000Z', 5, until, 'five business days in the partner’s zone'],
    ['2026-12-18T18:00:00.000Z', 5, '2026-12-30T07:59:59.000Z', 'neither Christmas nor the operator’s day off counts'],
    ['2026-11-16T18:00:00.000Z', 0, '2026-11-17T07:59:59.000Z', 'no days means the day of delivery alone'],
  ])('of a delivery at %s by a policy of %i ends at %s: %s', (at, windowBusinessDays, end) => {
    expect(returnableUntil(new Date(at), { ...policy, windowBusinessDays }, timeZone).toISOString()).toBe(end);
  });
});

describe('A claim', () => {
  test.each<[ClaimKind, ClaimStatus, boolean]>([
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
  ])('(%s, %s) forbids a return: %s', (kind, status, forbids) => {
    expect(forbidsReturn({ kind, status })).toBe(forbids);
  });
});

describe('A return may be filed', () => {
  const open = { kind: 'dispute', status: 'submitted' } as const;
  const inTime = '2026-11-24T07:59:59.999Z';
  const late = '2026-11-24T08:00:00.000Z';

  test.each<[Parameters<typeof returnability>[0]['status'], typeof open | null, string, boolean, ReturnRefusal | null]>(
    [
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
    ],
  )('on a %s delivery with claim %o at %s, cap reached %s: %s', (status, claim, now, capReached, reason) => {
    const facts = { status, deliveredAt, claim, capReached, policy, timeZone, now: new Date(now) };
    expect(returnability(facts)).toEqual({ until, reason });
  });

  test('again once the claim was withdrawn', () => {
    const claim = { kind: 'return', status: 'withdrawn' } as const;
    const facts = { status: 'Confirmed', deliveredAt, claim, capReached: false, policy, timeZone } as const;
    expect(returnability({ ...facts, now: new Date(inTime) }).reason).toBeNull();
  });
});
