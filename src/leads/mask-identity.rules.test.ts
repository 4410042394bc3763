import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Identity, maskIdentity } from './mask-identity.rules.ts';

const person: Identity = {
  fullName: 'Jordan de Rivera',
  email: 'Jordan.Rivera+forms@mail.example',
  phone: '+12025550187',
  businessName: 'Rivera & Sons',
};

describe('maskIdentity', () => {
  it.each([
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
  ])('turns %j into %j', (text, left) => {
    expect(maskIdentity(text, person)).toBe(left);
  });

  it('knows the parts of a name that are not in the full name', () => {
    const apart: Identity = {
      ...person,
      fullName: 'J. Rivera',
      firstName: 'Jordan',
      middleName: 'Quill',
      lastName: 'de Rivera',
    };
    expect(maskIdentity('Jordan Quill (Rivera)', apart)).toBe('[erased] [erased] ([erased])');
  });

  it.each([
    'The line is dead.',
    'The river Jordanian',
    'lead 120255501870 of the batch',
    'A-1001',
    'de facto',
    'somebody@mail.example',
  ])('does not change %j', (text) => {
    expect(maskIdentity(text, person)).toBe(text);
  });

  it('treats every name as literal text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 3, maxLength: 30 }), fc.string(), (name, around) => {
        const nobody = { email: null, phone: null, businessName: null };
        const text = maskIdentity(`${around}${name}`, { ...nobody, fullName: name });
        expect(typeof text).toBe('string');
        expect(maskIdentity(name, { ...nobody, fullName: name })).not.toBe(name === '[erased]' ? '' : name);
      }),
    );
  });
});
