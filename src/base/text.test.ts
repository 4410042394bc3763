import { describe, expect, it } from 'vitest';
import { isBlank, plainNumber, plainText, trimmed, withoutHidden, withVisibleMarks } from './text.ts';

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

describe('trimmed', () => {
  it.each([
    [' \u200e\ufeffAnn\u00a0\u202c ', 'Ann'],
    ['a\u200db', 'a\u200db'],
    ['\u0d28\u0d4d\u200d', '\u0d28\u0d4d\u200d'],
    ['x\u200d', 'x'],
    ['\u2764\ufe0f', '\u2764\ufe0f'],
    ['\u200b', ''],
    ['\u200b'.repeat(200_000), ''],
    [`a${' '.repeat(200_000)}b`, `a${' '.repeat(200_000)}b`],
  ])('takes the ends off %j', (text, expected) => {
    expect(trimmed(text)).toBe(expected);
  });
});

describe('plainText, plainNumber and withVisibleMarks', () => {
  it('read look-alikes as ASCII, show what cannot be seen, and leave ASCII as it is', () => {
    expect(plainText('\u202a\uff0b1\u00a0\u2060a\u2013b ')).toBe('+1 a\u2013b');
    expect(plainNumber('1\u2011\u22122')).toBe('1--2');
    expect(withVisibleMarks('+1\u2011\u200b\u00a0é\u{e0041}-\uff11')).toBe(
      '+1[U+2011][U+200B][U+00A0]é[U+E0041]-[U+FF11]',
    );
    for (const change of [plainText, plainNumber, trimmed, withoutHidden, withVisibleMarks])
      expect(change('+1 a-b')).toBe('+1 a-b');
    expect(withoutHidden('de\u200c\u200bbt\u00ad')).toBe('de\u200cbt');
  });
});
