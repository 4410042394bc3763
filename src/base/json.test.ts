import { describe, expect, it } from 'vitest';
import { isMembers, newMembers } from './json.ts';

describe('isMembers and newMembers', () => {
  it('recognise objects, and neither null nor arrays nor other values', () => {
    for (const value of [{}, { a: 1 }, newMembers()]) expect(isMembers(value)).toBe(true);
    for (const value of [null, undefined, [], 'a', 1, true]) expect(isMembers(value)).toBe(false);
  });

  it('treat every name as an ordinary member, __proto__ included', () => {
    const members = newMembers();
    members['__proto__'] = { a: 1 };
    expect(Object.getPrototypeOf(members)).toBeNull();
    expect(Object.keys(members)).toEqual(['__proto__']);
    expect('a' in members).toBe(false);
    expect('toString' in newMembers()).toBe(false);
  });
});
