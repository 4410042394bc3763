import { describe, expect, it } from 'vitest';

import { containsSecret, maskSecrets } from './secret-mask.rules.ts';

const BODY = 'abcdefghijABCDEFGHIJ012345678901234567';

describe('containsSecret with a secret', () => {
  it.each([
    ['detects a supplier key', `lms_${BODY}`],
    ['detects an access token of a buyer', `lmb_${BODY}`],
    ['detects a token of the operator', `lmo_${BODY}`],
    ['detects a signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/=='],
    ['detects a secret in a URL', `https://crm.example/in?token=lmb_${BODY}&x=1`],
    ['detects a truncated secret', 'lmb_abcdefghijABCDEFGH'],
    ['detects a secret in a list', ['a', `lms_${BODY}`]],
    ['detects a secret deep in an object', { a: [{ b: `whsec_${BODY}` }] }],
  ])('%s', (_case, value) => {
    expect(containsSecret(value)).toBe(true);
  });
});

describe('containsSecret without a secret', () => {
  it.each([
    ['ignores null', null],
    ['ignores a number', 12],
    ['ignores a bare prefix', 'lmb_'],
    ['ignores a short word after a prefix', 'lmb_production'],
    ['ignores an email address', { to: ['lms_leads@summit.example'] }],
  ])('%s', (_case, value) => {
    expect(containsSecret(value)).toBe(false);
  });
});

describe('maskSecrets', () => {
  it('keeps the prefix of each secret and the rest of the text', () => {
    expect(maskSecrets(`a lmb_${BODY} b whsec_${BODY}== c`)).toBe('a lmb_… b whsec_… c');
    expect(containsSecret(maskSecrets(`lmo_${BODY}`))).toBe(false);
    expect(maskSecrets('nothing here')).toBe('nothing here');
  });
});
