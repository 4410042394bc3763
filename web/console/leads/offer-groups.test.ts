import { describe, expect, it } from 'vitest';

import type { Stage, TriedOffer } from '../../../src/console/leads.schema.ts';
import { countByStage, groupOffers, matchOffers } from './offer-groups.ts';

const offer = (key: string, stage: Stage, code: string = stage): TriedOffer => ({
  ...{ offer: key, offerName: `Offer ${key}`, partner: `p-${key}`, partnerName: `Partner ${key}` },
  ...{ payout: 45, priority: 1, isShared: false, code, won: stage === 'won', stage, rank: 0, rule: code },
  ...{ values: '', moment: null },
});
const offers = [
  offer('a', 'won'),
  offer('b', 'choice', 'outranked'),
  offer('c', 'caps', 'cap_reached'),
  offer('d', 'caps', 'over_pace'),
  offer('e', 'caps', 'cap_reached'),
  offer('f', 'standing', 'offer_not_active'),
];

describe('the offers of a decision', () => {
  it('are grouped by their rule, those that passed most stages first', () => {
    expect(groupOffers(offers).map(({ code, offers: members }) => [code, members.map((one) => one.offer)])).toEqual([
      ['won', ['a']],
      ['outranked', ['b']],
      ['cap_reached', ['c', 'e']],
      ['over_pace', ['d']],
      ['offer_not_active', ['f']],
    ]);
  });

  it('are counted by the stage that dropped them', () => {
    expect(countByStage(offers).map(({ stage, came, left }) => [stage, came, left])).toEqual([
      ['standing', 6, 1],
      ['caps', 5, 3],
      ['choice', 2, 1],
    ]);
    expect(countByStage([])).toEqual([]);
  });

  it('are found by their or their partner’s key or name, and by stage', () => {
    const found = (text: string, stage = ''): string[] => matchOffers(offers, { text, stage }).map((one) => one.offer);
    expect(found('PARTNER b')).toEqual(['b']);
    expect(found('p-c')).toEqual(['c']);
    expect(found('', 'caps')).toEqual(['c', 'd', 'e']);
    expect(found('nobody')).toEqual([]);
    expect(found(' ')).toHaveLength(6);
  });
});
