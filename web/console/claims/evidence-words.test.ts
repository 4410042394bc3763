import { describe, expect, it } from 'vitest';

import type { ClaimEvidence, ClaimReview, ClaimedLeadFields } from '../../../src/console/claims.schema.ts';
import { distanceWords, filterName, findingOf, foundWords, sameWords, wantedWords } from './evidence-words.ts';

describe('the words of a filter check', () => {
  it.each([
    ['states', ['NY', 'NJ', 'CT'], 'CA', 'State: NY, NJ or CT; CA'],
    ['states', ['NY'], null, 'State: NY; not given'],
    ['statesNot', ['NY', 'NJ'], 'NY', 'State: not NY and not NJ; NY'],
    ['debtAmount', { min: 10_000, max: 50_000 }, 24_500.5, 'Debt amount: from 10,000 to 50,000; 24,500.5'],
    ['debtAmount', { min: 10_000, max: null }, null, 'Debt amount: 10,000 or more; not given'],
    ['debtAmount', { min: null, max: 50_000 }, 0, 'Debt amount: 50,000 or less; 0'],
    ['minScore', 60, 55, 'Score: 60 or more; 55'],
    ['requireConsent', true, false, 'Consent: given; not given'],
    ['requireEmail', true, true, 'Email address: present; present'],
    ['something', 'new', 'old', 'something: new; old'],
    ['fields.bill', { min: 1200 }, 1500.5, 'bill: 1,200 or more; 1,500.5'],
    ['fields.zip', { in: ['10001', '941*'], notIn: ['94105'] }, '94105', 'zip: 10001 or 941*; not 94105; 94105'],
    ['fields.built', { max: '2001-12-31' }, null, 'built: 2001-12-31 or earlier; not given'],
    ['fields.rooms', { in: [3, 4] }, 5, 'rooms: 3 or 4; 5'],
    ['fields.owner', { is: true }, false, 'owner: yes; no'],
  ])('name the filter %s, its condition %j and the value %j', (filter, wanted, found, sent) => {
    expect(`${filterName({ filter })}: ${wantedWords({ filter, wanted })}; ${foundWords({ filter, found })}`).toBe(
      sent,
    );
  });

  it('have the label of an own field, and no personal value', () => {
    expect(filterName({ filter: 'fields.born', label: 'Day of birth' })).toBe('Day of birth');
    expect(foundWords({ filter: 'fields.born', found: null, personal: true })).toBe('personal, see the lead');
  });
});

describe('the words about another delivery', () => {
  it.each([
    ['2026-11-12T10:00:00Z', '8 days before this one'],
    ['2026-11-19T10:00:00Z', '1 day before this one'],
    ['2026-11-20T08:00:00Z', 'within a day of this one'],
    ['2026-11-22T10:00:00Z', '2 days after this one'],
  ])('say how far %s is from this one', (other, sent) => {
    expect(distanceWords(other, '2026-11-20T10:00:00Z')).toBe(sent);
  });
  it.each([
    [true, true, 'same phone number and email address'],
    [true, false, 'same phone number'],
    [false, true, 'same email address'],
    [false, false, 'different phone number and email address now'],
    [null, null, null],
  ])('compare phone (same: %s) and email (same: %s)', (samePhone, sameEmail, sent) => {
    expect(sameWords({ samePhone, sameEmail })).toBe(sent);
  });
});

describe('the finding', () => {
  const review = (reason: string, evidence: ClaimEvidence | null, notes: readonly string[] = [], isErased = false) =>
    ({
      reason,
      evidence,
      delivery: { appointmentAt: null },
      lead: { scoreNotes: notes, fields: isErased ? null : ({} as ClaimedLeadFields) },
    }) as unknown as ClaimReview;
  const delivery = {
    deliveryId: 'dlv_1',
    deliveryRef: 'LS-1',
    leadId: 'lead_1',
    deliveredAt: '2026-11-12T10:00:00Z',
    status: 'Confirmed',
    sameEmail: true,
    samePhone: true,
  } as const;
  const check = (holds: boolean) => ({ filter: 'states', wanted: ['NY'], found: 'CA', holds });

  it.each([
    ['duplicate', { about: 'duplicate', dedupDays: 30, deliveries: [delivery] }, 'supports', 'one other delivery'],
    [
      'duplicate',
      { about: 'duplicate', dedupDays: 30, deliveries: [delivery, delivery] },
      'supports',
      '2 other deliveries',
    ],
    ['duplicate', { about: 'duplicate', dedupDays: 30, deliveries: [] }, 'contradicts', 'no other delivery'],
    ['out_of_geo', { about: 'filters', offer: 'west', known: false, checks: [] }, 'silent', 'no longer known'],
    ['out_of_geo', { about: 'filters', offer: 'west', known: true, checks: [] }, 'contradicts', 'no such filter'],
    [
      'out_of_geo',
      { about: 'filters', offer: 'west', known: true, checks: [check(false)] },
      'supports',
      'fails the filter',
    ],
    [
      'out_of_filter',
      { about: 'filters', offer: 'west', known: true, checks: [check(false), check(true)] },
      'supports',
      '1 of 2',
    ],
    [
      'out_of_filter',
      { about: 'filters', offer: 'west', known: true, checks: [check(true)] },
      'contradicts',
      'every filter',
    ],
  ] as const)('on a claim of %s with %j %s it', (reason, evidence, verdict, part) => {
    const finding = findingOf(review(reason, evidence));
    expect(finding.verdict).toBe(verdict);
    expect(finding.sentence).toContain(part);
  });

  it.each([
    ['invalid_phone', ['phone_not_valid_line'], 'supports'],
    ['invalid_phone', [], 'silent'],
    ['bounced_email', ['email_disposable'], 'supports'],
    ['bounced_email', [], 'silent'],
    ['bot', ['phone_not_valid_line'], 'silent'],
    ['no_show', [], 'silent'],
  ] as const)('on a claim of %s with the score notes %j %s it', (reason, notes, verdict) => {
    expect(findingOf(review(reason, null, notes)).verdict).toBe(verdict);
  });

  it('is silent if the personal data is erased', () => {
    expect(findingOf(review('invalid_phone', null, ['phone_not_valid_line'], true))).toMatchObject({
      verdict: 'silent',
    });
  });
});
