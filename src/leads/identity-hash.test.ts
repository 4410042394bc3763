import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { identityHashes } from './identity-hash.ts';

const pepper = Buffer.alloc(32, 7);
const hashes = (phone: string | null, email: string | null, key = pepper) => identityHashes(key, { phone, email });

describe('A mailbox', () => {
  test.each([
    ['Ann.Lee@Example.COM', 'ann.lee@example.com'],
    ['ann+debt@example.com', 'ann@example.com'],
    ['ann+a+b@example.com', 'ann@example.com'],
    ['ann+@example.com', 'ann@example.com'],
    // The sign stands for itself at the beginning and in the domain.
    ['+ann@example.com', '+ann@example.com'],
    ['ann@a+b.example.com', 'ann@a+b.example.com'],
    // Dots are for the receiving server to judge.
    ['a.nn@example.com', 'a.nn@example.com'],
  ])('under %s is that under %s', (email, mailbox) => {
    expect(hashes(null, email)).toEqual(hashes(null, mailbox));
  });
});

test.each([
  ['+ann@example.com', '@example.com'],
  ['a.nn@example.com', 'ann@example.com'],
  ['ann@example.com', 'ann@example.org'],
  ['ann@a+b.example.com', 'ann@a'],
])('The mailbox under %s is not that under %s', (email, other) => {
  expect(hashes(null, email)).not.toEqual(hashes(null, other));
});

describe('A person', () => {
  test('has a hash for each of phone and e-mail that is given', () => {
    expect(hashes(null, null)).toEqual([]);
    expect(hashes('+15555550123', null)).toHaveLength(1);
    expect(hashes(null, 'ann@example.com')).toHaveLength(1);
    expect(hashes('+15555550123', 'ann@example.com')).toEqual([
      ...hashes('+15555550123', null),
      ...hashes(null, 'ann@example.com'),
    ]);
  });

  test('is recognised by either, in any spelling of the mailbox', () => {
    expect(hashes(null, 'Ann+tag@Example.com')).toEqual(hashes(null, 'ann@example.com'));
    expect(hashes(null, 'ann@example.com')).not.toEqual(hashes(null, 'ann@example.org'));
    expect(hashes('+15555550123', null)).not.toEqual(hashes('+15555550124', null));
  });

  test('is another under another key, so that the hashes say nothing outside of this marketplace', () => {
    expect(hashes('+15555550123', null, Buffer.alloc(32, 8))).not.toEqual(hashes('+15555550123', null));
  });

  test('is never taken for somebody whose e-mail address looks like the phone', () => {
    expect(hashes('ann@example.com', null)).not.toEqual(hashes(null, 'ann@example.com'));
  });

  test('has hashes that fit into a bigint, the same each time', () => {
    fc.assert(
      fc.property(fc.string(), (phone) => {
        const [hash = ''] = hashes(phone, null);
        expect(hash).toMatch(/^-?\d+$/);
        expect(BigInt.asIntN(64, BigInt(hash))).toBe(BigInt(hash));
        expect(hashes(phone, null)).toEqual([hash]);
      }),
    );
  });

  test('keeps the hash that is stored already', () => {
    // A change of the hash would forget who was sold.
    expect(hashes('+15555550123', 'ann@example.com')).toEqual(['-4265074077822349747', '1575543588160081165']);
  });
});
