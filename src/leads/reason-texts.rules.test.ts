import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countries } from '../base/regions.ts';
import type { Members } from '../base/json.ts';
import { standardNames } from '../suppliers/field-mapping.rules.ts';
import { splitReason } from './field-errors.rules.ts';
import { fieldGuide, possibleErrors } from './field-guide.rules.ts';
import { knownReasons, describeReason, describeReasons } from './reason-texts.rules.ts';
import { validateLead } from './validate-lead.rules.ts';

const now = new Date('2026-11-20T18:00:00.000Z');
const minimal = { full_name: 'Ann Lee', email: 'ann@example.com' };

function errorsOf(body: Members): string[] {
  const verdict = validateLead(body, { regions: countries }, now);
  return verdict.ok ? [] : splitReason(verdict.reason);
}

describe('describeReason', () => {
  it('returns a meaning and a remedy for every known reason', () => {
    for (const reason of knownReasons) {
      const { meaning, remedy } = describeReason(reason);
      expect([reason, meaning]).toEqual([reason, expect.stringMatching(/^[A-Za-z].{10,}\.$/) as string]);
      expect([reason, remedy]).toEqual([reason, expect.stringMatching(/^[A-Z].{10,}\.$/) as string]);
    }
    expect(new Set(knownReasons).size).toBe(knownReasons.length);
  });

  it('knows every reason for which a submission can be rejected', () => {
    const anyValue = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('', '\0', 'x'.repeat(501), 'x'.repeat(2049), `https://a.example/${'x'.repeat(2040)}`),
    );
    const anyBody = fc.dictionary(fc.constantFrom(...standardNames), anyValue);
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(errorsOf(body).filter((error) => !knownReasons.includes(error))).toEqual([]);
      }),
    );
  });

  it('lists no reason that cannot occur', () => {
    const reported = new Set(errorsOf({}));
    for (const name of standardNames) {
      for (const value of [[], 'x'.repeat(2049)]) {
        for (const error of errorsOf({ ...minimal, [name]: value })) reported.add(error);
      }
    }
    const later = ['duplicate', 'no_buyer', 'suppressed', 'erased'];
    expect(knownReasons.filter((reason) => !reported.has(reason) && !later.includes(reason))).toEqual([]);
  });

  it('splits the errors of one submission', () => {
    expect(describeReasons('name required; phone invalid').map(({ reason }) => reason)).toEqual([
      'name required',
      'phone invalid',
    ]);
    expect(describeReasons(null)).toEqual([]);
  });

  it('returns an unknown reason as its own meaning', () => {
    expect(describeReason('paused').meaning).toBe('paused');
  });
});

describe('fieldGuide', () => {
  it.each(standardNames.map((name) => [name, fieldGuide[name]] as const))(
    'agrees with the validation of %s in example, maximum length and errors',
    (name, { example, lengthMax, type }) => {
      expect(errorsOf({ ...minimal, [name]: example })).toEqual([]);
      expect(errorsOf({ ...minimal, [name]: { not: 'a value' } })).toEqual([`${name} invalid`]);
      if (lengthMax === null) return;
      const long = (length: number): string =>
        type === 'URL' ? `https://a.example/${'x'.repeat(length - 18)}` : 'x'.repeat(length);
      expect(errorsOf({ ...minimal, [name]: long(lengthMax + 1) })).toEqual(possibleErrors(name).slice(-1));
      expect(errorsOf({ ...minimal, [name]: long(lengthMax) })).not.toContain(`${name} too long`);
    },
  );
});
