import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { errorOf, factsOf, isHealthy, rejectionOf, type SendOutcome } from './send-outcome.ts';
import { partnerWords } from './partner-words.rules.ts';

const facts = { responseCode: 200, responseSnippet: '{"ok":false}', latencyMs: 12, error: null };

const notTaken = (
  why: 'later' | 'refused' | 'gone' | 'unpriced' | 'rejected' | 'duplicate',
  reason?: string | null,
): SendOutcome => ({
  ...{ kind: 'not_taken', why, receipt: 'no', retryAfterSeconds: 0, ...facts },
  ...(reason === undefined ? {} : { reason }),
});

describe('A rejection', () => {
  it.each<[outcome: SendOutcome, error: string]>([
    [notTaken('rejected', 'Out of area'), 'Rejected by the partner: Out of area'],
    [notTaken('rejected', ' \n'), 'Rejected by the partner'],
    [notTaken('rejected'), 'Rejected by the partner'],
    [notTaken('duplicate', 'Seen\tin May'), 'Rejected by the partner as a duplicate: Seen in May'],
    [notTaken('duplicate', null), 'Rejected by the partner as a duplicate'],
  ])('is logged with its reason %#', (outcome, error) => {
    expect(factsOf(outcome)).toEqual({ ...facts, error });
    expect(errorOf(outcome)).toBe(error);
  });

  it('is no failure of the endpoint, and everything else that was not taken is one', () => {
    expect(isHealthy({ kind: 'taken', ...facts })).toBe(true);
    expect([notTaken('rejected'), notTaken('duplicate')].map(isHealthy)).toEqual([true, true]);
    const failures = [notTaken('later'), notTaken('refused'), notTaken('gone'), notTaken('unpriced')];
    expect(failures.map(isHealthy)).toEqual([false, false, false, false]);
    expect(failures.map(rejectionOf)).toEqual([null, null, null, null]);
  });
});

describe('Words of a partner', () => {
  it('are one line of at most 200 characters', () => {
    expect(partnerWords(`No\r\n\u0000 more\u0007`)).toBe('No more');
    expect(partnerWords('😀'.repeat(5000))).toBe('😀'.repeat(200));
    expect(partnerWords('\ud800')).toBe('\ufffd');
    expect(partnerWords('\u200b\u2800 ')).toBeNull();
  });

  it('can be stored whatever the response says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const words = partnerWords(text);
        if (words === null) return;
        expect([...words].length).toBeLessThanOrEqual(200);
        expect(words.isWellFormed()).toBe(true);
        expect(words).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
