import { describe, expect, it } from 'vitest';

import type { BuyerSetting } from './buyer.ts';
import { checkSetting } from './check-setting.rules.ts';

const options = { allowTargets: ['http://127.0.0.1:9911'] };
const sheet = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';

describe('A valid setting', () => {
  const cases: ReadonlyArray<readonly [BuyerSetting, unknown, unknown]> = [
    ['notificationEmail', ' leads@summit.example ', 'leads@summit.example'],
    ['notificationEmail', 'A+b@Summit.Example', 'A+b@Summit.Example'],
    ['notificationEmail', null, null],
    ['notificationEmail', ' \u200b ', null],
    ['ccEmails', ['a@b.example', ' c@d.example'], ['a@b.example', 'c@d.example']],
    ['ccEmails', [], []],
    ['ccEmails', null, []],
    ['phone', '+1 (555) 555-0123', '+15555550123'],
    ['smsNumber', '+44 20 7946 0958', '+442079460958'],
    ['smsNumber', '\u202a+1 555\u2011555\u00a00123\u202c', '+15555550123'],
    ['notificationEmail', '\u200eleads@summit.example\u200b', 'leads@summit.example'],
    ['webhookUrl', '\ufeffhttps://crm.summit.example/le\u200bads', 'https://crm.summit.example/leads'],
    ['webhookUrl', 'https://crm.summit.example/leads?a=1', 'https://crm.summit.example/leads?a=1'],
    ['webhookUrl', 'http://127.0.0.1:9911/in', 'http://127.0.0.1:9911/in'],
    ['webhookUrl', '', null],
    ['sheetsWebhookUrl', 'https://script.google.com/macros/s/x/exec', 'https://script.google.com/macros/s/x/exec'],
    ['sheetsSpreadsheetId', sheet, sheet],
    ['sheetsSpreadsheetId', `https://docs.google.com/spreadsheets/d/${sheet}/edit#gid=0`, sheet],
    ['sheetsSpreadsheetId', `https://docs.google.com/spreadsheets/u/1/d/${sheet}/edit?usp=sharing`, sheet],
    ['sheetsSpreadsheetId', `https://docs.google.com/spreadsheets/d/${sheet}`, sheet],
    ['sheetsSpreadsheetId', `https://docs.google.com/a/summit.example/spreadsheets/d/${sheet}/`, sheet],
  ];
  it.each(cases)('%s: %j is stored as %j', (field, value, kept) => {
    expect(checkSetting(field, value, options)).toEqual({ ok: true, value: kept });
  });
});

describe('An invalid setting', () => {
  const cases: ReadonlyArray<readonly [BuyerSetting, unknown, string]> = [
    ['notificationEmail', 5, 'wrong_type'],
    ['notificationEmail', undefined, 'wrong_type'],
    ['notificationEmail', ['a@b.example'], 'wrong_type'],
    ['notificationEmail', 'a@localhost', 'invalid_format'],
    ['notificationEmail', 'a@b.example,c@d.example', 'invalid_format'],
    ['notificationEmail', 'a..b@c.example', 'invalid_format'],
    ['notificationEmail', `${'a'.repeat(65)}@b.example`, 'invalid_format'],
    ['notificationEmail', 'a@192.0.2.1', 'invalid_format'],
    ['notificationEmail', 'a@b.example\r\nBcc: x@y.example', 'invalid_format'],
    ['ccEmails', 'a@b.example', 'wrong_type'],
    ['ccEmails', [null], 'wrong_type'],
    ['ccEmails', [''], 'invalid_format'],
    ['ccEmails', ['a@b.example', 'nobody'], 'invalid_format'],
    ['ccEmails', ['a@b.example', 'c.@d.example'], 'invalid_format'],
    ['ccEmails', ['a@b.example', 'c@d.example', ' a@b.example '], 'not_unique'],
    ['ccEmails', ['Team@b.example', 'team@B.example'], 'not_unique'],
    ['ccEmails', Array.from({ length: 21 }, (_, number) => `a${number}@b.example`), 'too_long'],
    ['phone', '5555550123', 'invalid_format'],
    ['phone', '+1555555', 'invalid_format'],
    ['smsNumber', '+1 555 555 0123 ext. 5', 'invalid_format'],
    ['phone', true, 'wrong_type'],
    ['webhookUrl', 'http://crm.summit.example/', 'webhook_url_blocked'],
    ['webhookUrl', 'https://127.0.0.1/', 'webhook_url_blocked'],
    ['webhookUrl', 'https://crm.summit.example:22/', 'webhook_url_blocked'],
    ['webhookUrl', 'nonsense', 'webhook_url_blocked'],
    ['sheetsWebhookUrl', 'https://localhost/', 'webhook_url_blocked'],
    ['sheetsSpreadsheetId', 'two words', 'invalid_format'],
    ['sheetsSpreadsheetId', 'https://docs.google.com/spreadsheets/d/e/2PACX-1vQ/pubhtml', 'invalid_format'],
    ['sheetsSpreadsheetId', `https://docs.google.com.evil.example/spreadsheets/d/${sheet}`, 'invalid_format'],
  ];
  it.each(cases)('%s: %j is rejected as %s', (field, value, code) => {
    const verdict = checkSetting(field, value, options);
    expect(verdict).toMatchObject({ ok: false, code });
  });

  it('is rejected as too long over 500 characters, or 2,048 for a URL', () => {
    const tooLong = { ok: false, code: 'too_long' };
    const domain = '@b.example';
    expect(checkSetting('notificationEmail', 'a'.repeat(500 - domain.length) + domain, options)).toMatchObject({
      ok: false,
      code: 'invalid_format',
    });
    expect(checkSetting('notificationEmail', 'a'.repeat(501 - domain.length) + domain, options)).toMatchObject(tooLong);
    const site = 'https://crm.summit.example/';
    expect(checkSetting('webhookUrl', site + 'a'.repeat(2048 - site.length), options).ok).toBe(true);
    expect(checkSetting('webhookUrl', site + 'a'.repeat(2049 - site.length), options)).toMatchObject(tooLong);
  });

  it('is rejected with a message that does not repeat the value', () => {
    const verdict = checkSetting('notificationEmail', 'jane.doe@nowhere', options);
    expect(JSON.stringify(verdict)).not.toContain('jane');
  });
});
