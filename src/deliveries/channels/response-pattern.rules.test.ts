// Tests that no webhook format that can be saved, and no response, takes long to be read (contract 13.2).
import { describe, expect, it } from 'vitest';

import type { WebhookFormat } from '../../buyers/buyer.ts';
import { WebhookFormatSchema } from '../../buyers/webhook-format.schema.ts';
import { formOf, withDefaults } from '../../marketplace/configured-form.rules.ts';
import { compileRules } from './read-response.rules.ts';
import { patternSet } from './response-pattern.rules.ts';

/** No turn of the event loop may take longer (contract 1.12); a turn has other work as well. */
const WORK_MS = 45;
const BODY_BYTES = 65_536;

type Rules = WebhookFormat['response']['rules'];

function rulesOf(rules: readonly object[]): Rules {
  return formOf(WebhookFormatSchema, withDefaults(WebhookFormatSchema, { format: 'custom', response: { rules } }))
    .response.rules;
}

/** Processor time of this thread; the least of three, because the first ones compile and collect garbage. */
function processorMs(work: () => unknown): number {
  const used = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const times = [0, 1, 2].map(() => {
    const before = used();
    work();
    return used() - before;
  });
  return Math.min(...times);
}

const TEXTS = {
  'one letter': 'a'.repeat(BODY_BYTES),
  'two letters': 'ab'.repeat(BODY_BYTES / 2),
  'two letters by chance': Array.from(
    { length: BODY_BYTES },
    (_, index) => 'ab'[((index * index * 7919) % 13) % 2],
  ).join(''),
  'many letters': Array.from({ length: BODY_BYTES }, (_, index) => String.fromCodePoint(97 + ((index * 31) % 26))).join(
    '',
  ),
  lines: 'a b\n'.repeat(BODY_BYTES / 4),
};

const HOSTILE = [
  ...['(?:a?){60}a{60}c$', '(?:a|b)*a[ab]{90}d', '[ab]*a[ab]{94}d|c', '(?:[ab]*a[ab]{60}c?)+$'],
  ...[
    '(?i)(?:\\w*a\\w{90})d|x',
    '(?:.*a.{90})d|x',
    '(?s)(?:.*a){20}.{40}q',
    '(?i)(?:\\pL?\\pN?){40}q',
    '\\b(?:a|b)*\\ba[ab]{90}d|c',
  ],
];
const CAPTURES = HOSTILE.map((source) => source.replace(/^((?:\(\?\w+\))?)(.*)$/, '$1($2)'));

/** As many rules as the check takes, each with the pattern. */
function largestWith(pattern: string): Rules {
  const rule = { when: { text: { pattern } }, outcome: 'rejected' };
  let accepted: Rules = rulesOf([]);
  for (let count = 1; count <= 30; count += 1) {
    const rules = rulesOf(Array.from({ length: count }, () => rule));
    if (!compileRules(rules, { isBounded: true }).ok) break;
    accepted = rules;
  }
  return accepted;
}

describe('A webhook format that can be saved', () => {
  it.each(HOSTILE)('reads any response within its bound: rules with %s', (pattern) => {
    const rules = largestWith(pattern);
    expect(rules.length).toBeGreaterThan(0);
    const compiled = compileRules(rules, { isBounded: true });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
    for (const [name, text] of Object.entries(TEXTS)) {
      const response = { status: 200, headers: {}, body: Buffer.from(`${text.slice(0, -1)}d`), isCut: false };
      expect([name, processorMs(() => compiled.rules.read(response)) < WORK_MS]).toEqual([name, true]);
    }
  });

  it.each(CAPTURES)('reads any response within its bound: captures by %s', (pattern) => {
    const taken = { pattern };
    const compiled = compileRules(rulesOf([{ when: {}, outcome: 'accepted', reference: taken, price: taken }]), {
      isBounded: true,
    });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
    for (const [name, text] of Object.entries(TEXTS)) {
      const response = { status: 200, headers: {}, body: Buffer.from(`${text.slice(0, -1)}d`), isCut: false };
      expect([name, processorMs(() => compiled.rules.read(response)) < WORK_MS]).toEqual([name, true]);
    }
  });

  it.each([
    ['that repeat', '(?:\\PL?){1000}'.repeat(13)],
    ['of classes', '(?i)'.concat('\\pL'.repeat(60))],
    ['that are as large as they may be', '(?:a?){60}a{60}c$'],
  ])('is checked within its bound: 180 patterns %s', (_what, pattern) => {
    const test = { pattern };
    const rule = {
      when: { header: { name: 'x', ...test }, json: { path: 'a', ...test }, text: test },
      ...{ outcome: 'accepted', reference: test, price: test },
    };
    const rules = rulesOf(Array.from({ length: 30 }, () => rule));
    expect(compileRules(rules, { isBounded: true }).ok).toBe(false);
    expect(processorMs(() => compileRules(rules, { isBounded: true }))).toBeLessThan(WORK_MS);
  });

  it('may have thirty rules as they are in use, and says which one is too much', () => {
    const rule = (pattern: string) => ({ when: { text: { pattern } }, outcome: 'rejected' });
    const usual = rule('(?i)duplicate|already (?:exists|submitted)');
    expect(compileRules(rulesOf(Array.from({ length: 30 }, () => usual)), { isBounded: true }).ok).toBe(true);
    const large = rule('(?:a?){60}a{60}c$');
    expect(compileRules(rulesOf(Array.from({ length: 12 }, () => large)), { isBounded: true })).toMatchObject({
      faults: [{ at: '/10/when/text/pattern', message: expect.stringMatching(/^makes the patterns/) as string }, {}],
    });
  });

  it('that was stored before is read all the same, with less of the text', () => {
    const stored = patternSet({ isBounded: false });
    const patterns = Array.from({ length: 29 }, () => stored.compile('(?:a?){60}a{60}c$', 'test'));
    expect(patterns.every((pattern) => typeof pattern !== 'string')).toBe(true);
    expect(stored.length()).toBeGreaterThan(300);
  });
});

describe('Patterns', () => {
  it('look at the first 8 KiB where they are few, and at less the larger they are', () => {
    const few = patternSet({ isBounded: true });
    const pattern = few.compile('b', 'test');
    if (typeof pattern === 'string') throw new Error(pattern);
    expect([pattern.matches(`${'a'.repeat(8191)}b`), pattern.matches(`${'a'.repeat(8192)}b`)]).toEqual([true, false]);
    for (let count = 0; count < 5; count += 1) few.compile('a{190}', 'test');
    expect(few.length()).toBeLessThan(2200);
    expect(few.length()).toBeGreaterThan(2000);
  });
});
