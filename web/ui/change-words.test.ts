import { describe, expect, it } from 'vitest';

import { fieldInWords, isInstant, valueInWords } from './change-words.ts';

describe('changes of the audit logs', () => {
  it.each([
    ['webhookUrl', 'Webhook URL'],
    ['expiresAt', 'Expires at'],
    ['settings.sheetsWebhookUrl', 'Settings, sheets webhook URL'],
    ['leadIp', 'Lead IP'],
    ['status', 'Status'],
    ['test-delivery', 'Test delivery'],
    ['', ''],
  ])('name the field %s “%s”', (path, words) => {
    expect(fieldInWords(path)).toBe(words);
  });

  it.each([
    [null, 'none'],
    [undefined, 'none'],
    ['', 'empty'],
    ['paused', 'paused'],
    ['sheets_script', 'Google Sheets script'],
    [45.5, '45.5'],
    [false, 'no'],
    [[], 'none'],
    [['CA', 'NY'], 'CA, NY'],
    [['sheets_script', 'email'], 'Google Sheets script, email'],
    [{ daily: 5 }, 'daily: 5'],
    [{ caps: { daily: 5, weekly: null } }, 'caps: (daily: 5, weekly: none)'],
  ])('show the value %j as “%s”', (value, words) => {
    expect(valueInWords(value)).toBe(words);
  });

  it.each([
    ['2026-11-25T08:30:00.000Z', true],
    ['2026-11-25T08:30:00Z', true],
    ['2026-11-25', false],
    ['2026-11-25T08:30:00+02:00', false],
    [12, false],
    [null, false],
  ])('take %j for an instant: %s', (value, is) => {
    expect(isInstant(value)).toBe(is);
  });
});
