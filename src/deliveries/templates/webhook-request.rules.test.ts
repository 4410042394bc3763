import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { exampleFields } from '../../../test/support/parcels.ts';
import type { WebhookFormat } from '../../buyers/buyer.ts';
import { saleExample } from '../delivery.schema.ts';
import type { TemplateInput } from './names.rules.ts';
import { bindTransform } from './transforms.rules.ts';
import { compileRequest, type RenderedRequest, renderRequest } from './webhook-request.rules.ts';

type Parts = Partial<Pick<WebhookFormat, 'method' | 'headers' | 'query' | 'body'>>;

const secret = 's3cr3t/+value';
const input: TemplateInput = {
  delivery: saleExample,
  fields: exampleFields,
  own: { roof_age: 12, owner: true, 'best-time': 'evening' },
  partnerKey: 'summit',
  isTest: false,
  secrets: new Map([
    ['crm_token', { ok: true, text: secret }],
    ['old', { ok: false, error: 'The secret old cannot be read.' }],
  ]),
};

const withName = (fullName: string): TemplateInput => ({
  ...input,
  delivery: { ...saleExample, lead: { ...saleExample.lead, fullName } },
});

function rendered(parts: Parts, from: TemplateInput = input): RenderedRequest {
  const compiled = compileRequest(
    { method: 'POST', headers: {}, query: {}, body: null, ...parts },
    { ownFields: null },
  );
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  return renderRequest(compiled.request, 'https://crm.example/leads', from);
}

function bodyOf(type: NonNullable<WebhookFormat['body']>['type'], template: string, from = input): string | null {
  const result = rendered({ body: { type, template } }, from);
  if (!result.ok) throw new Error(result.error);
  return result.request.body;
}

const text = (template: string): string | null => bodyOf('text', template);

describe('An expression', () => {
  it.each([
    ['{{ lead.fullName }}', 'Jordan Rivera'],
    ['{{lead.firstName}}|{{lead.lastName}}', 'Jordan|Rivera'],
    ['{{ lead.phone | phone: "dashes" }}', '555-555-0123'],
    ["{{ lead.phone | phone: 'national' }}", '(555) 555-0123'],
    ['{{ lead.phone | phone: "ten" }}', '5555550123'],
    ['{{ "+447911123456" | phone: "ten" }}', '+447911123456'],
    ['{{ "+4791234567" | phone: "e164" }}', '+4791234567'],
    ['{{ "+4520123456" | phone: "national" }}', '+4520123456'],
    ['{{ "+6561234567" | phone: "digits" }}', '6561234567'],
    ['{{ "(555) 555-0123 x4" | phone: "dashes" }}', '555-555-0123'],
    ['{{ "0123456789" | phone: "e164" }}', '0123456789'],
    ['{{ "+447911123456" | phone: "digits" }}', '447911123456'],
    ['{{ lead.debtAmount | number: 2, "," }}', '24,500.00'],
    ['{{ "1005.005" | number: 2 }}', '1005.01'],
    ['{{ lead.debtAmount | cents }}', '2450000'],
    ['{{ lead.state | map: "CA": "California", "NV": "Nevada" }}', 'California'],
    ['{{ lead.state | map: "NV": "Nevada" }}', 'CA'],
    ['{{ lead.state | map: "NV": "Nevada", else: "elsewhere" }}', 'elsewhere'],
    ['{{ lead.tcpaConsent | map: true: "Y", false: "N" }}', 'Y'],
    ['{{ lead.businessName | default: "none" }}', 'none'],
    ['{{ lead.businessName }}', ''],
    ['{{ lead.fullName | upper | truncate: 3 }}', 'JOR'],
    ['{{ "o’brien-MCKAY of york" | title }}', 'O’brien-Mckay Of York'],
    ['{{ "Mary Ann Lee" | split_name: "middle" }}', 'Ann'],
    ['{{ "Cher" | split_name: "last" }}', ''],
    ['{{ "Dr. Ida Maria van der Berg Jr." | split_name: "last" }}', 'van der Berg'],
    ['{{ "Cher" | split_name: "last" | default: "Unknown" }}', 'Unknown'],
    ['{{ "a" | hash }}', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
    ['{{ "a" | hash: "md5" }}', '0cc175b9c0f1b6a831c399e269772661'],
    ['{{ "ü" | base64 }}', 'w7w='],
    ['{{ delivery.deliveredAt | date: "MM/DD/YYYY h:mm A", "America/New_York" }}', '11/20/2026 12:03 PM'],
    [
      '{{ delivery.deliveredAt | date: "YYYY-MM-DDTHH:mm:ss.SSSZ", "America/Los_Angeles" }}',
      '2026-11-20T09:03:12.418-08:00',
    ],
    ['{{ delivery.deliveredAt | date: "unix" }}', '1795194192'],
    ['{{ "2026-02-03" | date: "D.M.YY [at] dddd", "America/New_York" }}', '3.2.26 at Tuesday'],
    ['{{ "not a day" | date: "YYYY" }}', 'not a day'],
    ['{{ lead.fields.roof_age }} {{ lead.fields.owner }} {{ lead.fields.best-time }}', '12 true evening'],
    ['{{ lead.fields.unknown }}', ''],
    ['{{ partner.key }} {{ test }}', 'summit false'],
    ['{{ "{{" }}{{ "a\\"b\\n" }}', '{{a"b\n'],
    ['{{ "a.b" | replace: ".", "$&" }}', 'a$&b'],
    ['plain } text }} {', 'plain } text }} {'],
  ])('%s is %s', (template, value) => expect(text(template)).toBe(value));

  it.each([
    ['{{ lead.fullname }}', 3, 'there is no "lead.fullname" (did you mean lead.fullName?)'],
    ['ab {{ lead.phone', 3, 'the expression is not closed with }}'],
    ['{{ lead.phone | }}', 16, 'expected the name of a transform after |'],
    ['{{ lead.phone | shout }}', 16, /^there is no transform shout: the transforms are base64, /],
    ['{{ lead.phone | upper: 1 }}', 16, 'upper: it takes no arguments'],
    ['{{ lead.phone | truncate: "x" }}', 16, 'truncate: its argument must be a number of characters up to 10000'],
    ['{{ lead.phone | date: "YYYY", "Mars/Base" }}', 16, /IANA time zone/],
    ['{{ lead.phone upper }}', 14, 'expected | or }}'],
    ['{{ 5 }}', 3, 'expected a name such as lead.phone, or a text in quotes'],
    ['{{ lead. }}', 9, 'expected a name after the dot'],
    ['{{ (1..9) }}', 3, 'expected a name such as lead.phone, or a text in quotes'],
    ['{% for x in lead %}{{ x }}', 22, /^there is no "x"/],
    ['{{ lead.__proto__ }}', 3, /^there is no "lead.__proto__"/],
    ['{{ constructor }}', 3, /^there is no "constructor"/],
    ['{{ secret.Bad }}', 3, /no name of a secret/],
    ['{{ "a" | toString }}', 9, /^there is no transform toString/],
  ])('%s is an error at %d', (template, offset, message) => {
    const compiled = compileRequest(
      { method: 'POST', headers: {}, query: {}, body: { type: 'text', template } },
      { ownFields: null },
    );
    expect(compiled).toMatchObject({ ok: false, faults: [{ at: '/body/template', offset }] });
    expect(compiled.ok ? '' : compiled.faults[0]?.message).toMatch(message);
  });

  it('may name only own fields that a vertical has, where these are known', () => {
    const body = { type: 'text', template: '{{ lead.fields.roof_ag }}' } as const;
    const compiled = compileRequest(
      { method: 'POST', headers: {}, query: {}, body },
      { ownFields: new Set(['roof_age']) },
    );
    expect(compiled).toMatchObject({
      faults: [{ offset: 3, message: 'no vertical has the field "roof_ag" (did you mean roof_age?)' }],
    });
  });
});

describe('A JSON body', () => {
  it('keeps the types of values and of constants', () => {
    const template = `{ "name": "{{ lead.fullName }}", "debt": "{{ lead.debtAmount }}", "no": "{{ lead.businessName }}",
      "ok": "{{ lead.tcpaConsent }}", "list": [1, -2.5e3, null, true, "a\\u0041", {}, []], "mixed": "{{ lead.state }}/{{ lead.debtAmount }}" }`;
    expect(JSON.parse(bodyOf('json', template) ?? '')).toEqual({
      ...{ name: 'Jordan Rivera', debt: 24500, no: null, ok: true, list: [1, -2500, null, true, 'aA', {}, []] },
      mixed: 'CA/24500',
    });
  });

  it.each([
    ['{ "a": {{ lead.phone }} }', 7, 'an expression in JSON stands in quotes: "{{ … }}"'],
    ['{{ lead.phone }}', 0, 'an expression in JSON stands in quotes: "{{ … }}"'],
    ['{ "a": 1, }', 10, 'expected the name of a member in double quotes'],
    ['{ "a": 1 "b": 2 }', 9, 'expected a comma or }'],
    ['{ "a": "{{ lead.fone }}" }', 11, /^there is no "lead.fone"/],
    ['{ "a": "\\n{{ lead.fone }}" }', 7, /^there is no "lead.fone"/],
    ['{ "a": "{{ lead.state | map: "CA": 1 }}" }', 8, /texts inside of it stand in single quotes/],
    ['{ "{{ lead.state }}": 1 }', 2, 'the name of a member cannot be an expression'],
    ['{ "a": 1, "a": 2 }', 10, 'the member "a" stands here for the second time'],
    ['{ "a": 01 }', 7, /^expected a JSON value/],
    ['{ "a": "x', 7, 'the text in double quotes does not end'],
    ['{ "a": "\\x" }', 7, /an escape that JSON does not allow/],
    ['[1] 2', 4, 'expected the end of the JSON'],
    ['['.repeat(60), 51, 'is nested too deeply'],
    ['', 0, /^expected a JSON value/],
  ])('%s is an error at %d', (template, offset, message) => {
    const body = { type: 'json', template } as const;
    const compiled = compileRequest({ method: 'POST', headers: {}, query: {}, body }, { ownFields: null });
    expect(compiled).toMatchObject({ ok: false, faults: [{ at: '/body/template', offset }] });
    expect(compiled.ok ? '' : compiled.faults[0]?.message).toMatch(message);
  });

  it('gives back any text of a lead, and its structure never changes', () => {
    const template = '{ "a": "{{ lead.fullName }}", "b": ["x {{ lead.fullName }} y"], "c": 1 }';
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const parsed = JSON.parse(bodyOf('json', template, withName(name)) ?? '') as unknown;
        expect(parsed).toEqual({ a: name, b: [`x ${name} y`], c: 1 });
      }),
    );
  });
});

describe('A form', () => {
  it('may have each member on a line of its own, and percent-encodes values only', () => {
    const template = 'name={{ lead.fullName }}\n  &email={{ lead.email }}\n  &oid=00D{{ secret.crm_token }}\n';
    expect(bodyOf('form', template)).toBe(
      `name=Jordan%20Rivera&email=jordan.rivera%40example.com&oid=00D${encodeURIComponent(secret)}`,
    );
  });

  it('gives back any text of a lead to a receiver', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const form = new URLSearchParams(bodyOf('form', 'a={{ lead.fullName }}&b=1', withName(name)) ?? '');
        expect([...form]).toEqual([
          ['a', name.toWellFormed()],
          ['b', '1'],
        ]);
      }),
    );
  });
});

describe('An XML body', () => {
  it('escapes values and leaves out what XML does not allow', () => {
    const from = withName('<a href="x">&\'\u0000\u0008\uFFFE\uD800b</a>');
    expect(bodyOf('xml', '<n v="{{ lead.fullName }}"/>', from)).toBe(
      '<n v="&lt;a href=&quot;x&quot;&gt;&amp;&#39;\uFFFDb&lt;/a&gt;"/>',
    );
  });
});

describe('A query', () => {
  it('is added to the URL after its own, before the fragment', () => {
    const compiled = compileRequest(
      { method: 'GET', headers: {}, query: { 'a b': '{{ lead.email }}', c: 'x&y' }, body: null },
      { ownFields: null },
    );
    if (!compiled.ok) throw new Error('does not compile');
    const result = renderRequest(compiled.request, 'https://crm.example/p?key=1#top', input);
    expect(result).toMatchObject({
      request: { url: 'https://crm.example/p?key=1&a%20b=jordan.rivera%40example.com&c=x%26y#top', body: null },
    });
  });
});

describe('A header', () => {
  it('has the rendered value under its name in lower case, and may replace the content type', () => {
    const headers = { 'X-Name': ' {{ lead.fullName }} ', 'Content-Type': 'application/vnd.crm+json' };
    const result = rendered({ headers, body: { type: 'json', template: '{}' } });
    expect(result).toMatchObject({
      request: { headers: { 'x-name': 'Jordan Rivera', 'content-type': 'application/vnd.crm+json' } },
    });
  });

  it.each(['a\r\nEvil: 1', 'a\nb', 'a\u0000b', 'a\u0085b', 'a\u007fb'])('with %j in it is never sent', (name) => {
    expect(rendered({ headers: { 'X-Name': '{{ lead.fullName }}' } }, withName(name))).toEqual({
      ok: false,
      error: 'The header x-name has a line break or another control character.',
      isMendable: false,
    });
  });

  it('may have the line breaks of a value removed', () => {
    const result = rendered({ headers: { 'X-Name': '{{ lead.fullName | one_line }}' } }, withName('a\r\nEvil: 1'));
    expect(result).toMatchObject({ ok: true, request: { headers: { 'x-name': 'a Evil: 1' } } });
  });
});

describe('A secret', () => {
  it('is in the request, and so is everything that was made of it in the list of what to hide', () => {
    const result = rendered({ headers: { Authorization: 'Basic {{ secret.crm_token | base64 }}' } });
    const basic = Buffer.from(secret).toString('base64');
    expect(result).toMatchObject({
      request: { headers: { authorization: `Basic ${basic}` }, hidden: [secret, basic] },
    });
  });

  it.each([
    ['missing', 'The secret missing is not set.'],
    ['old', 'The secret old cannot be read.'],
  ])('%s that cannot be used is an error, also behind a default', (name, error) => {
    const template = `{{ secret.${name} | default: 'x' }}`;
    expect(rendered({ body: { type: 'text', template } })).toEqual({ ok: false, error, isMendable: true });
  });

  it('is dots in a preview, also after transforms', () => {
    const headers = { a: '{{ secret.crm_token | base64 }}', b: '{{ secret.missing | hash }}' };
    const result = rendered({ headers }, { ...input, secrets: null });
    expect(result).toMatchObject({ ok: true, request: { headers: { a: '••••', b: '••••' }, hidden: [] } });
  });
});

describe('A request that would be too long', () => {
  it.each([
    ['body', { body: { type: 'text', template: '{{ lead.fullName }}'.repeat(30) } }, 'The request would be too long.'],
    [
      'JSON text',
      { body: { type: 'json', template: `"${'{{ lead.fullName }}'.repeat(30)}"` } },
      'The request would be too long.',
    ],
    ['query', { query: { a: '{{ lead.fullName }}' } }, 'The URL would be too long.'],
    ['headers', { headers: { a: '{{ lead.fullName }}' } }, 'The headers would be too long.'],
  ] as const)('in its %s is not made', (_, parts, error) => {
    expect(rendered(parts, withName('x'.repeat(20_000)))).toEqual({ ok: false, error, isMendable: false });
  });
});

describe('A date in a zone', () => {
  it('is that of the zone’s clocks at any instant', () => {
    const zones = ['America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'];
    const instants = fc.date({
      min: new Date('1972-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, at) => {
        const format = bindTransform({
          transform: 'date',
          args: ['YYYY-MM-DD HH:mm:ss', zone].map((value) => ({ name: null, value })),
        });
        const expected = at.toLocaleString('sv-SE', { timeZone: zone });
        expect(typeof format === 'string' ? format : format(at.toISOString())).toBe(expected);
      }),
    );
  });
});
