import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { truncateRefusedBody, REFUSED_BODY_MAX } from './refused-body.rules.ts';

const kept = (text: string): string => truncateRefusedBody(text, true).rawBody ?? '';
/** The shortest result: at most one value, of four bytes per unit, and part of a character are cut away. */
const LEAST = REFUSED_BODY_MAX - 4 * 320 - 3;

describe('truncateRefusedBody', () => {
  it.each([0, 1, REFUSED_BODY_MAX - 1, REFUSED_BODY_MAX])('keeps a body of %i bytes', (length) => {
    const text = 'x'.repeat(length);
    expect(truncateRefusedBody(text, true)).toEqual({ rawBody: text, rawBodyBytes: null });
  });

  it('cuts a body of one byte more and returns its length', () => {
    const text = 'x'.repeat(REFUSED_BODY_MAX + 1);
    expect(truncateRefusedBody(text, true)).toEqual({
      rawBody: 'x'.repeat(REFUSED_BODY_MAX),
      rawBodyBytes: REFUSED_BODY_MAX + 1,
    });
  });

  it('returns only the length of a body that is not to be kept', () => {
    expect(truncateRefusedBody('{"full_name":"Zoë"}', false)).toEqual({ rawBody: null, rawBodyBytes: 20 });
  });

  it('cuts any body to a prefix, between characters and within the limit of bytes', () => {
    const special = fc.constantFrom('x', '"', ' ', 'é', '€', '😀', '\\', '\u2028');
    const unit = fc.oneof(special, fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }));
    const stretch = fc.tuple(unit, fc.integer({ min: 1, max: 1200 })).map(([one, times]) => one.repeat(times));
    const text = fc.array(stretch, { minLength: 8, maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (body) => {
        const { rawBody, rawBodyBytes } = truncateRefusedBody(body, true);
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

  it.each<[string, (value: string) => string]>([
    ['a value', (value) => `"email":"${value}","phone":"+1 202 555 0187"`],
    ['a number', (value) => `"email":"${value}","phone":12025550187`],
    ['a long text', (value) => `"notes":"${'once upon a time '.repeat(100)}${value} 2025550187 and so on`],
  ])('does not cut within %s that identifies a person', (_, rest) => {
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
