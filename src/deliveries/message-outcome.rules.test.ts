import { describe, expect, it } from 'vitest';

import { codeRange, isNotTaken, messageOutcomes, outcomeOf } from './message-outcome.rules.ts';

const LATER = new Date('2026-11-20T12:00:00.000Z');

describe('the outcome of an attempt', () => {
  it.each([
    ['succeeded', null, null, 'taken'],
    ['scheduled', null, null, 'sending'],
    ['failed', LATER, null, 'retried'],
    ['failed', null, null, 'failed'],
    ['exhausted', null, null, 'failed'],
    ['failed', LATER, 'return.reviewed', 'retried'],
    ['exhausted', null, 'return.reviewed', 'dead_letter'],
  ] as const)('of state %s, next %s, message %s is %s', (state, nextAttemptAt, messageType, outcome) => {
    expect(outcomeOf({ state, nextAttemptAt, messageType })).toBe(outcome);
  });

  it('is in the index of failures unless it is taken or in progress', () => {
    expect(messageOutcomes.filter(isNotTaken)).toEqual(['retried', 'failed', 'dead_letter']);
    expect(isNotTaken(null)).toBe(false);
  });
});

describe('a filter by response code', () => {
  it.each([
    ['503', { codeFrom: 503, codeTo: 503 }],
    ['4xx', { codeFrom: 400, codeTo: 499 }],
    ['none', { codeFrom: 0, codeTo: 0 }],
    ['', null],
    ['6xx', null],
    ['50', null],
    ['5003', null],
    ['5xX', null],
    ['-200', null],
  ])('reads %j', (text, range) => {
    expect(codeRange(text)).toEqual(range);
  });
});
