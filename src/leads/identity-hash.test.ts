import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityHashes } from './identity-hash.ts';

const pepper = Buffer.alloc(32, 7);
const hashes = (phone: string | null, email: string | null, key = pepper) => identityHashes(key, { phone, email });

describe('identityHashes of equal mailboxes', () => {
  it.each([
    ['Ann.Lee@Example.COM', 'ann.lee@example.com'],
    ['ann+debt@example.com', 'ann@example.com'],
    ['ann+a+b@example.com', 'ann@example.com'],
    ['ann+@example.com', 'ann@example.com'],
    // At the start and in the domain, the plus sign starts no tag.
    ['+ann@example.com', '+ann@example.com'],
    ['ann@a+b.example.com', 'ann@a+b.example.com'],
    // Only the receiving server knows whether dots matter.
    ['a.nn@example.com', 'a.nn@example.com'],
  ])('are the same for %s and %s', (email, mailbox) => {
    expect(hashes(null, email)).toEqual(hashes(null, mailbox));
  });
});

describe('identityHashes of different mailboxes', () => {
  it.each([
    ['+ann@example.com', '@example.com'],
    ['a.nn@example.com', 'ann@example.com'],
    ['ann@example.com', 'ann@example.org'],
    ['ann@a+b.example.com', 'ann@a'],
  ])('differ for %s and %s', (email, other) => {
    expect(hashes(null, email)).not.toEqual(hashes(null, other));
  });
});

describe('identityHashes', () => {
  it('returns one hash each for phone and email', () => {
    expect(hashes(null, null)).toEqual([]);
    expect(hashes('+15555550123', null)).toHaveLength(1);
    expect(hashes(null, 'ann@example.com')).toHaveLength(1);
    expect(hashes('+15555550123', 'ann@example.com')).toEqual([
      ...hashes('+15555550123', null),
      ...hashes(null, 'ann@example.com'),
    ]);
  });

  it('depends on the phone and on the mailbox, in any spelling', () => {
    expect(hashes(null, 'Ann+tag@Example.com')).toEqual(hashes(null, 'ann@example.com'));
    expect(hashes(null, 'ann@example.com')).not.toEqual(hashes(null, 'ann@example.org'));
    expect(hashes('+15555550123', null)).not.toEqual(hashes('+15555550124', null));
  });

  it('differs by key, so that hashes are useless outside of the marketplace', () => {
    expect(hashes('+15555550123', null, Buffer.alloc(32, 8))).not.toEqual(hashes('+15555550123', null));
  });

  it('distinguishes a phone from an email with the same text', () => {
    expect(hashes('ann@example.com', null)).not.toEqual(hashes(null, 'ann@example.com'));
  });

  it('returns hashes that fit into a bigint and are deterministic', () => {
    fc.assert(
      fc.property(fc.string(), (phone) => {
        const [hash = ''] = hashes(phone, null);
        expect(hash).toMatch(/^-?\d+$/);
        expect(BigInt.asIntN(64, BigInt(hash))).toBe(BigInt(hash));
        expect(hashes(phone, null)).toEqual([hash]);
      }),
    );
  });

  it('returns the same hash as earlier versions', () => {
    // A changed hash would lose the sales recorded so far.
    expect(hashes('+15555550123', 'ann@example.com')).toEqual(['-4265074077822349747', '1575543588160081165']);
  });
});
