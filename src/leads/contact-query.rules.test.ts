import { describe, expect, it } from 'vitest';
import type { LeadFields } from './lead-fields.ts';
import { matchesContact, contactPatterns, type ContactQuery } from './contact-query.rules.ts';
import { erasedFields } from './read-fields.rules.ts';

const fieldsOf = (fields: Partial<LeadFields>): LeadFields => ({ ...erasedFields, ...fields });
const ann = fieldsOf({ email: 'Ann.Lee+debt@example.com', phone: '+15552000001' });
const phone = (digits: string, isWhole = false): ContactQuery => ({ kind: 'phone', digits, isWhole });
const email = (mailbox: string, isWhole = true): ContactQuery => ({ kind: 'email', mailbox, isWhole });

describe('matchesContact', () => {
  it.each<{ says: string; query: ContactQuery; is: boolean }>([
    { says: 'matches the end of the number', query: phone('0001'), is: true },
    { says: 'matches the whole number', query: phone('15552000001', true), is: true },
    { says: 'does not match the end of a number if the whole is given', query: phone('5552000001', true), is: false },
    { says: 'does not match digits in the middle', query: phone('2000'), is: false },
    { says: 'matches the mailbox in any spelling and with any tag', query: email('ann.lee@example.com'), is: true },
    { says: 'matches the beginning of an address', query: email('ann.lee@exa', false), is: true },
    {
      says: 'does not match the beginning of an address if the whole is given',
      query: email('ann.lee@example.co'),
      is: false,
    },
  ])('$says', ({ query, is }) => {
    expect(matchesContact([query], { fields: ann, refusedText: null })).toBe(is);
  });

  it.each<{ says: string; query: ContactQuery; is: boolean }>([
    { says: 'matches the number without country code', query: phone('15552000001', true), is: true },
    { says: 'does not match too few digits', query: phone('0001'), is: false },
    { says: 'matches an address', query: email('ann@example.com'), is: true },
  ])('$says in a rejected submission', ({ query, is }) => {
    const refusedText = '{"phone":"(555) 200-0001","note":"mail ANN+x@example.com"}';
    expect(matchesContact([query], { fields: null, refusedText })).toBe(is);
  });

  it('never matches an erased lead', () => {
    expect(matchesContact([phone('0001')], { fields: null, refusedText: null })).toBe(false);
  });
});

describe('A query by name', () => {
  const name = (...words: string[]): ContactQuery => ({ kind: 'name', words });
  const jose = fieldsOf({ fullName: 'José O’Brien-Muñoz' });
  it.each([
    [['jose'], true],
    [['munoz', 'jos'], true],
    [['obrien'], true],
    [['brien'], false],
    [['jose', 'lee'], false],
  ])('by %j', (words, is) => {
    expect(matchesContact([name(...words)], { fields: jose, refusedText: null })).toBe(is);
    expect(matchesContact([name(...words)], { fields: null, refusedText: '{"who":"José O’Brien-Muñoz' })).toBe(is);
  });

  it('has a pattern that finds every spelling of its longest word', () => {
    const apart: LeadFields = { ...jose, fullName: 'J. O.', firstName: 'José', lastName: 'Muñoz' };
    expect(matchesContact([name('jose', 'munoz')], { fields: apart, refusedText: null })).toBe(true);
    expect(contactPatterns(name('jo', 'munoz')).fields).toBe('%"fullname":"%m____%');
  });
});

describe('contactPatterns', () => {
  it('escapes LIKE wildcards', () => {
    expect(contactPatterns(email('a_b%c@example.com')).fields).toBe('%"email":"a\\_b\\%c%@example.com"%');
  });

  it('have a shape that fits a stored address in any case, and keeps what has no case', () => {
    expect(contactPatterns(email('ann_1@example.com', true)).shape).toBe('%"email":"___\\_1%@_______.___"%');
    expect(contactPatterns({ kind: 'name', words: ['ann'] }).shape).toBe('%');
  });

  it('searches digits in rejected bodies only if there are enough of them', () => {
    const ends = '%"phone":"+%0001"%';
    expect(contactPatterns(phone('0001'))).toEqual({ fields: ends, shape: ends, body: null, digits: null });
    expect(contactPatterns(phone('15552000001', true))).toEqual({
      fields: '%"phone":"+15552000001"%',
      shape: '%"phone":"+15552000001"%',
      body: null,
      digits: [...'5552000001'].join('[^0-9]*'),
    });
  });
});
