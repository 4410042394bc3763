import { describe, expect, it } from 'vitest';

import { textFaults } from './text-faults.rules.ts';

const fieldsOf = (value: unknown): string[] => textFaults(value).map(({ field, code }) => `${field} ${code}`);

describe('The texts of a request', () => {
  it.each([
    [{}],
    [{ a: 'x', b: ['😀', '\u{10ffff}'], c: { d: null, e: 5, f: true } }],
    [{ label: '\u0001\u007f\u2028\ufffe\ufffd' }],
    [undefined],
    [null],
  ])('are accepted unchanged in %j', (value) => {
    expect(textFaults(value)).toEqual([]);
  });

  it.each<[unknown, string[]]>([
    [{ a: '\0' }, ['a invalid_format']],
    [{ a: 'x\ud800' }, ['a invalid_format']],
    [{ a: '\udc00\ud800' }, ['a invalid_format']],
    [{ a: ['fine', 'x\0y'], b: { c: [{ d: '\udfff' }] } }, ['a.1 invalid_format', 'b.c.0.d invalid_format']],
    [{ 'a\0': 1, b: { '\ud800': null } }, ['a\0 invalid_format', 'b.\ud800 invalid_format']],
    [{ constructor: '\0', toString: '\0' }, ['constructor invalid_format', 'toString invalid_format']],
  ])('in %j are rejected if they cannot be stored', (value, fields) => {
    expect(fieldsOf(value)).toEqual(fields);
  });

  it('are rejected with a limited number of errors', () => {
    expect(textFaults(Array.from({ length: 500 }, () => '\0'))).toHaveLength(50);
    expect(textFaults(Array.from({ length: 500 }, () => ({ a: '\0' })))).toHaveLength(50);
  });
});
