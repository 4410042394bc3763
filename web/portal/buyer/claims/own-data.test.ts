import { describe, expect, it } from 'vitest';

import type { Filing } from '../../../../src/portal/buyer/filing.schema.ts';
import { aboveCaps, suggestReturns } from './own-data.ts';

type OwnData = Filing['reasons'][number]['ownData'];

const until = '2026-11-28T07:59:59.000Z';
const met = { filter: 'states', wanted: ['CA'], found: 'CA', holds: true };
const failed = { filter: 'minScore', wanted: 50, found: 40, holds: false };

function filing(deliveryId: string, ownData: OwnData, more: Partial<Filing> = {}): Filing {
  return {
    ...{ deliveryId, deliveryRef: 'LS-1', eventType: 'Lead Sale', notReturnable: [], claims: [] },
    return: { allowed: true, refusal: null, until },
    dispute: { allowed: true, refusal: null, until },
    reasons: [{ code: 'out_of_geo', meaning: 'Outside agreed geography', proofRequired: false, ownData }],
    cap: { month: '2026-11', limit: 20, used: 18, remaining: 2 },
    ...more,
  };
}
const refusal = { code: 'claim_exists', meaning: 'There is a claim.', remedy: 'None.' };
const filters = (...checks: (typeof met | typeof failed)[]): OwnData => ({ about: 'filters', checks });

describe('the suggestion for a return', () => {
  it.each([
    ['our data hold nothing on it', filing('d', null), 'yes', 'say nothing'],
    ['every filter is met', filing('d', filters(met)), 'no', 'do not support it: State CA (wanted: CA)'],
    ['a filter failed', filing('d', filters(met, failed)), 'yes', 'support it: Score 40 (wanted: 50 or more)'],
    ['there was no such filter', filing('d', filters()), 'no', 'had no such filter'],
    ['it is the only one', filing('d', { about: 'duplicate', dedupDays: 30, others: 0 }), 'no', 'no other delivery'],
    ['there is another', filing('d', { about: 'duplicate', dedupDays: 30, others: 2 }), 'yes', '2 other deliveries'],
    ['it is refused', filing('d', null, { return: { allowed: false, refusal, until } }), 'never', 'There is a claim.'],
    ['the reason is of another kind', filing('d', null, { reasons: [] }), 'never', 'Not a reason for a Lead Sale.'],
    [
      'the cap is used up',
      filing('d', null, { cap: { month: '2026-11', limit: 1, used: 1, remaining: 0 } }),
      'no',
      'Above the monthly cap.',
    ],
  ] as const)('where %s', (_case, one, answer, words) => {
    const suggestion = suggestReturns([one], 'out_of_geo').get('d');
    expect(suggestion?.words).toContain(words);
    expect([suggestion?.canFile, suggestion?.isSuggested]).toEqual([answer !== 'never', answer === 'yes']);
  });

  it('takes a slot of the cap of its own month and kind only', () => {
    const other = { cap: { month: '2026-10', limit: 9, used: 0, remaining: 9 } };
    const filings = [
      filing('a', filters(met)),
      filing('b', null),
      filing('c', null),
      filing('d', null),
      filing('e', null, other),
    ];
    const suggested = [...suggestReturns(filings, 'out_of_geo')].filter(([, one]) => one.isSuggested);
    expect(suggested.map(([id]) => id)).toEqual(['b', 'c', 'e']);
    expect(aboveCaps(filings, () => true)).toMatchObject([{ above: 2, eventType: 'Lead Sale' }]);
    expect(aboveCaps(filings, (id) => id < 'c')).toEqual([]);
  });
});
