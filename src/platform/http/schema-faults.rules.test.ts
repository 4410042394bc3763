import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { RequestFault } from './request-fault.ts';
import { buildValidator, invalidInput } from './validation.ts';

const Nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);
const schema = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: 5 }),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    color: Type.Optional(Type.Enum(['red', 'green'])),
    email: Type.Optional(Nullable(Type.String({ format: 'email' }))),
    url: Type.Optional(Nullable(Type.String({ pattern: '^https:' }))),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    list: Type.Optional(Type.Array(Type.String({ maxLength: 2 }), { maxItems: 2, uniqueItems: true })),
    nested: Type.Optional(Type.Object({ 'a/b~c': Type.Boolean() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
const validate = buildValidator({})({ schema, httpPart: 'body' });

function faults(body: unknown): string[] {
  if (validate(body) === true) return [];
  const fault = invalidInput(validate.errors ?? [], 'body');
  expect(fault).toBeInstanceOf(RequestFault);
  expect(fault.refusal).toMatchObject({ status: 422, code: 'validation_failed' });
  return (fault.refusal.errors ?? []).map(({ field, code }) => `${field}: ${code}`);
}

describe('The errors of a body', () => {
  it.each([
    [{ reason: 'abc' }, []],
    [
      {
        reason: 'abc',
        email: null,
        url: null,
        kind: 'a',
        color: 'red',
        count: 10,
        list: ['a', 'b'],
        nested: { 'a/b~c': true },
      },
      [],
    ],
    [{}, ['reason: required']],
    [{ reason: 5 }, ['reason: wrong_type']],
    [{ reason: null }, ['reason: wrong_type']],
    [{ reason: ['one'] }, ['reason: wrong_type']],
    [{ reason: '' }, ['reason: too_short']],
    [{ reason: 'abcdef' }, ['reason: too_long']],
    [{ reason: 'abc', extra: 1, more: 2 }, ['extra: unknown_field', 'more: unknown_field']],
    [{ reason: 'abc', kind: 'c' }, ['kind: not_allowed_value']],
    [{ reason: 'abc', color: 'blue' }, ['color: not_allowed_value']],
    [{ reason: 'abc', email: 'nobody' }, ['email: invalid_format']],
    [{ reason: 'abc', email: 7 }, ['email: wrong_type']],
    [{ reason: 'abc', url: 'http://a' }, ['url: invalid_format']],
    [{ reason: 'abc', count: 0 }, ['count: out_of_range']],
    [{ reason: 'abc', count: 1.5 }, ['count: wrong_type']],
    [{ reason: 'abc', count: '5' }, ['count: wrong_type']],
    [{ reason: 'abc', list: ['a', 'a'] }, ['list: not_unique']],
    [{ reason: 'abc', list: ['a', 'bcd', 'e'] }, ['list: too_long', 'list.1: too_long']],
    [{ reason: 'abc', nested: {} }, ['nested.a/b~c: required']],
    [{ reason: 'abc', nested: { 'a/b~c': 1, x: 1 } }, ['nested.x: unknown_field', 'nested.a/b~c: wrong_type']],
    [{ reason: 5, count: 99 }, ['reason: wrong_type', 'count: out_of_range']],
    [null, ['body: wrong_type']],
  ])('for %j are %j', (body, expected) => {
    expect(faults(body)).toEqual(expected);
  });

  it('are at most 50, and contain no value', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`member${index}`, 'jane@example.com']));
    expect(faults(body)).toHaveLength(50);
    validate({ reason: 'jane@example.com', email: 'jane at example' });
    expect(JSON.stringify(invalidInput(validate.errors ?? [], 'body').refusal)).not.toContain('jane');
  });
});
