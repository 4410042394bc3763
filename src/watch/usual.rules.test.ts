// What is unusual enough for a notice (contract 12.3).
import { describe, expect, it } from 'vitest';

import { acceptanceBelow, rejecting, sellThroughBelow, silence } from './usual.rules.ts';

const counts = (submitted: number, invalid: number, sold = 0, unsold = 0) => ({ submitted, invalid, sold, unsold });

describe('A supplier below its own usual', () => {
  it.each([
    [
      'is noticed at less than half of the usual acceptance',
      counts(100, 60),
      counts(1000, 100),
      { percent: 40, usualPercent: 90 },
    ],
    ['is not noticed at half of it', counts(100, 55), counts(1000, 100), null],
    ['is not noticed with few submissions', counts(19, 19), counts(1000, 0), null],
    ['is not noticed without a past', counts(100, 100), counts(99, 0), null],
    ['is noticed when nothing is accepted', counts(20, 20), counts(100, 0), { percent: 0, usualPercent: 100 }],
  ])('%s', (_, last, before, found) => {
    expect(acceptanceBelow(last, before, 0.5)).toEqual(found);
  });

  it.each([
    [
      'is noticed when far fewer leads are sold',
      counts(50, 0, 5, 40),
      counts(500, 0, 300, 150),
      { percent: 11, usualPercent: 67 },
    ],
    ['is not noticed while most leads wait', counts(50, 0, 1, 10), counts(500, 0, 300, 150), null],
  ])('%s', (_, last, before, found) => {
    expect(sellThroughBelow(last, before, 0.5)).toEqual(found);
  });
});

describe('A silent supplier', () => {
  const now = new Date('2026-11-24T12:00:00Z');
  const at = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
  const limits = { silentHours: 6, usualSubmissions: 20 };
  it.each([
    ['is noticed when it usually posts at this time', { lastAt: at(6), weekAgo: 12, twoWeeksAgo: 9 }, 9],
    ['is not noticed before the hours are over', { lastAt: at(5.9), weekAgo: 12, twoWeeksAgo: 9 }, null],
    ['is not noticed at a time at which it rests', { lastAt: at(8), weekAgo: 0, twoWeeksAgo: 40 }, null],
    ['is not noticed before its first submission', { lastAt: null, weekAgo: 0, twoWeeksAgo: 0 }, null],
  ])('%s', (_, pulse, usual) => {
    expect(silence(pulse, limits, now)).toBe(usual);
  });
});

describe('A partner that rejects much', () => {
  it.each([
    ['is noticed from the share on', { failed: 30, others: 70 }, 30],
    ['is not noticed below it', { failed: 29, others: 71 }, null],
    ['is not noticed with few failures', { failed: 9, others: 0 }, null],
  ])('%s', (_, day, percent) => {
    expect(rejecting(day, { percent: 30, failed: 10 })).toBe(percent);
  });
});
