import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ClaimState } from '../buyers/return-window.rules.ts';
import { type FilingFacts, forbids, limitOf, refusalAfterCap, refusalBeforeCap } from './filing.rules.ts';

const fine: FilingFacts = {
  kind: 'return',
  reason: 'duplicate',
  statement: 'Here.',
  evidenceUrl: 'https://files.example.com/x',
  eventType: 'Lead Sale',
  status: 'Confirmed',
  claimStatuses: [],
  until: new Date('2026-11-24T07:59:59.000Z'),
  now: new Date('2026-11-20T18:00:00.000Z'),
};
const late = new Date('2026-11-24T08:00:00.000Z');
const open: ClaimState = { kind: 'dispute', status: 'submitted' };
const booked = { eventType: 'Calendar Assigned', reason: 'no_show' } as const;

describe('Before the cap, a claim', () => {
  it.each<[string, Partial<FilingFacts>, string | null]>([
    ['with nothing wrong is not refused', {}, null],
    ['in the last millisecond is not refused', { now: new Date(late.getTime() - 1) }, null],
    ['on a booking for a reason of bookings is not refused', booked, null],
    [
      'for a reason of bookings is refused first of all',
      { reason: 'no_show', status: 'Pending', claimStatuses: [open], now: late, statement: null },
      'reason_kind_mismatch',
    ],
    ['for a reason of leads on a booking is refused', { ...booked, reason: 'bot' }, 'reason_kind_mismatch'],
    [
      'on a pending delivery is refused next',
      { status: 'Pending', claimStatuses: [open], now: late },
      'delivery_not_confirmed',
    ],
    ['on a failed delivery is refused', { status: 'Failed' }, 'delivery_not_confirmed'],
    [
      'on a returned delivery is refused for that',
      { status: 'Returned', claimStatuses: [{ kind: 'return', status: 'approved' }] },
      'delivery_not_confirmed',
    ],
    ['beside an open claim is refused next', { claimStatuses: [open], now: late }, 'claim_exists'],
    ['too late is refused last', { now: late, statement: null }, 'return_window_closed'],
    ['of the other kind too late is refused', { kind: 'dispute', now: late }, 'dispute_window_closed'],
  ])('%s', (_, facts, refusal) => {
    expect(refusalBeforeCap({ ...fine, ...facts })).toBe(refusal);
  });
});

describe('After the cap, a claim', () => {
  it.each<[string, Partial<FilingFacts>, string | null]>([
    ['for a reason of leads needs no proof', { statement: null }, null],
    ['for a reason of bookings needs one', { ...booked, statement: null }, 'proof_required'],
    ['with one is not refused', booked, null],
    ['that is a dispute needs a detail', { kind: 'dispute', statement: null, evidenceUrl: null }, 'detail_required'],
    [
      'that is a dispute of a booking needs evidence',
      { ...booked, kind: 'dispute', evidenceUrl: null },
      'evidence_required',
    ],
    [
      'that is a dispute of a booking is told first of its detail',
      { ...booked, kind: 'dispute', statement: null, evidenceUrl: null },
      'detail_required',
    ],
    ['that is a dispute of a lead needs no evidence', { kind: 'dispute', evidenceUrl: null }, null],
  ])('%s', (_, facts, refusal) => {
    expect(refusalAfterCap({ ...fine, ...facts })).toBe(refusal);
  });
});

describe('An existing claim', () => {
  it.each([
    ['return', 'submitted', true, true],
    ['return', 'under_review', true, true],
    ['return', 'approved', true, true],
    ['return', 'denied', true, false],
    ['return', 'withdrawn', false, false],
    ['dispute', 'submitted', true, true],
    ['dispute', 'under_review', true, true],
    ['dispute', 'approved', true, true],
    ['dispute', 'denied', false, true],
    ['dispute', 'withdrawn', false, false],
  ] as const)(
    'of kind %s with status %s forbids a return: %s, and a dispute: %s',
    (kind, status, ofReturn, ofDispute) => {
      expect([forbids('return', { kind, status }), forbids('dispute', { kind, status })]).toEqual([
        ofReturn,
        ofDispute,
      ]);
    },
  );
});

describe('a monthly cap', () => {
  it.each([
    [{ count: 20 }, 0, 20],
    [{ count: 0 }, 1000, 0],
    [{ percent: 10 }, 0, 3],
    [{ percent: 10 }, 39, 3],
    [{ percent: 10 }, 40, 4],
    [{ percent: 10 }, 49, 4],
    [{ percent: 10 }, 50, 5],
    [{ percent: 12.5 }, 40, 5],
    [{ percent: 0 }, 1_000_000, 3],
    [{ percent: 100 }, 7, 7],
    [{ percent: 0.07 }, 10_000, 7],
    [{ percent: 33.33 }, 10_000_000, 3_333_000],
  ])('of %j with %i deliveries allows %i returns', (cap, kept, limit) => {
    expect(limitOf(cap, kept)).toBe(limit);
  });

  it('given as a percentage is rounded down, at least three, and never falls with more deliveries', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000 }),
        fc.nat({ max: 20_000_000 }),
        fc.nat({ max: 1000 }),
        (hundredths, kept, more) => {
          const cap = { percent: hundredths / 100 };
          const limit = limitOf(cap, kept);
          expect(limit).toBe(Math.max(3, Number((BigInt(kept) * BigInt(hundredths)) / 10_000n)));
          expect(limitOf(cap, kept + more)).toBeGreaterThanOrEqual(limit);
        },
      ),
    );
  });
});
