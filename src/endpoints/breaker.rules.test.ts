import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { changesOf, type EndpointResult, type Health, nextHealth, wellHealth } from './breaker.rules.ts';

const now = new Date('2026-11-18T12:00:00.000Z');
const earlier = new Date('2026-11-18T11:00:00.000Z');
const policy = { failures: 3, probeSeconds: 30 };
const inHalfAMinute = new Date('2026-11-18T12:00:30.000Z');

const result = (ownerKey: string, succeeded: boolean, channel = 'webhook'): EndpointResult => ({
  ownerKind: 'buyer',
  ownerKey,
  channel,
  succeeded,
  error: 'HTTP 500',
});
const after = (before: Health, ...succeeded: boolean[]): Health => {
  const [change] = changesOf(succeeded.map((ok) => result('summit', ok)));
  if (change === undefined) throw new Error('there is no change');
  return nextHealth(before, change, policy, now);
};

describe('What a batch of results means', () => {
  test('is told once for each endpoint, in the order of their keys', () => {
    const changes = changesOf([
      result('summit', false),
      result('harbor', true),
      result('summit', true),
      result('summit', false),
      result('summit', false, 'email'),
    ]);
    expect(
      changes.map(({ ownerKey, channel, succeeded, failures }) => [ownerKey, channel, succeeded, failures]),
    ).toEqual([
      ['harbor', 'webhook', true, 0],
      ['summit', 'email', false, 1],
      ['summit', 'webhook', true, 1],
    ]);
  });
});

describe('A breaker', () => {
  const open: Health = { failures: 5, openedAt: earlier, nextProbeAt: inHalfAMinute };
  test.each<{ says: string; before: Health; results: boolean[]; health: Health }>([
    {
      says: 'counts failures in a row',
      before: wellHealth,
      results: [false, false],
      health: { ...wellHealth, failures: 2 },
    },
    { says: 'begins anew with a success', before: { ...wellHealth, failures: 2 }, results: [true], health: wellHealth },
    {
      says: 'counts only what came after the last success',
      before: { ...wellHealth, failures: 2 },
      results: [false, true, false],
      health: { ...wellHealth, failures: 1 },
    },
    {
      says: 'opens at the failure that is one too many',
      before: { ...wellHealth, failures: 2 },
      results: [false],
      health: { failures: 3, openedAt: now, nextProbeAt: inHalfAMinute },
    },
    {
      says: 'keeps the time since when it is open, and its next probe',
      before: open,
      results: [false],
      health: { ...open, failures: 6 },
    },
    {
      says: 'is open since now at most, whatever a clock said that was ahead, and asked in time',
      before: {
        ...open,
        openedAt: new Date('2026-11-19T12:00:00.000Z'),
        nextProbeAt: new Date('2026-11-19T12:00:30.000Z'),
      },
      results: [false],
      health: { failures: 6, openedAt: now, nextProbeAt: inHalfAMinute },
    },
    { says: 'closes with the first success', before: open, results: [true], health: wellHealth },
    {
      says: 'is open anew where failures follow a success at once',
      before: open,
      results: [true, false, false, false],
      health: { failures: 3, openedAt: now, nextProbeAt: inHalfAMinute },
    },
  ])('$says', ({ before, results, health }) => {
    expect(after(before, ...results)).toEqual(health);
  });

  test('comes to the same however the results are shared out over batches', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), fc.nat(), (results, cut) => {
        const at = cut % results.length;
        const parts = [results.slice(0, at), results.slice(at)].filter((part) => part.length > 0);
        const whole = after(wellHealth, ...results);
        const apart = parts.reduce((health, part) => after(health, ...part), wellHealth);
        expect(apart).toEqual(whole);
      }),
    );
  });
});
