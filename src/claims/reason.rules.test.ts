import { describe, expect, it } from 'vitest';

import { fitsKind, needsProof, notReturnable, readReason, reasonCodes, reasonsOf } from './reason.rules.ts';

describe('A reason', () => {
  it.each([...reasonCodes])('%s is known', (code) => {
    expect(readReason(code)).toEqual({ ok: true, code });
  });

  it.each([
    '',
    'Duplicate',
    'duplicate ',
    'DUPLICATE',
    'invalid-phone',
    'spam',
    'other',
    'no',
    'response',
    '__proto__',
  ])('"%s" is unknown: codes are compared exactly', (text) => {
    expect(readReason(text)).toEqual({ ok: false, code: 'reason_unknown' });
  });

  it.each([
    ...notReturnable,
    'no response',
    'noresponse',
    'NoResponse',
    'NO_RESPONSE',
    ' no - response ',
    'no–response',
    'ｎｏ_response',
    'not interested',
    'not_interested',
    'NOTINTERESTED',
    'No Budget',
    'no_budget',
    'Gatekeeper',
    'gate keeper',
    'gate-keeper',
    'late follow up',
    'late_follow_up',
    'Late FollowUp',
    'latefollowup',
    'late-follow-up.',
  ])('"%s" is unknown for every kind', (text) => {
    expect(readReason(text)).toEqual({ ok: false, code: 'reason_not_objective' });
  });

  it('fits one kind of delivery and no other', () => {
    for (const code of reasonCodes) expect(fitsKind(code, 'Lead Sale')).toBe(!fitsKind(code, 'Calendar Assigned'));
    expect(reasonCodes.filter((code) => fitsKind(code, 'Calendar Assigned'))).toEqual(['no_show', 'filter_mismatch']);
  });

  it('requires proof if the policy says so', () => {
    const said = Object.values(reasonsOf).flat();
    expect(said.map(({ code }) => code)).toEqual([...reasonCodes]);
    for (const { code, proofRequired } of said) expect([code, needsProof(code)]).toEqual([code, proofRequired]);
  });
});
