import { describe, expect, it } from 'vitest';

import { emptyFormat, emptyRule, newConditions, type WebhookFormat } from './format-form.ts';
import { formatChanges, rulesWords } from './format-words.ts';

const capture = { json: null, header: null, pattern: null, text: null };

describe('The words for rules', () => {
  it('say the conditions, the outcome and what is taken', () => {
    const json = { ...newConditions.json, path: 'result', equals: 'no' };
    expect(
      rulesWords([
        { ...emptyRule, when: { ...emptyRule.when, json }, price: { ...capture, json: 'price' } },
        { ...emptyRule, when: { status: [], header: null, json: null, text: null }, outcome: 'retry' },
      ]),
    ).toBe('1. status 200 and json path result equals no: accepted, price from json price\n2. any response: try again');
  });
});

describe('The difference of two formats', () => {
  it('has the members that differ, with both values', () => {
    const after: WebhookFormat = {
      ...emptyFormat,
      method: 'PUT',
      headers: { 'x-key': '{{ secret.key }}' },
      response: { rules: [emptyRule] },
    };
    expect(formatChanges(emptyFormat, after)).toEqual([
      { member: 'Method', from: 'POST', to: 'PUT' },
      { member: 'Headers', from: 'none', to: 'x-key: {{ secret.key }}' },
      { member: 'Rules', from: 'none', to: '1. status 200: accepted' },
    ]);
    expect(formatChanges(after, after)).toEqual([]);
  });

  it('shows all that the standard format does not have', () => {
    expect(formatChanges(null, emptyFormat).map(({ member, from }) => [member, from])).toEqual([
      ['Format', 'standard'],
      ['Method', 'none'],
      ['Type of the body', 'none'],
      ['Template', 'none'],
    ]);
    expect(formatChanges(emptyFormat, { ...emptyFormat, format: 'standard' })[0]).toEqual({
      ...{ member: 'Format', from: 'custom', to: 'standard' },
    });
    expect(formatChanges(null, { ...emptyFormat, format: 'standard' })).toEqual([]);
  });
});
