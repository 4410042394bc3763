import { describe, expect, it } from 'vitest';

import { readIdempotencyKey } from './idempotency-key.rules.ts';

describe('the Idempotency-Key header', () => {
  it('may be absent', () => {
    expect(readIdempotencyKey(['Host', 'test'])).toBe('absent');
  });

  it.each(['a', 'order 17/b', 'a, b', '~'.repeat(255)])('may be %j', (key) => {
    expect(readIdempotencyKey(['Host', 'test', 'IDEMPOTENCY-Key', key])).toEqual({ key });
  });

  it.each(['', 'a'.repeat(256), 'naïve', 'a\tb', 'a\u0000', '\u007f'])('may not be %j', (key) => {
    expect(readIdempotencyKey(['idempotency-key', key])).toBe('invalid');
  });

  it('may not be repeated, not even with the same value', () => {
    expect(readIdempotencyKey(['idempotency-key', 'a', 'Idempotency-Key', 'a'])).toBe('invalid');
  });
});
