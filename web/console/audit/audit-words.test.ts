import { describe, expect, test } from 'vitest';

import { actionWords, endOfDay, startOfDay, targetPage, valueWords } from './audit-words.ts';

describe('Audit events in words', () => {
  test.each([
    ['return.under_review', 'Return under review'],
    ['token.issued', 'Token issued'],
  ])('%s', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  test.each([
    [null, 'nothing'],
    [undefined, 'nothing'],
    ['', 'empty'],
    ['paused', 'paused'],
    [45.5, '45.5'],
    [false, 'false'],
    [['CA', 'NY'], '["CA","NY"]'],
    [{ daily: 5 }, '{"daily":5}'],
  ])('%j', (value, words) => {
    expect(valueWords(value)).toBe(words);
  });

  test.each([
    ['ret_1', '/claims/$claimId'],
    ['dsp_1', '/claims/$claimId'],
    ['lead_1', '/leads/$leadId'],
    ['inv_1', '/invoices'],
    ['dlv_1', '/leads'],
    ['summit', undefined],
  ])('%s leads to %s', (target, to) => {
    expect(targetPage(target)?.to).toBe(to);
  });
});

describe('A day', () => {
  test.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['2026-11-20', 'America/Los_Angeles', '2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z'],
    // The day on which summer time ends has 25 hours, the one on which it begins 23.
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-12-31', 'Asia/Kolkata', '2026-12-30T18:30:00.000Z', '2026-12-31T18:30:00.000Z'],
  ])('%s in %s', (day, zone, from, until) => {
    expect([startOfDay(day, zone), endOfDay(day, zone)]).toEqual([from, until]);
  });
  test('that is none has no bounds', () => {
    expect([startOfDay('', 'UTC'), endOfDay('', 'UTC')]).toEqual(['', '']);
  });
});
