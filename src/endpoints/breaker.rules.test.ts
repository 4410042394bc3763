import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { endpointChanges, type EndpointResult, type Health, nextHealth, healthy } from './breaker.rules.ts';

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
  const [change] = endpointChanges(succeeded.map((ok) => result('summit', ok)));
  if (change === undefined) throw new Error('there is no change');
  return nextHealth(before, change, policy, now);
};

describe('A batch of results', () => {
  it('is summed up once for each endpoint, in the order of their keys', () => {
    const changes = endpointChanges([
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

describe('The breaker of an endpoint', () => {
  const open: Health = { failures: 5, openedAt: earlier, nextProbeAt: inHalfAMinute };
  it.each<{ says: string; before: Health; results: boolean[]; health: Health }>([
    {
      says: 'counts consecutive failures',
      before: healthy,
      results: [false, false],
      health: { ...healthy, failures: 2 },
    },
    { says: 'begins anew with a success', before: { ...healthy, failures: 2 }, results: [true], health: healthy },
    {
      says: 'counts only failures after the last success',
      before: { ...healthy, failures: 2 },
      results: [false, true, false],
      health: { ...healthy, failures: 1 },
    },
    {
      says: 'opens at the last allowed failure',
      before: { ...healthy, failures: 2 },
      results: [false],
      health: { failures: 3, openedAt: now, nextProbeAt: inHalfAMinute },
    },
    {
      says: 'keeps its opening time and its next probe',
      before: open,
      results: [false],
      health: { ...open, failures: 6 },
    },
    {
      says: 'replaces an opening time in the future, and is probed in time',
      before: {
        ...open,
        openedAt: new Date('2026-11-19T12:00:00.000Z'),
        nextProbeAt: new Date('2026-11-19T12:00:30.000Z'),
      },
      results: [false],
      health: { failures: 6, openedAt: now, nextProbeAt: inHalfAMinute },
    },
    { says: 'closes with the first success', before: open, results: [true], health: healthy },
    {
      says: 'opens again if failures follow a success in one batch',
      before: open,
      results: [true, false, false, false],
      health: { failures: 3, openedAt: now, nextProbeAt: inHalfAMinute },
    },
  ])('$says', ({ before, results, health }) => {
    expect(after(before, ...results)).toEqual(health);
  });

  it('has the same state however results are split into batches', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), fc.nat(), (results, cut) => {
        const at = cut % results.length;
        const parts = [results.slice(0, at), results.slice(at)].filter((part) => part.length > 0);
        const whole = after(healthy, ...results);
        const apart = parts.reduce((health, part) => after(health, ...part), healthy);
        expect(apart).toEqual(whole);
      }),
    );
  });
});
