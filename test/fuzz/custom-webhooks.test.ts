// Random templates and responses of custom webhooks: nothing throws, hangs, leaks a secret, or takes a price out of bounds (contract 13).
// `npm run test:fuzz` tries 10,000 of each, twenty times as many as `npm test` does.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { outcomeOfCustom } from '../../src/deliveries/channels/custom-outcome.ts';
import { compileRules } from '../../src/deliveries/channels/read-response.rules.ts';
import { saleExample } from '../../src/deliveries/delivery.schema.ts';
import { readStatedFormat } from '../../src/deliveries/test-delivery/preview-webhook.ts';
import type { TemplateInput } from '../../src/deliveries/templates/names.rules.ts';
import { compileRequest, renderRequest } from '../../src/deliveries/templates/webhook-request.rules.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { exampleFields } from '../support/parcels.ts';

const runs = {
  numRuns: process.env['FUZZ_REQUESTS'] === undefined ? 500 : 10_000,
  ...(process.env['FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['FUZZ_SEED']) }),
};
const secret = 'zq7-SECRET/+"value';
const now = new Date('2026-11-20T10:00:00.000Z');

const pieces = [
  ...[
    '{{',
    '}}',
    '{',
    '}',
    '|',
    ':',
    ',',
    '.',
    '"',
    "'",
    '\\',
    '\n',
    '\r',
    '\u0000',
    '\uD800',
    ' ',
    '[',
    ']',
    '<',
    '&',
    '%',
  ],
  ...[
    'lead.fullName',
    'lead.phone',
    'lead.debtAmount',
    'lead.fields.a',
    'lead',
    'secret.token',
    'secret.none',
    'delivery.deliveredAt',
    'test',
  ],
  ...[
    'upper',
    'date',
    '"YYYY-MM-DD [x] Z"',
    '"America/New_York"',
    'map',
    '"CA": "x"',
    'else: 1',
    'number',
    '2',
    '-1',
    '1e9',
    'truncate',
  ],
  ...[
    'hash',
    '"sha1"',
    'base64',
    'default',
    'null',
    'true',
    'constructor',
    '__proto__',
    'split_name',
    '"last"',
    'phone',
    '"dashes"',
    'cents',
  ],
];
/** Texts that are often nearly a template, and sometimes one. */
const template = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 20 })
    .map((parts) => parts.join('')),
  fc
    .array(
      fc.constantFrom(
        '{{ secret.token }}',
        '{{ secret.token | base64 }}',
        '{{ lead.fullName }}',
        '{{ lead.fullName | truncate: 3 }}',
        'x',
        '&a=',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
  fc
    .array(
      fc.constantFrom('"{{ secret.token }}"', '"a {{ lead.fullName }}"', '1', '{"a":"{{ lead.fields.a }}"}', 'nul'),
      { maxLength: 5 },
    )
    .map((items) => `[${items.join(',')}]`),
);
const format = fc.record({
  method: fc.constantFrom('POST', 'PUT', 'PATCH', 'GET'),
  headers: fc.dictionary(fc.constantFrom('a', 'X-B', 'Content-Type'), template, { maxKeys: 3 }),
  query: fc.dictionary(fc.string({ maxLength: 5 }), template, { maxKeys: 3 }),
  body: fc.option(fc.record({ type: fc.constantFrom('json', 'form', 'xml', 'text'), template })),
});

const inputOf = (fullName: string): TemplateInput => ({
  ...{ fields: exampleFields, own: { a: fullName }, partnerKey: 'summit', isTest: false },
  delivery: { ...saleExample, lead: { ...saleExample.lead, fullName } },
  secrets: new Map([['token', { ok: true, text: secret }]]),
});

describe('Random templates', () => {
  it('compile or have a fault at a position in them, and render to a request that can be sent', () => {
    let compiledCount = 0;
    fc.assert(
      fc.property(format, fc.string({ unit: 'binary', maxLength: 40 }), (parts, fullName) => {
        const compiled = compileRequest(parts, {
          ownFields: null,
        });
        if (!compiled.ok) {
          for (const { offset, message } of compiled.faults) {
            expect(offset).toBeGreaterThanOrEqual(0);
            expect(message).not.toBe('');
          }
          return;
        }
        compiledCount += 1;
        const hidden = renderRequest(compiled.request, 'https://crm.example/in', {
          ...inputOf(fullName),
          secrets: null,
        });
        expect(JSON.stringify(hidden)).not.toContain('zq7');
        const rendered = renderRequest(compiled.request, 'https://crm.example/in', inputOf(fullName));
        if (!rendered.ok) {
          expect(rendered.error).not.toContain('zq7');
          return;
        }
        const { headers, url, body } = rendered.request;
        for (const header of Object.values(headers)) expect(header).not.toMatch(/\p{Cc}/u);
        expect(URL.parse(url)?.origin).toBe('https://crm.example');
        if (parts.body?.type === 'json') JSON.parse(body ?? '');
      }),
      runs,
    );
    expect(compiledCount).toBeGreaterThan(runs.numRuns / 20);
  });

  it('are accepted or refused alike by the file and by the form', () => {
    fc.assert(
      fc.property(format, (parts) => {
        const webhook = { format: 'custom', ...parts };
        const stated = readStatedFormat(webhook, new Set(['a']));
        const vertical = { key: 'v', name: 'V', fields: [{ name: 'a', label: 'A', type: 'text' }] };
        const file = parseFile(JSON.stringify({ verticals: [vertical], partners: [{ key: 'summit', webhook }] }), {
          allowTargets: [],
        });
        // JSON text in YAML holds no lone surrogate and no NUL, which the file refuses anywhere.
        if (/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(webhook))) return;
        expect(file.ok).toBe(stated.ok);
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 10) },
    );
  });
});

const test = fc.record({
  equals: fc.option(fc.string({ maxLength: 5 })),
  contains: fc.option(fc.string({ minLength: 1, maxLength: 3 })),
  pattern: fc.option(fc.constantFrom('.*', '(a+)+$', '^\\{', '(\\w{1,30})+!', '(?i)ok', '(', '[^x]*x')),
});
const take = fc.option(
  fc.oneof(
    fc.constantFrom('a', 'a.b', '[0]', 'a..', '$').map((json) => ({ json, header: null, pattern: null, text: null })),
    fc.constantFrom('(.*)', 'a(b)?', '\\d+').map((pattern) => ({ json: null, header: null, pattern, text: null })),
  ),
);
const rule = fc.record({
  when: fc.record({
    status: fc.subarray([200, 404, '2xx', '5xx']),
    header: fc.option(test.map((tests) => ({ name: 'x-a', ...tests }))),
    json: fc.option(test.map((tests) => ({ path: 'a', exists: true, missing: false, ...tests }))),
    text: fc.option(test),
  }),
  outcome: fc.constantFrom('accepted', 'duplicate', 'rejected', 'retry'),
  ...{ reason: take, reference: take, price: take },
});
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      '{"a":1e309}',
      '{"a":"12.50"}',
      `{"a":"${secret.replace('"', '\\"')}"}`,
      '['.repeat(30_000),
      'x'.repeat(65_536),
      '<!DOCTYPE a [<!ENTITY x "y">]>&x;',
      '{"a":',
      `Basic ${Buffer.from(secret).toString('base64')}`,
    )
    .map((text) => Buffer.from(text)),
);

describe('Random responses', () => {
  it('come to an outcome without a secret in it, and with a price within the bounds only', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 4 }),
        fc.record({
          status: fc.integer({ min: 200, max: 599 }),
          body,
          isCut: fc.boolean(),
          type: fc.constantFrom('text/html; charset=utf-16', 'application/json', '', ';charset=x'),
        }),
        (rules, response) => {
          const compiled = compileRules(rules);
          if (!compiled.ok) return;
          const headers = { 'content-type': response.type, 'x-a': secret };
          const received = { headers, body: Buffer.from(response.body), isCut: response.isCut };
          const outcome = outcomeOfCustom(
            {
              kind: 'response',
              status: response.status,
              snippet: null,
              latencyMs: 1,
              retryAfter: null,
              location: null,
              received,
            },
            {
              rules: compiled.rules,
              priceBounds: { minCents: 100, maxCents: 2000, currency: 'USD' },
              hidden: [secret],
              now,
            },
          );
          expect(JSON.stringify(outcome)).not.toContain('zq7');
          expect(JSON.stringify(outcome)).not.toContain(Buffer.from(secret).toString('base64'));
          if (outcome.kind === 'taken') {
            expect(outcome.priceCents).toBeGreaterThanOrEqual(100);
            expect(outcome.priceCents).toBeLessThanOrEqual(2000);
          }
        },
      ),
      runs,
    );
  });
});
