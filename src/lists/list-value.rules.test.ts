import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isEmail } from '../platform/contact/email.rules.ts';
import { hashOfValue } from './list-hash.ts';
import { domainsOf, mailboxSpellings, readListValue, zipSpellings } from './list-value.rules.ts';
import { type ListKind, listKinds } from './list.ts';

const HASH = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const hashOfText = (text: string) => hashOfValue({ isHash: false, text });
const MD5 = '900150983cd24fb0d6963f7d28e17f72';
const normal = (kind: ListKind, text: string) => {
  const value = readListValue(kind, text, { hashed: false });
  return value === null ? null : value.isHash ? `#${value.hex}` : value.text;
};

describe('readListValue', () => {
  it.each<readonly [ListKind, string, string | null]>([
    ['phone', '+1 (555) 555-0123', '+15555550123'],
    ['phone', ' 555.555.0123 ', '+15555550123'],
    ['phone', '+44 20 7946 0958', '+442079460958'],
    ['phone', '\u202a+1 555\u2011555\u00a00123\u202c', '+15555550123'],
    ['phone', '555-555-0123 x4', '+15555550123'],
    ['phone', '5555550123.0', '+15555550123'],
    ['phone', '442079460958', null],
    ['phone', '0123', null],
    ['phone', 'ann@example.com', null],
    ['phone', '', null],
    ['email', ' Ann.Lee+news@Example.com', 'ann.lee@example.com'],
    ['email', '\ufeffann\u200b@example.com', 'ann@example.com'],
    ['email', 'ann@localhost', null],
    ['email', 'example.com', null],
    ['domain', 'Example.COM', 'example.com'],
    ['domain', '@example.com', 'example.com'],
    ['domain', 'mail.example.co.uk', 'mail.example.co.uk'],
    ['domain', '*.example.com', null],
    ['domain', 'com', null],
    ['domain', 'ann@example.com', null],
    ['domain', 'http://example.com', null],
    ['zip', '94110', '94110'],
    ['zip', '94110-1234', '94110-1234'],
    ['zip', 'm5v3l9', 'M5V 3L9'],
    ['zip', '9411', null],
    ['zip', '941*', null],
    ['phone', HASH, `#${HASH}`],
    ['email', HASH.toUpperCase(), `#${HASH}`],
    ['domain', ` ${HASH} `, `#${HASH}`],
    ['zip', HASH, `#${HASH}`],
    ['zip', HASH.slice(1), null],
    ['email', MD5.toUpperCase(), `#${MD5}`],
    ['phone', ` ${MD5}\u200b`, `#${MD5}`],
    ['domain', MD5, null],
    ['zip', MD5, null],
    // Hashes of nothing: of '', of 'null', and of a line break.
    ['email', 'd41d8cd98f00b204e9800998ecf8427e', null],
    ['phone', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', null],
    ['phone', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b', null],
    ['email', '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b', null],
    ['phone', `${HASH}0`, null],
    ['email', `${'a'.repeat(300)}@${'b'.repeat(100)}.com`, null],
  ])('of the kind %s reads %j as %s', (kind, text, expected) => {
    expect(normal(kind, text)).toBe(expected);
  });

  it('with `hashed` takes nothing but hashes', () => {
    expect(readListValue('phone', '+15555550123', { hashed: true })).toBeNull();
    expect(readListValue('phone', HASH, { hashed: true })).toEqual({ isHash: true, hex: HASH });
  });

  it('gives what it has read the same form again, and no value of any kind has the form of a hash', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.emailAddress(),
      fc.domain(),
      fc.string({ unit: fc.constantFrom('0', '1', '5', ' ', '-', '+', '(', ')'), maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 400 }),
    );
    let read = 0;
    fc.assert(
      fc.property(fc.constantFrom(...listKinds), text, (kind, given) => {
        const once = normal(kind, given);
        // Without its tag an address may end in a dot, which no address that is given may.
        if (once === null || (kind === 'email' && !isEmail(once))) return;
        read += 1;
        expect(normal(kind, once)).toBe(once);
        expect(once).not.toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: 5000 },
    );
    expect(read).toBeGreaterThan(200);
  });
});

describe('A value and its SHA-256', () => {
  it('have the same hash, a signed number of 64 bits', () => {
    expect(hashOfText('abc')).toBe('-5010229573455851542');
    fc.assert(
      fc.property(fc.string(), (text) => {
        const hash = BigInt(hashOfText(text));
        expect(BigInt.asIntN(64, hash)).toBe(hash);
      }),
    );
    expect(hashOfValue({ isHash: true, hex: HASH })).toBe(hashOfText('abc'));
  });
});

describe('The look-up of an address', () => {
  it('finds an entry with its tag, without it, and in any case', () => {
    expect(mailboxSpellings('Ann+x@Example.com')).toEqual(['ann+x@example.com', 'ann@example.com']);
    expect(mailboxSpellings('ann@example.com')).toEqual(['ann@example.com']);
    fc.assert(
      fc.property(fc.emailAddress().filter(isEmail), (email) => {
        expect(mailboxSpellings(email)).toContain(normal('email', email));
      }),
    );
  });

  it('finds its domain and those above, but no last label alone', () => {
    expect(domainsOf('ann@Mail.example.co.uk')).toEqual(['mail.example.co.uk', 'co.uk', 'example.co.uk']);
    expect(domainsOf('ann@example.com')).toEqual(['example.com']);
    // Domains with more labels than any in use have a bounded number of look-ups, and always their own.
    const deep = `${'a.'.repeat(60)}example.com`;
    expect(domainsOf(`ann@${deep}`)).toHaveLength(6);
    expect(domainsOf(`ann@${deep}`)).toContain(deep);
    expect(domainsOf(`ann@${deep}`)).toContain('example.com');
  });
});

describe('The look-up of a zip code', () => {
  it.each([
    ['94110', ['94110']],
    ['94110-1234', ['94110-1234', '94110']],
    ['M5V 3L9', ['M5V 3L9']],
  ])('of %s finds %j', (zip, expected) => {
    expect(zipSpellings(zip)).toEqual(expected);
  });
});
