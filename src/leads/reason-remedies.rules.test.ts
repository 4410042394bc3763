import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countries } from '../base/regions.ts';

import type { Members } from '../base/members.ts';
import { standardNames } from '../suppliers/field-mapping.rules.ts';
import { faultsOf } from './faults.rules.ts';
import { fieldGuide, possibleFaults } from './field-guide.rules.ts';
import { knownReasons, reasonInWords, reasonsInWords } from './reason-remedies.rules.ts';
import { validateLead } from './validate-lead.rules.ts';

const now = new Date('2026-11-20T18:00:00.000Z');
const minimal = { full_name: 'Ann Lee', email: 'ann@example.com' };

function faults(body: Members): string[] {
  const verdict = validateLead(body, countries, now);
  return verdict.ok ? [] : faultsOf(verdict.reason);
}

describe('Reasons in words', () => {
  test('are complete and have a remedy each', () => {
    for (const reason of knownReasons) {
      const { meaning, remedy } = reasonInWords(reason);
      expect([reason, meaning]).toEqual([reason, expect.stringMatching(/^[A-Za-z].{10,}\.$/) as string]);
      expect([reason, remedy]).toEqual([reason, expect.stringMatching(/^[A-Z].{10,}\.$/) as string]);
    }
    expect(new Set(knownReasons).size).toBe(knownReasons.length);
  });

  test('are known for whatever a submission can be refused for', () => {
    const anyValue = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('', '\0', 'x'.repeat(501), 'x'.repeat(2049), `https://a.example/${'x'.repeat(2040)}`),
    );
    const anyBody = fc.dictionary(fc.constantFrom(...standardNames), anyValue);
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(faults(body).filter((fault) => !knownReasons.includes(fault))).toEqual([]);
      }),
    );
  });

  test('name nothing that cannot happen', () => {
    const reported = new Set(faults({}));
    for (const name of standardNames) {
      for (const value of [[], 'x'.repeat(2049)]) {
        for (const fault of faults({ ...minimal, [name]: value })) reported.add(fault);
      }
    }
    const later = ['duplicate', 'no_buyer', 'erased'];
    expect(knownReasons.filter((reason) => !reported.has(reason) && !later.includes(reason))).toEqual([]);
  });

  test('tell every fault of one submission apart', () => {
    expect(reasonsInWords('name required; phone invalid').map(({ reason }) => reason)).toEqual([
      'name required',
      'phone invalid',
    ]);
    expect(reasonsInWords(null)).toEqual([]);
  });

  test('let a word of another version stand for itself', () => {
    expect(reasonInWords('paused').meaning).toBe('paused');
  });
});

describe('The guide to a field', () => {
  test.each(standardNames.map((name) => [name, fieldGuide[name]] as const))(
    '%s: its example is taken, its limit is the limit, and the words are those of the check',
    (name, { example, lengthMax, type }) => {
      expect(faults({ ...minimal, [name]: example })).toEqual([]);
      expect(faults({ ...minimal, [name]: { not: 'a value' } })).toEqual([`${name} invalid`]);
      if (lengthMax === null) return;
      const long = (length: number): string =>
        type === 'URL' ? `https://a.example/${'x'.repeat(length - 18)}` : 'x'.repeat(length);
      expect(faults({ ...minimal, [name]: long(lengthMax + 1) })).toEqual(possibleFaults(name).slice(-1));
      expect(faults({ ...minimal, [name]: long(lengthMax) })).not.toContain(`${name} too long`);
    },
  );
});
