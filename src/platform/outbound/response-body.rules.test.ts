import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snippetOf, jsonResponse } from './response-body.rules.ts';

const bytes = (...parts: Array<string | number[]>): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const whole = { maxBytes: 1024, cut: false };

describe('snippetOf', () => {
  it.each<[string, Buffer, string | null]>([
    ['plain text', bytes('thanks'), 'thanks'],
    ['nothing', bytes(), null],
    ['lines and tabs', bytes('a\r\n\tb\n'), 'a\n\tb\n'],
    ['NUL', bytes('a', [0], 'b'), 'ab'],
    ['only NUL', bytes([0, 0]), null],
    ['terminal sequences', bytes('\u001b[31mred\u0007\u007f'), '[31mred'],
    ['C1 controls', bytes('a\u0085\u009bb'), 'ab'],
    ['bytes that are no UTF-8', bytes('a', [0xff, 0xfe], 'b', [0xc3, 0x28]), 'a��b�('],
    ['a surrogate written as bytes', bytes([0xed, 0xa0, 0x80]), '���'],
    ['a byte order mark', bytes([0xef, 0xbb, 0xbf], 'a'), 'a'],
    ['letters beyond Latin', bytes('Grüße 漢 👍'), 'Grüße 漢 👍'],
    ['a body that really ends inside a character', bytes('a', [0xe6, 0xbc]), 'a�'],
  ])('keeps the readable part of %s', (_what, body, snippet) => {
    expect(snippetOf(body, whole)).toBe(snippet);
  });

  it('drops a character that was cut off by the limit', () => {
    expect(snippetOf(bytes('a', [0xe6, 0xbc]), { maxBytes: 3, cut: true })).toBe('a');
  });

  it('cuts at a code point', () => {
    expect(snippetOf(bytes('aaa👍'), { maxBytes: 6, cut: false })).toBe('aaa');
    expect(snippetOf(bytes('aaa👍'), { maxBytes: 7, cut: false })).toBe('aaa👍');
  });

  it('returns for any body whole text within the limit, without controls but line feed and tab', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        (body, maxBytes, cut) => {
          const snippet = snippetOf(body, { maxBytes, cut }) ?? '';
          expect(Buffer.byteLength(snippet)).toBeLessThanOrEqual(maxBytes);
          expect(snippet.isWellFormed()).toBe(true);
          expect(snippet).not.toMatch(/(?![\n\t])\p{Cc}/u);
        },
      ),
    );
  });
});

describe('The JSON of a response', () => {
  it('is returned with its members', () => {
    expect(jsonResponse(Buffer.from('{"code":21211,"text":"Zoë"}'))).toEqual({ code: 21_211, text: 'Zoë' });
  });

  it.each(['', '<html></html>', '[1]', '"text"', 'null', '{"a":'])('is rejected if it is %j', (text) => {
    expect(jsonResponse(Buffer.from(text))).toBeNull();
  });

  it('is rejected if the body is incomplete', () => {
    expect([jsonResponse(null), jsonResponse(undefined)]).toEqual([null, null]);
  });
});
