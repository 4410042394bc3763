import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmail, resemblesEmail } from './email.rules.ts';

const label63 = 'd'.repeat(63);
// 64 characters, "@", and 189 more.
const whole254 = `${'l'.repeat(64)}@${label63}.${label63}.${'e'.repeat(57)}.com`;

describe('isEmail and resemblesEmail', () => {
  it.each([
    'a@b.co',
    'ann.lee+x@example.com',
    'a.b.c@example.co.uk',
    "!#$%&'*+-/=?^_`{|}~@example.com",
    '-a-@example.com',
    '1@2.3d',
    'a@1.2.3.4x',
    'a@xn--bcher-kva.example',
    'a@example.xn--p1ai',
    'a@a--b.co',
    `${'l'.repeat(64)}@example.com`,
    `a@${label63}.com`,
    whole254,
  ])('accept %s as an email address', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    ['an empty text', ''],
    ['no sign', 'example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'a@'],
    ['two signs', 'a@b@example.com'],
    ['a leading dot', '.ann@example.com'],
    ['a trailing dot', 'ann.@example.com'],
    ['a double dot', 'ann..lee@example.com'],
    ['a local part of 65 characters', `${'l'.repeat(65)}@example.com`],
    ['a quoted local part', '"ann lee"@example.com'],
    ['a space', 'ann lee@example.com'],
    ['a line break at the end', 'ann@example.com\n'],
    ['a local part beyond ASCII', 'ánn@example.com'],
    ['a domain beyond ASCII', 'ann@bücher.example'],
    ['one label', 'ann@localhost'],
    ['an empty label', 'ann@example..com'],
    ['a leading dot in the domain', 'ann@.example.com'],
    ['a trailing dot in the domain', 'ann@example.com.'],
    ['a label that begins with a hyphen', 'ann@-example.com'],
    ['a label that ends with a hyphen', 'ann@example-.com'],
    ['a last label that ends with a hyphen', 'ann@example.com-'],
    ['an underscore in the domain', 'ann@exa_mple.com'],
    ['a label of 64 characters', `ann@${label63}d.com`],
    ['a last label of digits', 'ann@example.123'],
    ['an IP address', 'ann@192.0.2.1'],
    ['an IP address in brackets', 'ann@[192.0.2.1]'],
    ['255 characters', `${whole254}m`],
  ])('reject %s as an email address', (_, text) => {
    expect(isEmail(text)).toBe(false);
  });

  /** The same rule, told label by label. */
  function isEmailByParts(text: string): boolean {
    const [local = '', domain = '', ...rest] = text.split('@');
    const labels = domain.split('.');
    return (
      rest.length === 0 &&
      text.length <= 254 &&
      local.length <= 64 &&
      local.split('.').every((atom) => /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+$/.test(atom)) &&
      labels.length >= 2 &&
      labels.every(
        (label) => /^[A-Za-z0-9-]{1,63}$/.test(label) && !label.startsWith('-') && !label.endsWith('-') && label !== '',
      ) &&
      !/^\d+$/.test(labels.at(-1) ?? '')
    );
  }

  it('agree with a check that splits the address into labels', () => {
    const part = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'Z', '7', '-', '.', '+', '_', 'é', ' '), minLength: 0, maxLength: 6 }),
      fc.constantFrom('a'.repeat(62), 'a'.repeat(63), 'a'.repeat(64), '123', 'com'),
    );
    const domain = fc.array(part, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
    const address = fc
      .tuple(part, fc.constantFrom('@', '@', '@', '@', '@@', ''), domain)
      .map(([local, sign, rest]) => `${local}${sign}${rest}`);
    let taken = 0;
    fc.assert(
      fc.property(address, (text) => {
        taken += isEmail(text) ? 1 : 0;
        expect(isEmail(text)).toBe(isEmailByParts(text));
      }),
      { numRuns: 5000 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  it('reject texts of a million characters', () => {
    for (const text of ['a'.repeat(1e6), `${'a.'.repeat(5e5)}@b.co`, `a@${'b.'.repeat(5e5)}`])
      expect(isEmail(text)).toBe(false);
  });

  it.each([
    ['ann@example.com', true],
    ['ann..lee@example.com', true],
    ['ánn@bücher', true],
    ['ann', false],
    ['ann@', false],
    ['ann lee@example.com', false],
    ['ann@example.com ', false],
    ['a@b@c', false],
  ])('decide whether %s may stand in stored data: %s', (text, expected) => {
    expect(resemblesEmail(text)).toBe(expected);
  });
});
