import { describe, expect, it } from 'vitest';

import { actionWords, targetPage } from './audit-words.ts';

describe('actionWords', () => {
  it.each([
    ['return.under_review', 'Return under review'],
    ['token.issued', 'Token issued'],
  ])('labels %s as “%s”', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  it.each([
    ['ret_1', '/claims/$claimId'],
    ['dsp_1', '/claims/$claimId'],
    ['lead_1', '/leads/$leadId'],
    ['inv_1', '/invoices'],
    ['dlv_1', '/leads'],
    ['summit', undefined],
  ])('links the target %s to %s', (target, to) => {
    expect(targetPage(target)?.to).toBe(to);
  });
});
