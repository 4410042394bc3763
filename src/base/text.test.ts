import { describe, expect, it } from 'vitest';
import { isBlank } from './text.ts';

describe('isBlank', () => {
  it.each([
    '',
    ' \t\r\n',
    '\u00a0\u2003\u3000',
    '\u200b\u200c\u200d\u2060\ufeff',
    '\u00ad\u034f\u061c\u180e',
    '\u115f\u1160\u3164\uffa0',
    '\u202a\u202e\u2066\u2069',
    '\ufe0f\u{e0101}\u{e0041}',
    '\u0001\u001f\u007f\u0085',
    '\u2800 \ufff9',
  ])('returns true for %j, which shows nothing', (text) => {
    expect(isBlank(text)).toBe(true);
  });

  it.each(['a', ' x ', '\u200bx', '\u{1f44d}', '.', '\u0301', '\0', ' \0', '\ud800', '\ufffd'])(
    'returns false for %j',
    (text) => {
      expect(isBlank(text)).toBe(false);
    },
  );
});
