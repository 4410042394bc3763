import { describe, expect, it } from 'vitest';

import type { ClaimEvidence, ClaimReview, ClaimedLeadFields } from '../../../src/console/claims.schema.ts';
import { distanceWords, findingOf, sameWords } from './evidence-words.ts';

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

  it.each<readonly [reason: string, ClaimEvidence, verdict: string, part: string]>([
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
  ])('on a claim of %s with %j %s it', (reason, evidence, verdict, part) => {
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
