import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { keptOfRefusedBody, REFUSED_BODY_MAX } from './refused-body.rules.ts';

const kept = (text: string): string => keptOfRefusedBody(text, true).rawBody ?? '';
/** What is cut away at most so that no value is cut in half, four bytes for each unit, and a part of a character. */
const LEAST = REFUSED_BODY_MAX - 4 * 320 - 3;

describe('The body of a refused submission', () => {
  test.each([0, 1, REFUSED_BODY_MAX - 1, REFUSED_BODY_MAX])('of %i bytes is kept whole', (length) => {
    const text = 'x'.repeat(length);
    expect(keptOfRefusedBody(text, true)).toEqual({ rawBody: text, rawBodyBytes: null });
  });

  test('of one byte more is cut, and its length in bytes is known', () => {
    const text = 'x'.repeat(REFUSED_BODY_MAX + 1);
    expect(keptOfRefusedBody(text, true)).toEqual({
      rawBody: 'x'.repeat(REFUSED_BODY_MAX),
      rawBodyBytes: REFUSED_BODY_MAX + 1,
    });
  });

  test('that is not to be kept leaves its length', () => {
    expect(keptOfRefusedBody('{"full_name":"Zoë"}', false)).toEqual({ rawBody: null, rawBodyBytes: 20 });
  });

  test('is cut to a beginning of itself, in bytes and between characters, whatever is in it', () => {
    const special = fc.constantFrom('x', '"', ' ', 'é', '€', '😀', '\\', '\u2028');
    const unit = fc.oneof(special, fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }));
    const stretch = fc.tuple(unit, fc.integer({ min: 1, max: 1200 })).map(([one, times]) => one.repeat(times));
    const text = fc.array(stretch, { minLength: 8, maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (body) => {
        const { rawBody, rawBodyBytes } = keptOfRefusedBody(body, true);
        const bytes = Buffer.byteLength(body);
        const isCut = bytes > REFUSED_BODY_MAX;
        const length = Buffer.byteLength(rawBody ?? '');
        expect([rawBodyBytes, body.startsWith(rawBody ?? '-'), rawBody?.isWellFormed()]).toEqual([
          isCut ? bytes : null,
          true,
          true,
        ]);
        expect(length).toBeLessThanOrEqual(REFUSED_BODY_MAX);
        expect(length).toBeGreaterThanOrEqual(isCut ? LEAST : bytes);
      }),
    );
  });

  test.each<[string, (value: string) => string]>([
    ['a value', (value) => `"email":"${value}","phone":"+1 202 555 0187"`],
    ['a number', (value) => `"email":"${value}","phone":12025550187`],
    ['a long text', (value) => `"notes":"${'once upon a time '.repeat(100)}${value} 2025550187 and so on`],
  ])('is not cut within %s that names a person', (_, rest) => {
    const value = 'quillon.brightwater@canary-mail.example';
    const behind = `${rest(value)}${' more'.repeat(2000)}"}`;
    const cuts = Array.from({ length: REFUSED_BODY_MAX - 6000 }, (_zero, index) =>
      kept(`{"a":"${'x'.repeat(6000 + index)}",${behind}`),
    );
    const halves = cuts.filter(
      (body) =>
        (body.includes('quill') && !body.includes(value)) ||
        (body.includes('202') && !/2025550187|202 555 0187/.test(body)),
    );
    expect(halves).toEqual([]);
  });
});
