import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { credentialKinds } from './credential.ts';
import { composeSecret, hashSecret, hashSecretAsText, newSecret, parseSecret } from './secret-text.ts';

describe.each(credentialKinds)('A new secret of the kind %s', (kind) => {
  it('is parsed as its kind and never repeats', () => {
    const secrets = Array.from({ length: 500 }, () => newSecret(kind));
    expect(new Set(secrets).size).toBe(500);
    for (const secret of secrets) expect(parseSecret(secret)).toEqual({ kind });
  });
});

describe('The text of a secret', () => {
  it('depends on its bytes alone', () => {
    expect(
      composeSecret(
        'supplier_key',
        Uint8Array.from({ length: 64 }, (_item, index) => index),
      ),
    ).toBe('lms_0123456789ABCDEFGHIJKLMNOPQRSTUV3iU7Hi');
  });

  it('is rejected by the checksum with one wrong or missing character or another prefix', () => {
    const secret = newSecret('buyer_token');
    for (let index = 4; index < secret.length; index += 1) {
      const other = secret[index] === 'x' ? 'y' : 'x';
      expect(parseSecret(secret.slice(0, index) + other + secret.slice(index + 1))).toBeNull();
      expect(parseSecret(secret.slice(0, index) + secret.slice(index + 1))).toBeNull();
    }
    expect(parseSecret(secret.replace('lmb_', 'lmo_'))).toBeNull();
    expect(parseSecret(secret.replace('lmb_', 'lms_'))).toBeNull();
  });

  it('is stored as the SHA-256 of the whole secret', () => {
    const secret = newSecret('supplier_key');
    expect(hashSecret(secret)).toEqual(createHash('sha256').update(secret).digest());
    expect(Buffer.from(hashSecretAsText(secret), 'latin1')).toEqual(hashSecret(secret));
  });
});
