import { expect, it } from 'vitest';
import { isMembers, newMembers } from './json.ts';

it('an object has members; null, arrays and everything else have not', () => {
  for (const value of [{}, { a: 1 }, newMembers()]) expect(isMembers(value)).toBe(true);
  for (const value of [null, undefined, [], 'a', 1, true]) expect(isMembers(value)).toBe(false);
});

it('every name is a member like any other', () => {
  const members = newMembers();
  members['__proto__'] = { a: 1 };
  expect(Object.getPrototypeOf(members)).toBeNull();
  expect(Object.keys(members)).toEqual(['__proto__']);
  expect('a' in members).toBe(false);
  expect('toString' in newMembers()).toBe(false);
});
