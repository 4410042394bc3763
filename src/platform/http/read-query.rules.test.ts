import { describe, expect, it } from 'vitest';

import { readQuery } from './read-query.rules.ts';

const schema = {
  properties: {
    page: { type: 'integer', default: 1 },
    test: { type: 'boolean' },
    status: { type: 'string' },
  },
};

describe('A query', () => {
  it('is read with defaults for missing parameters and without undeclared ones', () => {
    expect(readQuery(schema, { other: 'x', more: ['1', '2'] })).toEqual({ value: { page: 1 }, faults: [] });
  });

  it.each(['0', '1', '25', '-3', '999999999999999'])('is read with %j as a whole number', (text) => {
    expect(readQuery(schema, { page: text })).toEqual({ value: { page: Number(text) }, faults: [] });
  });

  it.each([
    '1.0',
    '1.5',
    '1e1',
    '0x10',
    '0b1',
    '+5',
    ' 5',
    '5 ',
    '05',
    '-0',
    '00',
    '--1',
    '1,000',
    '1_000',
    'one',
    'NaN',
    'Infinity',
    'null',
    'true',
    '[]',
    '٣',
    '１',
    '1\u0000',
    '5\n',
    '9999999999999999',
    '1e400',
    '-',
  ])('is rejected with %j as a whole number', (text) => {
    const { value, faults } = readQuery(schema, { page: text });
    expect(value).toEqual({});
    expect(faults).toMatchObject([{ field: 'page', code: 'wrong_type' }]);
  });

  it.each([
    { given: { page: ['1', '2'] }, code: 'repeated' },
    { given: { page: ['1', '1'] }, code: 'repeated' },
    { given: { page: '' }, code: 'empty' },
    { given: { test: 'yes' }, code: 'wrong_type' },
    { given: { test: 'TRUE' }, code: 'wrong_type' },
    { given: { status: '' }, code: 'empty' },
    { given: { status: ['a', 'b'] }, code: 'repeated' },
    { given: { status: 'a\0' }, code: 'invalid_format' },
    { given: { status: '\ud800' }, code: 'invalid_format' },
  ])('$given is rejected with $code', ({ given, code }) => {
    expect(readQuery(schema, given).faults.map((fault) => fault.code)).toEqual([code]);
  });

  it('is read with an empty text only where the schema says that one may be empty', () => {
    const query = { type: 'string', minLength: 0 };
    expect(readQuery({ properties: { query } }, { query: '' })).toEqual({ value: { query: '' }, faults: [] });
    const pages = { type: 'integer', minLength: 0 };
    expect(readQuery({ properties: { pages } }, { pages: '' }).faults).toMatchObject([{ code: 'wrong_type' }]);
  });

  it('is rejected with every invalid parameter', () => {
    const { faults } = readQuery(schema, { page: 'x', test: '', status: ['a', 'b'] });
    expect(faults.map(({ field }) => field)).toEqual(['page', 'test', 'status']);
  });
});
