import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { excludedBy, type ListHit, soldBy, suppressedBy } from './list-hits.rules.ts';

const hit = (more: Partial<ListHit>): ListHit => ({
  ...{ listKey: 'list', use: 'exclude', buyerKey: null, partners: [], offers: [], ...more },
});
const sale = { buyerKey: 'summit', offerKey: 'west' };

describe('suppressedBy', () => {
  it('is the first list by key that suppresses', () => {
    const hits = [
      hit({ use: 'suppress', listKey: 'b' }),
      hit({ use: 'suppress', listKey: 'a' }),
      hit({ listKey: '0' }),
    ];
    expect([suppressedBy(hits), suppressedBy([hit({}), hit({ use: 'sold' })])]).toEqual(['a', null]);
  });
});

describe('excludedBy', () => {
  it.each<readonly [string, Partial<ListHit>, boolean]>([
    ['names the partner', { partners: ['harbor', 'summit'] }, true],
    ['names the offer', { offers: ['west'] }, true],
    ['names others', { partners: ['harbor'], offers: ['east'] }, false],
    ['is the partner’s own', { buyerKey: 'summit', partners: ['summit'] }, true],
    [
      'is another partner’s, even if it names this one',
      { buyerKey: 'harbor', partners: ['summit'], offers: ['west'] },
      false,
    ],
    ['suppresses', { use: 'suppress', partners: ['summit'] }, false],
    ['is of sold leads', { use: 'sold', partners: ['summit'] }, false],
  ])('with a list that %s: %s', (_, more, expected) => {
    expect(excludedBy([hit(more)], sale) !== null).toBe(expected);
  });

  it('is the partner’s own list before one of the operator', () => {
    const hits = [
      hit({ listKey: 'a', partners: ['summit'] }),
      hit({ listKey: 'b', buyerKey: 'summit', partners: ['summit'] }),
    ];
    expect(excludedBy(hits, sale)?.listKey).toBe('b');
  });
});

describe('soldBy', () => {
  it.each<readonly [Partial<ListHit>, string | null]>([
    [{ use: 'sold' }, 'list'],
    [{ use: 'sold', partners: ['summit'] }, 'list'],
    [{ use: 'sold', partners: ['harbor'] }, null],
    [{ use: 'exclude', partners: ['summit'] }, null],
  ])('with %j is %s', (more, expected) => {
    expect(soldBy([hit(more)], sale)).toBe(expected);
  });
});

describe('The lists of a lead', () => {
  it('give the same results in any order', () => {
    const hits = fc.array(
      fc.record({
        listKey: fc.constantFrom('a', 'b', 'c'),
        use: fc.constantFrom('suppress', 'exclude', 'sold'),
        buyerKey: fc.constantFrom(null, 'summit', 'harbor'),
        partners: fc.subarray(['summit', 'harbor']),
        offers: fc.subarray(['west', 'east']),
      }),
    );
    fc.assert(
      fc.property(hits, (given) => {
        const results = (of: readonly ListHit[]) => [suppressedBy(of), excludedBy(of, sale)?.listKey, soldBy(of, sale)];
        expect(results(given.toReversed())).toEqual(results(given));
      }),
    );
  });
});
