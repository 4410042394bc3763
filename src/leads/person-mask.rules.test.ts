import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type NamedPerson, withoutPerson } from './person-mask.rules.ts';

const person: NamedPerson = {
  fullName: 'Jordan de Rivera',
  email: 'Jordan.Rivera+forms@mail.example',
  phone: '+12025550187',
  businessName: 'Rivera & Sons',
};

describe('A text without the person', () => {
  test.each([
    ['I, Jordan de Rivera, agree.', 'I, [erased], agree.'],
    ['Mr. RIVERA never answered', 'Mr. [erased] never answered'],
    ['jordan.rivera+FORMS@mail.example bounced', '[erased] bounced'],
    ['call +12025550187', 'call [erased]'],
    ['call (202) 555-0187.', 'call [erased].'],
    ['call 1-202-555-0187 or 202.555.0187', 'call [erased] or [erased]'],
    ['https://a.example/?n=Jordan+de+Rivera&x=1', 'https://a.example/?n=[erased]&x=1'],
    ['https://a.example/?n=Jordan%20de%20Rivera', 'https://a.example/?n=[erased]'],
    ['?mail=Jordan.Rivera%2Bforms%40mail.example&phone=%2B12025550187', '?mail=[erased]&phone=[erased]'],
    ['?mail=Jordan.Rivera%2Bforms@mail.example', '?mail=[erased]'],
    ['from Rivera & Sons', 'from [erased]'],
  ])('%j → %j', (text, left) => {
    expect(withoutPerson(text, person)).toBe(left);
  });

  test.each([
    'The line is dead.',
    'The river Jordanian',
    'lead 120255501870 of the batch',
    'A-1001',
    'de facto',
    'somebody@mail.example',
  ])('%j stays as it is', (text) => {
    expect(withoutPerson(text, person)).toBe(text);
  });

  test('takes every name for a text, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 3, maxLength: 30 }), fc.string(), (name, around) => {
        const nobody = { email: null, phone: null, businessName: null };
        const text = withoutPerson(`${around}${name}`, { ...nobody, fullName: name });
        expect(typeof text).toBe('string');
        expect(withoutPerson(name, { ...nobody, fullName: name })).not.toBe(name === '[erased]' ? '' : name);
      }),
    );
  });
});
