import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type DeliveryId, type LeadId, typeId } from '../../base/ids.ts';
import { readSearch, type TermRange, contactQuery } from './search-query.rules.ts';
import { searchTerms } from './search-terms.rules.ts';
import type { ContactQuery } from '../../leads/contact-query.rules.ts';

const UUID = '019f1d54-1a2b-7c3d-8e4f-5a6b7c8d9e0f';

function searchOf(text: string) {
  const reading = readSearch(text);
  if (!reading.ok) throw new Error(reading.code);
  return reading.parsed;
}

/** What PostgreSQL does in the order of code points, which is that of UTF-8. */
function finds(text: string, person: Parameters<typeof searchTerms>[0]): boolean {
  const before = (one: string, other: string): boolean => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
  const { name, nameFrom2, nameFrom3, nameFromLast, email, phone } = searchTerms(person);
  const terms = { name: [name, nameFrom2, nameFrom3, nameFromLast], email: [email], phone: [phone] };
  const { kind, ranges } = searchOf(text);
  const isIn = (term: string | null, { low, high }: TermRange): boolean =>
    term !== null && !before(term, low) && before(term, high);
  return ranges.length > 0 && ranges.every((range) => terms[kind].some((term) => isIn(term, range)));
}

const mary = { fullName: 'Mary Ann O’Smith-Núñez', email: 'Mary.Smith+ads@Example.com', phone: '+12025550123' };

describe('A search for a contact', () => {
  it.each([
    'mary',
    'MARY',
    'ann',
    'osm',
    'nunez',
    'nun mar',
    'mary o’smith',
    'Ann Mary',
    'm a',
    'mary.smith@example.com',
    'MARY.SMITH@EXAMPLE.COM',
    'mary.smith+other@example.com',
    'mary.smith@exam',
    'mary.s@'.replace('@', 'mith@'),
    '+12025550123',
    '+1 (202) 555-0123',
    '202.555.0123',
    '1-202-555-0123',
    '0012025550123',
    '011 1 202 555 0123',
    '2025550123',
    '5550123',
    '0123',
    '０１２３',
    '0123',
    '  0123 ',
  ])('finds the contact by %j', (text) => {
    expect(finds(text, mary)).toBe(true);
  });

  it.each([
    'ary',
    'smith',
    'marya',
    'mary bob',
    'mary.smith@example.co',
    'smith@example.com',
    '@example.com',
    '+442025550123',
    '07700 900123',
    '0124',
    '12025550123 0',
    '!!!',
    '%',
    '_____',
    '*',
  ])('does not find the contact by %j', (text) => {
    expect(finds(text, mary)).toBe(false);
  });

  it('finds any phone number by its end, in any spelling', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[1-9]\d{6,14}$/),
        fc.integer({ min: 4, max: 15 }),
        fc.constantFrom('', ' ', '-', '.'),
        (digits, length, between) => {
          const end = digits.slice(-length);
          // Then it is read as dialled from somewhere, and begins later.
          fc.pre(end.length < 9 || !end.startsWith('0'));
          expect(finds([...end].join(between), { fullName: '', email: null, phone: `+${digits}` })).toBe(true);
        },
      ),
    );
  });
});

describe('A search for a delivery', () => {
  it.each([
    ['LS-100042', { refNumber: 100_042, eventType: 'Lead Sale' }],
    ['ls100042', { refNumber: 100_042, eventType: 'Lead Sale' }],
    [' ca 100043 ', { refNumber: 100_043, eventType: 'Calendar Assigned' }],
    ['100042', { refNumber: 100_042, eventType: null }],
    [typeId('delivery', UUID as DeliveryId), { deliveryId: UUID }],
    [typeId('delivery', UUID as DeliveryId).toUpperCase(), { deliveryId: UUID }],
    ['+100042', null],
    ['LS-1000421000421000', null],
    [typeId('lead', UUID as LeadId), null],
    ['Jordan', null],
  ])('reads %j as %j', (text, delivery) => {
    expect(searchOf(text).delivery).toEqual(delivery);
  });

  it('also searches digits alone as the end of a phone number', () => {
    expect(searchOf('100042')).toMatchObject({
      kind: 'phone',
      ranges: [{ low: '240001', high: '240001\u{10FFFF}' }],
    });
  });
});

describe('A search text', () => {
  it.each(['1', '12 3', '+1', '(555)'])('rejects %j as too short', (text) => {
    expect(readSearch(text)).toEqual({ ok: false, code: 'too_short' });
  });

  it('reads any text, and passes nothing to the database that it rejects', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const reading = readSearch(text);
        if (!reading.ok) return;
        for (const { low } of reading.parsed.ranges) {
          expect(low).not.toContain('\0');
          expect(low.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('The contact query of a search text', () => {
  it.each<{ text: string; person: ContactQuery | null }>([
    { text: '+1 555 200 0001', person: { kind: 'phone', digits: '15552000001', isWhole: true } },
    { text: '0001', person: { kind: 'phone', digits: '0001', isWhole: false } },
    { text: 'Ann.Lee+debt@Example.com', person: { kind: 'email', mailbox: 'ann.lee@example.com', isWhole: true } },
    { text: 'ann.lee@', person: { kind: 'email', mailbox: 'ann.lee@', isWhole: false } },
    { text: 'ann', person: null },
    { text: 'ann lee', person: null },
    { text: 'LS-100042', person: null },
    { text: '', person: null },
  ])('$text', ({ text, person }) => {
    const reading = readSearch(text);
    expect(reading.ok && contactQuery(reading.parsed)).toEqual(person);
  });
});
