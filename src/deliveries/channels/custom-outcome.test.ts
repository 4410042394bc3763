import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formOf, withDefaults } from '../../marketplace/configured-form.rules.ts';
import type { WebhookFormat } from '../../buyers/buyer.ts';
import { WebhookFormatSchema } from '../../buyers/webhook-format.schema.ts';
import type { HttpOutcome } from '../../platform/outbound/http-outcome.ts';
import type { SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { type OutcomeOptions, outcomeOfCustom } from './custom-outcome.ts';
import { compileRules, type CompiledRules } from './read-response.rules.ts';

const now = new Date('2026-11-20T10:00:00.000Z');

/** Rules as in a file, with defaults for what they leave out. */
function rulesOf(rules: readonly object[]): WebhookFormat['response']['rules'] {
  return formOf(WebhookFormatSchema, withDefaults(WebhookFormatSchema, { format: 'custom', response: { rules } }))
    .response.rules;
}

function compiled(rules: readonly object[]): CompiledRules {
  const result = compileRules(rulesOf(rules));
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.rules;
}

type Response = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array; isCut?: boolean };

function responseOf({ status = 200, headers = {}, body = '', isCut = false }: Response): HttpOutcome {
  const bytes = Buffer.from(body as string);
  return {
    ...{ kind: 'response', status, snippet: 'unmasked', latencyMs: 5, location: null },
    ...{ retryAfter: headers['retry-after'] ?? null, received: { headers, body: bytes, isCut } },
  };
}

function read(rules: readonly object[], response: Response, more: Partial<OutcomeOptions> = {}): SendOutcome {
  return outcomeOfCustom(responseOf(response), { rules: compiled(rules), priceBounds: null, hidden: [], now, ...more });
}

const byStatus = [
  { when: { json: { path: 'status', equals: 'ok' } }, outcome: 'accepted', reference: { json: 'lead.id' } },
  { when: { json: { path: 'status', equals: 'dup' } }, outcome: 'duplicate' },
  { when: { status: '4xx' }, outcome: 'rejected', reason: { json: 'errors' } },
  { when: { text: { contains: 'busy' } }, outcome: 'retry', reason: { text: 'Their system is busy' } },
];

describe('A response', () => {
  it.each<[string, Response, object]>([
    ['accepted', { body: '{"status":"ok","lead":{"id":77}}' }, { kind: 'taken', reference: '77' }],
    ['accepted without a reference', { body: '{"status":"ok"}' }, { kind: 'taken' }],
    ['a duplicate', { body: '{"status":"dup"}' }, { why: 'duplicate', reason: null, receipt: 'no' }],
    [
      'rejected for several reasons',
      { status: 422, body: '{"errors":["No\\n phone","Bad state",{"x":1},null]}' },
      { why: 'rejected', reason: 'No phone, Bad state', receipt: 'no' },
    ],
    ['rejected without JSON', { status: 400, body: '<e/>' }, { why: 'rejected', reason: null }],
    ['busy', { body: 'We are busy' }, { why: 'later', error: 'Their system is busy', receipt: 'no' }],
    ['busy for a while', { body: 'busy', headers: { 'retry-after': '90' } }, { why: 'later', retryAfterSeconds: 90 }],
    ['busy behind a 502', { status: 502, body: 'busy' }, { why: 'later', receipt: 'unknown' }],
    [
      'a 2xx that no rule knows',
      { body: '{"status":"hm"}' },
      { why: 'later', error: 'The response matches no rule.', receipt: 'unknown' },
    ],
    ['a 5xx that no rule knows', { status: 500, body: 'oops' }, { why: 'later', error: null, receipt: 'unknown' }],
    ['malformed JSON', { body: '{"status":"ok"' }, { why: 'later', receipt: 'unknown' }],
    [
      'JSON that was cut',
      { body: '{"status":"ok"}', isCut: true },
      {
        why: 'later',
        error:
          'The response matches no rule. It is longer than 64 KiB or broke off, so that rules on JSON do not see it.',
        receipt: 'unknown',
      },
    ],
  ])('that is %s', (_, response, outcome) => expect(read(byStatus, response)).toMatchObject(outcome));

  it('of 2xx is accepted without a rule for acceptance', () => {
    const rules = [{ when: { text: { contains: 'no' } }, outcome: 'rejected' }];
    expect(read(rules, { body: 'thanks' })).toMatchObject({ kind: 'taken' });
    expect(read([], { body: 'thanks' })).toMatchObject({ kind: 'taken' });
    expect(read([], { status: 410 })).toMatchObject({ why: 'gone', receipt: 'no' });
  });

  it('is read by all conditions of the first rule that matches', () => {
    const rules = [
      {
        when: {
          status: [200, '3xx'],
          header: { name: 'X-Result', pattern: '^(ok|fine)$' },
          text: { contains: 'lead' },
        },
        outcome: 'accepted',
        reference: { header: 'x-id' },
      },
      { when: {}, outcome: 'rejected', reason: { text: 'anything else' } },
    ];
    const headers = { 'x-result': 'fine', 'x-id': ' 9 ' };
    expect(read(rules, { status: 302, headers, body: 'a lead' })).toMatchObject({ kind: 'taken', reference: '9' });
    for (const other of [{ status: 201 }, { headers: { 'x-result': 'no' } }, { headers: {} }, { body: '' }]) {
      expect(read(rules, { headers, body: 'a lead', ...other })).toMatchObject({ why: 'rejected' });
    }
  });

  it('can say that a value is missing or exists', () => {
    const rules = [
      { when: { json: { path: 'error', missing: true } }, outcome: 'accepted' },
      { when: { json: { path: '$.error[0]["a b"]', exists: true } }, outcome: 'rejected' },
      { when: { json: { path: 'error', equals: null, pattern: '.' } }, outcome: 'duplicate' },
    ];
    expect(read(rules, { body: '{}' })).toMatchObject({ kind: 'taken' });
    expect(read(rules, { body: '{"error":[{"a b":null}]}' })).toMatchObject({ why: 'rejected' });
    expect(read(rules, { body: '{"error":"x"}' })).toMatchObject({ why: 'duplicate' });
    expect(read(rules, { body: '{"error":["x"]}' })).toMatchObject({ why: 'later' });
  });

  it('compares booleans and numbers of JSON as text', () => {
    const rules = [{ when: { json: { path: 'ok', equals: 'true' } }, outcome: 'accepted' }];
    expect(read(rules, { body: '{"ok":true}' })).toMatchObject({ kind: 'taken' });
    expect(read(rules, { body: '{"ok":"true"}' })).toMatchObject({ kind: 'taken' });
    expect(read(rules, { body: '{"ok":1}' })).toMatchObject({ why: 'later' });
  });

  it('reads own members only', () => {
    const rules = [{ when: { json: { path: 'constructor', exists: true } }, outcome: 'rejected' }];
    expect(read(rules, { body: '{}' })).toMatchObject({ kind: 'taken' });
    const length = [{ when: { json: { path: 'list.length', exists: true } }, outcome: 'rejected' }];
    expect(read(length, { body: '{"list":[1]}' })).toMatchObject({ kind: 'taken' });
  });

  it.each<[string, Uint8Array, string]>([
    ['ISO 8859-1 by its content type', Buffer.from('Größe', 'latin1'), 'text/plain; charset=iso-8859-1'],
    ['UTF-16 by its byte order mark', Buffer.from('\uFEFFGröße', 'utf16le'), 'text/plain'],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFGröße'), 'text/plain; charset=latin1'],
    [
      'an encoding by the XML declaration',
      Buffer.from('<?xml version="1.0" encoding="windows-1252"?>Größe', 'latin1'),
      'text/xml',
    ],
    ['an unknown encoding as UTF-8', Buffer.from('Größe'), 'text/plain; charset=klingon'],
  ])('is decoded: %s', (_, body, type) => {
    const rules = [{ when: { text: { contains: 'Größe' } }, outcome: 'rejected' }];
    expect(read(rules, { body, headers: { 'content-type': type } })).toMatchObject({ why: 'rejected' });
  });

  it('in XML is text, and none of its entities is expanded', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;">]><id>&y;</id>';
    const rules = [{ when: { status: 200 }, outcome: 'accepted', reference: { pattern: '<id>([^<]*)</id>' } }];
    expect(read(rules, { body: bomb })).toMatchObject({ reference: '&y;' });
  });

  it('that took no request keeps its outcome', () => {
    const failed: HttpOutcome = {
      kind: 'error',
      error: 'timeout',
      message: 'No response came in time.',
      receipt: 'unknown',
      latencyMs: 1,
    };
    const options = { rules: compiled(byStatus), priceBounds: null, hidden: [], now };
    expect(outcomeOfCustom(failed, options)).toMatchObject({
      why: 'later',
      receipt: 'unknown',
      error: 'No response came in time.',
    });
  });
});

describe('A price in a response', () => {
  const rules = [{ when: {}, outcome: 'accepted', price: { json: 'price' }, reference: { json: 'id' } }];
  const bounds = { minCents: 1000, maxCents: 4500, currency: 'USD' };

  it.each<[string, number]>([
    ['12.5', 1250],
    ['"12.50"', 1250],
    ['" 45 "', 4500],
    ['10', 1000],
    ['"$12.50"', 1250],
    ['"12.5000"', 1250],
    ['"USD 12.50"', 1250],
    ['"12,50"', 1250],
    ['12.3333', 1233],
    ['12.505', 1251],
    ['12.500000000000002', 1250],
    ['"9.995"', 1000],
  ])('of %s is %d cents', (price, priceCents) => {
    const outcome = read(rules, { body: `{"price":${price},"id":"A"}` }, { priceBounds: bounds });
    expect(outcome).toMatchObject({ kind: 'taken', priceCents, reference: 'A' });
  });

  it.each([
    '1e309',
    '-1e309',
    '"12.50 EUR"',
    '"€12.50"',
    '"12.50 per lead"',
    '"12-15"',
    'null',
    'true',
    '[12.5]',
    '{}',
    '""',
    '"NaN"',
    '"0x20"',
  ])('of %s is none, so that nothing is charged and no one else gets the lead', (price) => {
    const outcome = read(rules, { body: `{"price":${price}}` }, { priceBounds: bounds });
    expect(outcome).toMatchObject({
      ...{ kind: 'not_taken', why: 'unpriced', receipt: 'unknown' },
      error: 'The response has no price that can be read.',
    });
  });

  it.each(['9.99', '45.01', '45.005', '"1,012.50"', '0', '999999999'])('of %s is out of bounds', (price) => {
    const outcome = read(rules, { body: `{"price":${price}}` }, { priceBounds: bounds });
    expect(outcome).toMatchObject({ why: 'unpriced', error: 'The price in the response is out of bounds.' });
  });

  it('of a negative amount is never charged', () => {
    const outcome = read(rules, { body: '{"price":-20}' }, { priceBounds: bounds });
    expect(outcome).toMatchObject({ why: 'unpriced' });
  });

  it('is ignored if the offer has a fixed one', () => {
    const outcome = read(rules, { body: '{"price":1}' });
    expect(outcome).toMatchObject({ kind: 'taken' });
    expect(outcome).not.toHaveProperty('priceCents');
  });

  it('is needed where the offer leaves it to the partner, also without rules', () => {
    expect(read([], { body: 'ok' }, { priceBounds: bounds })).toMatchObject({ why: 'unpriced', receipt: 'unknown' });
  });
});

describe('A secret that the response echoes', () => {
  const secret = 'p@ss/w0rd "ü+"';
  const rules = [{ when: {}, outcome: 'rejected', reason: { json: 'why' } }];

  it.each([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    new URLSearchParams({ a: secret }).toString().slice(2),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ])('as %s is masked in what is kept', (echo) => {
    const outcome = read(rules, { body: JSON.stringify({ why: `bad token ${echo}.` }) }, { hidden: [secret] });
    const kept = JSON.stringify(outcome);
    expect(kept).toContain('bad token ••••');
    expect(kept).not.toContain(JSON.stringify(echo).slice(1, -1));
  });

  it('is masked also where the snippet ends within it', () => {
    for (let at = 990; at < 1030; at += 1) {
      const outcome = read([], { body: 'x'.repeat(at) + secret }, { hidden: [secret] });
      expect(outcome.kind === 'taken' ? outcome.responseSnippet : null).not.toContain('p@');
    }
  });

  it('is masked in a reference', () => {
    const referred = [{ when: {}, outcome: 'accepted', reference: { pattern: 'token=(.*)' } }];
    expect(read(referred, { body: `token=${secret}` }, { hidden: [secret] })).toMatchObject({ reference: '••••' });
  });
});

describe('A rule', () => {
  it.each<[string, object, object]>([
    [
      'with a pattern that cannot end',
      { when: { text: { pattern: '(a' } }, outcome: 'retry' },
      { at: '/0/when/text/pattern' },
    ],
    [
      'with a back reference',
      { when: { text: { pattern: '(a)\\1' } }, outcome: 'retry' },
      { at: '/0/when/text/pattern' },
    ],
    [
      'with a pattern that is too large',
      { when: { text: { pattern: '\\w{1,900}' } }, outcome: 'retry' },
      { message: 'is too large: it repeats too much' },
    ],
    [
      'with a path that is none',
      { when: { json: { path: 'a..b', exists: true } }, outcome: 'retry' },
      { at: '/0/when/json/path' },
    ],
    ['without a test of its path', { when: { json: { path: 'a' } }, outcome: 'retry' }, { at: '/0/when/json' }],
    [
      'that excludes itself',
      { when: { json: { path: 'a', missing: true, equals: 'x' } }, outcome: 'retry' },
      { at: '/0/when/json/missing' },
    ],
    ['without a test of the text', { when: { text: {} }, outcome: 'retry' }, { at: '/0/when/text' }],
    [
      'with two sources',
      { when: {}, outcome: 'accepted', reference: { json: 'a', text: 'b' } },
      { at: '/0/reference' },
    ],
    ['with no source', { when: {}, outcome: 'accepted', price: {} }, { at: '/0/price' }],
    ['that accepts with a reason', { when: {}, outcome: 'accepted', reason: { text: 'x' } }, { at: '/0/reason' }],
    ['that rejects with a price', { when: {}, outcome: 'rejected', price: { json: 'x' } }, { at: '/0/price' }],
    [
      'with two groups',
      { when: {}, outcome: 'accepted', reference: { pattern: '(a)(b)' } },
      { at: '/0/reference/pattern' },
    ],
  ])('%s is an error', (_, rule, fault) => {
    expect(compileRules(rulesOf([rule]))).toMatchObject({ ok: false, faults: [fault] });
  });
});

describe('Any response', () => {
  it('has an outcome, and no price beyond the bounds', () => {
    const rules = compiled([
      { when: { json: { path: 'a[0].b', pattern: '(x+x+)+y' } }, outcome: 'rejected', reason: { pattern: '(.*)' } },
      { when: { status: ['2xx', '3xx'] }, outcome: 'accepted', price: { json: 'price' }, reference: { json: 'a' } },
    ]);
    fc.assert(
      fc.property(
        fc.record({
          status: fc.integer({ min: 100, max: 999 }),
          body: fc.oneof(
            fc.uint8Array({ maxLength: 300 }),
            fc.json().map((text) => Buffer.from(text)),
            fc.double().map((price) => Buffer.from(`{"price":${price},"a":[{"b":"xxxxxxxxxxxxxxxxxxxxxxxxxxx"}]}`)),
          ),
          isCut: fc.boolean(),
          headers: fc.record({ 'content-type': fc.string() }),
        }),
        (response) => {
          const http = responseOf(response);
          const outcome = outcomeOfCustom(http, {
            rules,
            priceBounds: { minCents: 0, maxCents: 500, currency: 'USD' },
            hidden: [],
            now,
          });
          if (outcome.kind !== 'taken') return;
          expect(outcome.priceCents).toBeGreaterThanOrEqual(0);
          expect(outcome.priceCents).toBeLessThanOrEqual(500);
        },
      ),
    );
  });
});
