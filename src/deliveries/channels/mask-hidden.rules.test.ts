import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { escapeHtml } from '../../base/escape-html.ts';
import { maskHidden } from './mask-hidden.rules.ts';

const SECRET = `tok_abc"<&>'/+é=\\x%41 😀`;

type Escape = (text: string) => string;

const inJson: Escape = (text) => JSON.stringify(text).slice(1, -1);
/** As encoders do that are afraid of HTML, or write ASCII only. */
const inAsciiJson: Escape = (text) =>
  inJson(text).replaceAll(/[<>&'=+\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const decimal: Escape = (text) => [...text].map((one) => `&#${one.codePointAt(0)};`).join('');
const hexadecimal: Escape = (text) =>
  [...text].map((one) => `&#x00${one.codePointAt(0)?.toString(16).toUpperCase()};`).join('');
const inForm: Escape = (text) => new URLSearchParams({ a: text }).toString().slice(2);
const lowerPercent: Escape = (text) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase());

const ESCAPES: Readonly<Record<string, Escape>> = {
  'as it is': (text) => text,
  'in JSON': inJson,
  'in JSON with slashes escaped': (text) => inJson(text).replaceAll('/', '\\/'),
  'in JSON in ASCII': inAsciiJson,
  'in JSON in ASCII, in capitals': (text) =>
    inAsciiJson(text).replaceAll(/\\u..../g, (code) => `\\u${code.slice(2).toUpperCase()}`),
  'in JSON in a text of JSON': (text) => inJson(inJson(text)),
  'in ASCII JSON in ASCII JSON in JSON': (text) => inJson(inAsciiJson(inAsciiJson(text))),
  'percent-encoded': encodeURIComponent,
  'percent-encoded in small letters': lowerPercent,
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in a form': inForm,
  'in a form in JSON': (text) => inJson(inForm(text)),
  'in HTML': escapeHtml,
  'in HTML twice': (text) => escapeHtml(escapeHtml(text)),
  'in JSON in HTML': (text) => escapeHtml(inJson(text)),
  'as decimal entities': decimal,
  'as hexadecimal entities': hexadecimal,
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 in ASCII JSON': (text) => inAsciiJson(Buffer.from(text).toString('base64')),
  'in base64 in a URL': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'in hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

describe('maskHidden', () => {
  it.each(Object.entries(ESCAPES))('masks a secret %s, and nothing beside it', (_how, escape) => {
    const text = `{"why":"bad token","token":"${escape(SECRET)}","again":"${escape(SECRET)}"} é%20&amp;\\u003d`;
    expect(maskHidden(text, [SECRET])).toBe('{"why":"bad token","token":"••••","again":"••••"} é%20&amp;\\u003d');
  });

  it('masks the answer that showed a secret but for one character', () => {
    const secret = `tok_abcdefgh"<&>'/+é`;
    const answer = String.raw`{"why":"bad token","token":"tok_abcdefgh\"\u003c\u0026\u003e\u0027/\u002b\u00e9"}`;
    expect(maskHidden(answer, [secret])).toBe('{"why":"bad token","token":"••••"}');
  });

  it('masks any secret in any two escapes', () => {
    const secrets = fc
      .string({ unit: 'grapheme', minLength: 6, maxLength: 30 })
      .filter((text) => !/^[\s\\]|[\s\\]$/.test(text));
    const escapes = fc.constantFrom(inJson, inAsciiJson, encodeURIComponent, escapeHtml, decimal);
    fc.assert(
      fc.property(secrets, escapes, escapes, (secret, inner, outer) => {
        expect(maskHidden(`<<${outer(inner(secret))}>>`, [secret])).toBe('<<••••>>');
      }),
    );
  });

  it('leaves a text without the secret alone', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\\', '"', '%', '2', '5', '&', 'amp;', 'u0061'), maxLength: 60 }),
        (text) => {
          expect(maskHidden(text, ['never-in-there'])).toBe(text);
        },
      ),
    );
  });

  it.each([
    ['shorter than four characters', 'abc abc', ['abc'], 'abc abc'],
    ['inside of a longer one', 'xtokenyy token', ['token', 'xtokenyy'], '•••• ••••'],
    ['with a lone surrogate', 'a \\ud800bcd', ['\ud800bcd'], 'a ••••'],
  ])('masks a secret %s as it should', (_what, text, secrets, masked) => {
    expect(maskHidden(text, secrets)).toBe(masked);
  });

  it('stops where enough is shown', () => {
    const masked = maskHidden(`${SECRET} `.repeat(2_000), [SECRET], 100);
    expect(masked).toBe('•••• '.repeat(20));
    expect(maskHidden('x'.repeat(200), [SECRET], 100)).toHaveLength(100);
  });

  it('decodes each position of a text once, whatever the text repeats', () => {
    for (const text of [`${'\\'.repeat(50)}a`.repeat(400), '%25'.repeat(8_000), '&amp;'.repeat(5_000)]) {
      expect(maskHidden(text, ['\\a\\a\\a\\a\\a\\b', '%25%25%25%25%2525!', '&amp;&amp;!'])).toBe(text);
    }
  });
});
