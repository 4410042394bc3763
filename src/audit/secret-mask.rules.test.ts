import { describe, expect, test } from 'vitest';

import { holdsSecret, maskSecrets } from './secret-mask.rules.ts';

const BODY = 'abcdefghijABCDEFGHIJ012345678901234567';

describe('a secret is found', () => {
  test.each([
    ['alone', `lms_${BODY}`],
    ['of a buyer', `lmb_${BODY}`],
    ['of the operator', `lmo_${BODY}`],
    ['of the signing kind', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/=='],
    ['inside a URL', `https://crm.example/in?token=lmb_${BODY}&x=1`],
    ['cut off', 'lmb_abcdefghijABCDEFGH'],
    ['in a list', ['a', `lms_${BODY}`]],
    ['deep in an object', { a: [{ b: `whsec_${BODY}` }] }],
  ])('%s', (_case, value) => {
    expect(holdsSecret(value)).toBe(true);
  });
});

describe('no secret is seen', () => {
  test.each([
    ['in null', null],
    ['in a number', 12],
    ['in the bare prefix', 'lmb_'],
    ['in a short word after the prefix', 'lmb_production'],
    ['in an address', { to: ['lms_leads@summit.example'] }],
  ])('%s', (_case, value) => {
    expect(holdsSecret(value)).toBe(false);
  });
});

test('Masking leaves the prefix and the rest of the text, for every secret in it.', () => {
  expect(maskSecrets(`a lmb_${BODY} b whsec_${BODY}== c`)).toBe('a lmb_… b whsec_… c');
  expect(holdsSecret(maskSecrets(`lmo_${BODY}`))).toBe(false);
  expect(maskSecrets('nothing here')).toBe('nothing here');
});
