// Tests the mail settings of the environment.
import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/platform/config.ts';

describe('The mail settings of the environment', () => {
  it.each([
    [{ SMTP_URL: 'smtps://user:p%40ss@mail.example', MAIL_FROM: 'Desk <desk@mail.example>' }, []],
    [{ SMTP_URL: 'smtp://127.0.0.1:2525' }, []],
    [{ SMTP_URL: 'smtp://' }, ['SMTP_URL must be a URL that starts with smtp:// or smtps://']],
    [{ SMTP_URL: 'smtp://mail.example:99999' }, ['SMTP_URL must be a URL that starts with smtp:// or smtps://']],
    [{ SMTP_URL: 'mail.example' }, ['SMTP_URL must be a URL that starts with smtp:// or smtps://']],
    [{ MAIL_FROM: 'Desk' }, ['MAIL_FROM must be an address such as leads@example.com, or Name <leads@example.com>']],
  ])('as %j have the faults %j', (env, faults) => {
    const outcome = loadConfig(env);
    expect(outcome.ok ? [] : outcome.faults).toEqual(faults);
  });
});
