import { describe, expect, it } from 'vitest';

import { hasReached, lagOf, recentSamples, replicaFault, type ServerFacts } from './replica.rules.ts';

describe('hasReached', () => {
  it.each([
    ['0/0', '0/0', true],
    ['0/9', '0/10', false],
    ['0/10', '0/9', true],
    // Hexadecimal, and the part before the slash counts more.
    ['0/A0', '0/9F', true],
    ['0/FFFFFFFF', '1/0', false],
    ['16/B374D848', '16/B374D847', true],
    ['FFFFFFFF/FFFFFFFE', 'FFFFFFFF/FFFFFFFF', false],
    [null, '0/0', false],
  ])('of %s and %s is %s', (position, other, reached) => {
    expect(hasReached(position, other)).toBe(reached);
  });
});

describe('samples of the log', () => {
  const samples = [
    { at: 1000, position: '0/100' },
    { at: 2000, position: '0/200' },
    { at: 3000, position: '0/300' },
  ];

  it.each([
    [3500, 5000, ['0/100', '0/200', '0/300']],
    [3500, 1500, ['0/200', '0/300']],
    [3500, 499, []],
  ])('at %d are recent within %d ms: %j', (now, bound, positions) => {
    expect(recentSamples(samples, now, bound).map(({ position }) => position)).toEqual(positions);
  });

  it.each([
    ['0/300', 400],
    ['0/2FF', 1400],
    ['0/100', 2400],
    ['0/FF', null],
    [null, null],
  ])('say that a replica at %s is behind by %s ms', (position, lag) => {
    expect(lagOf(samples, position, 3400)).toBe(lag);
  });
});

describe('replicaFault', () => {
  const primary: ServerFacts = { isStandby: false, position: '0/1', systemId: '7', databaseId: 5, timeline: 2 };
  it.each<[Partial<ServerFacts>, RegExp | null]>([
    [{}, null],
    [{ position: null }, null],
    [{ isStandby: false }, /accepts writes/],
    [{ systemId: '8' }, /not a copy/],
    [{ databaseId: 6 }, /another database/],
    [{ timeline: 1 }, /failover/],
    [{ timeline: 3 }, /failover/],
  ])('of a standby with %j is %s', (more, fault) => {
    const found = replicaFault(primary, { ...primary, isStandby: true, ...more });
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatch(fault);
  });
});
