import { describe, expect, it } from 'vitest';

import { challenge, presentedCredential } from './credential-header.rules.ts';

describe('The Authorization header', () => {
  it.each(['Bearer lmb_abc', 'bearer lmb_abc', 'BEARER   lmb_abc'])('of %j presents the token', (value) => {
    expect(presentedCredential('authorization', value)).toBe('lmb_abc');
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'lmb_abc',
    'Basic lmb_abc',
    'Bearer lmb_abc lmb_def',
    'Bearer lmb_abc, Bearer lmb_abc',
    'Bearer\tlmb_abc',
    'Bearer lmb_abc,',
    'Bearer "lmb_abc"',
    'Bearer lmb_äbc',
    `Bearer ${'a'.repeat(300)}`,
    'Bearerlmb_abc',
    'Token lmb_abc',
  ])('of %j presents nothing', (value) => {
    expect(presentedCredential('authorization', value)).toBeNull();
  });
});

describe('The x-api-key header', () => {
  it('presents its value as it is', () => {
    expect(presentedCredential('x-api-key', 'lms_abc')).toBe('lms_abc');
  });

  it.each([undefined, '', 'lms_abc, lms_abc', 'lms abc', 'lms_äbc', 'a'.repeat(300)])(
    'of %j presents nothing',
    (value) => {
      expect(presentedCredential('x-api-key', value)).toBeNull();
    },
  );
});

describe('The challenge of a credential header', () => {
  it('names the scheme of the header', () => {
    expect(challenge('authorization')).toBe('Bearer realm="lead-marketplace"');
    expect(challenge('x-api-key')).toBe('ApiKey realm="lead-marketplace"');
  });
});
