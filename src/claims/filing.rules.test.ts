import { describe, expect, test } from 'vitest';

import type { ClaimState } from '../buyers/return-window.rules.ts';
import { type FilingFacts, forbids, refusalAfterCap, refusalBeforeCap } from './filing.rules.ts';

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
  test.each<[string, Partial<FilingFacts>, string | null]>([
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
  test.each<[string, Partial<FilingFacts>, string | null]>([
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

test.each([
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
] as const)('A %s that is %s forbids a return: %s, and a dispute: %s', (kind, status, ofReturn, ofDispute) => {
  expect([forbids('return', { kind, status }), forbids('dispute', { kind, status })]).toEqual([ofReturn, ofDispute]);
});
