import { describe, expect, it } from 'vitest';

import { erasedFields } from '../leads/read-fields.rules.ts';
import { lookedUpValues } from './looked-up-values.rules.ts';
import { listKinds, type ListKind } from './list.ts';

const fields = {
  ...erasedFields,
  phone: '+15555550123',
  email: 'Ann+x@mail.example.com',
  own: {
    zip: { type: 'zip', value: '94110-1234' },
    second_phone: { type: 'phone', value: '+15555550124' },
    second_email: { type: 'email', value: 'bob@example.net', hidden: true },
    text: { type: 'text', value: '94111' },
    number: { type: 'integer', value: 94112 },
  },
} as const;

describe('The values of a lead that are looked up', () => {
  it('are its own contact, and the contacts and zip codes among the fields of its vertical', () => {
    expect(
      lookedUpValues(fields, new Set(listKinds)).map(({ kind, text, isOwnField }) => [kind, text, isOwnField]),
    ).toEqual([
      ['phone', '+15555550123', false],
      ['phone', '15555550123', false],
      ['phone', '5555550123', false],
      ['email', 'ann+x@mail.example.com', false],
      ['email', 'ann@mail.example.com', false],
      ['domain', 'mail.example.com', false],
      ['domain', 'example.com', false],
      ['zip', '94110-1234', true],
      ['zip', '94110', true],
      ['phone', '+15555550124', true],
      ['phone', '15555550124', true],
      ['phone', '5555550124', true],
      ['email', 'bob@example.net', true],
      ['domain', 'example.net', true],
    ]);
  });

  it.each<ListKind>(['phone', 'email', 'domain', 'zip'])('are of the kind %s where no list has another', (kind) => {
    const kinds = lookedUpValues(fields, new Set([kind])).map((value) => value.kind);
    expect(new Set(kinds)).toEqual(new Set([kind]));
  });

  it('are none of a lead without contact', () => {
    expect(lookedUpValues(erasedFields, new Set(listKinds))).toEqual([]);
  });
});
