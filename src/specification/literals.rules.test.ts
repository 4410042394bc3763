import { describe, expect, it } from 'vitest';

import { phpLiteral, pythonLiteral } from './literals.rules.ts';

const value = { name: 'O\'Neil \\ "x" $y', list: [1, null, true], none: {}, deep: { no: false } };

describe('JSON written as a literal', () => {
  it('of Python has True, False and None, and JSON strings', () => {
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

  it('of PHP has strings without interpolation', () => {
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
