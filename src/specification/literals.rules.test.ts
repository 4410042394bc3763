import { describe, expect, test } from 'vitest';

import { phpLiteral, pythonLiteral } from './literals.rules.ts';

const value = { name: 'O\'Neil \\ "x" $y', list: [1, null, true], none: {}, deep: { no: false } };

describe('JSON as a literal', () => {
  test('of Python has its own words and JSON’s texts', () => {
    expect(pythonLiteral(value)).toBe(`{
    "name": "O'Neil \\\\ \\"x\\" $y",
    "list": [
        1,
        None,
        True,
    ],
    "none": {},
    "deep": {
        "no": False,
    },
}`);
  });

  test('of PHP has texts in which nothing is replaced', () => {
    expect(phpLiteral(value)).toBe(`[
    'name' => 'O\\'Neil \\\\ "x" $y',
    'list' => [
        1,
        null,
        true,
    ],
    'none' => [],
    'deep' => [
        'no' => false,
    ],
]`);
  });
});
