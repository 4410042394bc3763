// The spelling that the browser gives values before it hashes them is the one that the service compares.
import { describe, expect, it } from 'vitest';

import { readListValue } from '../../src/lists/list-value.rules.ts';
import { hashValue, type ListKind, normalValue } from '../../web/ui/lists/normal-value.ts';

const VALUES: Readonly<Record<ListKind, readonly string[]>> = {
  phone: [
    ...[
      '+15555550123',
      ' (555) 555-0123 ',
      '555.555.0123',
      '1 555 555 0123',
      '011 44 20 7946 0958',
      '+44 20 7946 0958',
    ],
    ...[
      '5555550123',
      '0015555550123',
      '020 7946 0958',
      '12345',
      '+1 055 555 0123',
      '',
      'none',
      '555-555-0123 x4',
      '++15555550123',
      ...[
        '4155551001.0',
        '1415555100.0',
        '41555510010',
        '555-555-1001-4',
        '1415555100 / 2',
        '+442079460958.0',
        '00442079460958',
      ],
      ...[
        '555-555-0123 ext. 77',
        'tel:+1-555-555-0123;ext=4',
        '\u202a+1 555\u2011555\u00a00123\u202c',
        '＋１５５５５５５０１２３',
      ],
      ...[
        '(+44) 20 7946 0958',
        '+4791234567',
        '4791234567',
        '1 555 555 012 3',
        '555.555.012.3',
        'd41d8cd98f00b204e9800998ecf8427',
      ],
    ],
  ],
  email: [
    ...[
      'Jordan.Rivera+news@Example.COM',
      'jordan@example.com',
      '+tag@example.com',
      'a@b',
      'a b@example.com',
      '@example.com',
    ],
    ...[
      'a..b@example.com',
      'jordan@192.168.0.1',
      'jordan@example.co.uk',
      `${'x'.repeat(65)}@example.com`,
      "o'neil@example.com",
      '\ufeffjordan\u200b@example.com\u00a0',
      'jor\u2013dan@example.com',
    ],
  ],
  domain: ['Example.com', '@example.com', 'mail.example.co.uk', 'example', '-a.com', 'exa_mple.com', '1.2.3.4', ''],
  zip: ['94110', '94110-1234', '94110 1234', '941101234', 'm5v 3l9', 'M5V3L9', '9411', 'ABCDE'],
};

const CASES = Object.entries(VALUES).flatMap(([kind, texts]) => texts.map((text) => [kind as ListKind, text] as const));

describe('A value that the browser hashes', () => {
  it.each(CASES)('has the spelling that the service compares: %s "%s"', (kind, text) => {
    const read = readListValue(kind, text, { hashed: false });
    expect(normalValue(kind, text)).toBe(read === null ? null : read.isHash ? read.hex : read.text);
  });

  it('becomes the SHA-256 of that spelling, and a SHA-256 stays', async () => {
    // printf '+15555550123' | sha256sum
    const hash = '468a4b26753815290dc13ee82f453df24fd974c708542d1f3c497c7b4e7e4413';
    expect(await hashValue('phone', '(555) 555-0123')).toBe(hash);
    expect(await hashValue('phone', ` ${hash.toUpperCase()} `)).toBe(hash);
    expect(await hashValue('phone', 'nobody')).toBeNull();
  });
});
