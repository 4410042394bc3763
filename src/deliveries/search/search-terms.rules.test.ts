import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nameWords } from '../../leads/name-words.ts';
import { reversedDigits, searchTerms } from './search-terms.rules.ts';

const nobody = { fullName: '', email: null, phone: null };
const nothing = {
  name: null,
  nameFrom2: null,
  nameFrom3: null,
  nameFromLast: null,
  email: null,
  phone: null,
};

describe('The words of a name', () => {
  it.each([
    ['Jordan Rivera', ['jordan', 'rivera']],
    ['  JORDAN\t rivera ', ['jordan', 'rivera']],
    ['José Núñez', ['jose', 'nunez']],
    ['Jose\u0301', ['jose']],
    ['Siobhán O’Brien', ['siobhan', 'obrien']],
    ["O'Brien-Smith", ['obrien', 'smith']],
    ['Ｊｏｒｄａｎ', ['jordan']],
    ['İpek Işık', ['ipek', 'isık']],
    ['Οδυσσεύς', ['οδυσσευσ']],
    ['ΟΔΥΣΣΕΥΣ', ['οδυσσευσ']],
    ['Łukasz Ångström', ['łukasz', 'angstrom']],
    ['王小明', ['王小明']],
    ['Мария Иванова', ['мария', 'иванова']],
    ['Person 12', ['person', '12']],
    ["Robert'); DROP TABLE lead;--", ['robert', 'drop', 'table', 'lead']],
    ['100%_sure', ['100', 'sure']],
    ['', []],
    ['\u200b … 🙂', []],
    ['a b c d e f g h', ['a', 'b', 'c', 'd', 'e', 'f']],
  ])('of %j are %j', (text, words) => {
    expect(nameWords(text)).toEqual(words);
  });
});

describe('The search terms of a contact', () => {
  it('are the mailbox and the reversed phone number', () => {
    expect(searchTerms({ fullName: '', email: 'Mary.Smith+forms@Example.com', phone: '+12025550123' })).toEqual({
      ...nothing,
      email: 'mary.smith@example.com',
      phone: '32105552021',
    });
  });

  it.each([
    ['', nothing],
    ['Ann', { ...nothing, name: 'ann' }],
    ['Ann Lee', { ...nothing, name: 'ann lee', nameFromLast: 'lee ann' }],
    ['Ann M. Lee', { ...nothing, name: 'ann m lee', nameFrom2: 'm lee ann', nameFromLast: 'lee ann m' }],
    [
      'Ana de la Cruz Gil',
      {
        ...nothing,
        name: 'ana de la cruz gil',
        nameFrom2: 'de la cruz gil ana',
        nameFrom3: 'la cruz gil ana de',
        nameFromLast: 'gil ana de la cruz',
      },
    ],
  ])('of %j are its rotations', (fullName, terms) => {
    expect(searchTerms({ ...nobody, fullName })).toEqual(terms);
  });

  it('of any name fit into an index, are valid in the database, and begin with each of its first and last words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (fullName) => {
        const terms = Object.values(searchTerms({ ...nobody, fullName })).filter((term) => term !== null);
        for (const term of terms) {
          expect(Buffer.byteLength(term)).toBeLessThanOrEqual(4 * 60);
          expect(term).not.toMatch(/[\p{Cc}%_\\]/u);
          expect(term.isWellFormed()).toBe(true);
        }
        const words = nameWords(fullName);
        for (const word of [...words.slice(0, 3), ...words.slice(-1)]) {
          expect(terms.some((term) => term.startsWith([...word].slice(0, 50).join('')))).toBe(true);
        }
      }),
    );
  });
});

describe('The digits of a phone number', () => {
  it('reverses only the digits of a phone number', () => {
    expect(reversedDigits('+1 (202) 555-0123')).toBe('32105552021');
  });
});
