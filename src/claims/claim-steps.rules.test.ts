import { describe, expect, it } from 'vitest';

import { afterReview, countsToCap, isWithdrawable } from './claim-steps.rules.ts';

describe('A review', () => {
  it.each([
    ['submitted', 'take', 'under_review'],
    ['submitted', 'approve', 'approved'],
    ['submitted', 'deny', 'denied'],
    ['under_review', 'take', 'claim_not_submitted'],
    ['under_review', 'approve', 'approved'],
    ['under_review', 'deny', 'denied'],
    ['approved', 'take', 'claim_closed'],
    ['approved', 'approve', 'claim_closed'],
    ['approved', 'deny', 'claim_closed'],
    ['denied', 'take', 'claim_closed'],
    ['denied', 'approve', 'claim_closed'],
    ['denied', 'deny', 'claim_closed'],
    ['withdrawn', 'take', 'claim_closed'],
    ['withdrawn', 'approve', 'claim_closed'],
    ['withdrawn', 'deny', 'claim_closed'],
  ] as const)('of a %s claim by %s results in %s', (status, step, result) => {
    const outcome = afterReview(status, step);
    expect(outcome.ok ? outcome.status : outcome.code).toBe(result);
  });
});

describe('The status of a claim', () => {
  it.each([
    ['submitted', true, true],
    ['under_review', false, true],
    ['approved', false, true],
    ['denied', false, false],
    ['withdrawn', false, false],
  ] as const)('%s allows a withdrawal: %s, and counts to the cap: %s', (status, withdrawable, counts) => {
    expect([isWithdrawable(status), countsToCap(status)]).toEqual([withdrawable, counts]);
  });
});
