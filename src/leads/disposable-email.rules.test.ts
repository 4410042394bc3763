import { describe, expect, it } from 'vitest';
import { isDisposableDomain } from './disposable-email.rules.ts';

describe('isDisposableDomain', () => {
  it.each([
    ['mailinator.com', true],
    ['MAILINATOR.com', true],
    ['any.sub.mailinator.com', true],
    ['gmail.com', false],
    ['notmailinator.example', false],
    ['duck.com', false],
    ['a.relay.firefox.com', false],
    ['mozmail.com', false],
    ['com', false],
    ['', false],
    ['.', false],
  ])('returns for %j: %s', (domain, expected) => {
    expect(isDisposableDomain(domain)).toBe(expected);
  });
});
