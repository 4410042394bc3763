// The templates of a partner's webhook in a marketplace file: what becomes of them, and where their errors are.
import { describe, expect, it } from 'vitest';

import { faultsOf, marked, parsed, partner } from '../../test/support/marked-file.ts';

describe('The templates of a webhook', () => {
  const webhook = (lines: string): string =>
    `partners:\n  - key: summit\n    webhook:\n      format: custom\n${lines.replaceAll(/^/gm, '      ')}\n`;

  it('become the format of the partner, with names in order, values as text and defaults', () => {
    const [entry] = parsed(
      webhook(
        'headers: { b: x, A: "{{ lead.phone }}" }\nbody:\n  type: json\n  template: |\n    { "a": "{{ lead.fullName }}" }\nresponse: { rules: [{ when: { status: 2xx, json: { path: ok, equals: true } }, outcome: accepted }] }',
      ),
    ).partners;
    expect(entry?.buyer.webhook).toMatchObject({
      ...{ format: 'custom', method: 'POST', query: {} },
      body: { type: 'json', template: '{ "a": "{{ lead.fullName }}" }' },
      response: {
        rules: [
          { when: { status: ['2xx'], json: { equals: 'true', exists: false } }, outcome: 'accepted', price: null },
        ],
      },
    });
    expect(Object.keys(entry?.buyer.webhook?.headers ?? {})).toEqual(['A', 'b']);
  });

  it.each(['', 'webhook: null', 'webhook: {}', 'webhook: { format: standard }'])('are none with %j', (lines) => {
    expect(parsed(partner(lines === '' ? 'name: Summit' : lines)).partners[0]?.buyer.webhook).toBeNull();
  });

  it.each([
    [
      'in a quoted text',
      'headers: { Authorization: "Bearer {{ ¶secrets.token }}" }',
      'headers.Authorization',
      /no "secrets.token"|there is no "secrets.token".*column 11 of the text/,
    ],
    ['in a plain text', 'query:\n  a: x{{ ¶lead.fone }}', 'query.a', /there is no "lead.fone" .*column 5 of the text/],
    [
      'in a block',
      'body:\n  type: text\n  template: |\n    first\n      {{ lead.phone }} {{ lead.phone | ¶shout }}\n    last',
      'body.template',
      /no transform shout.*line 2, column 36 of the text/,
    ],
    [
      'in JSON',
      'body:\n  type: json\n  template: |\n\n    {\n      "a": "{{ ¶lead.fone }}"\n    }',
      'body.template',
      /there is no "lead.fone"/,
    ],
    [
      'in XML',
      'body:\n  type: xml\n  template: |\n    <lead>\n      <name>{{ lead.fullName }}</name>\n      ¶</person>\n    </lead>',
      'body.template',
      /<\/person> closes nothing: the element lead is open.*line 3, column 3 of the text/,
    ],
    ['hidden by escapes', 'headers: { a: ¶"\\u0041 {{ lead.fone }}" }', 'headers.a', /column 6 of the text/],
    [
      'in a folded block',
      'body:\n  type: text\n  template: ¶>\n    first\n    {{ lead.fone }}',
      'body.template',
      /column 10 of the text/,
    ],
  ])('that are wrong have an error at its place: %s', (_, lines, path, message) => {
    const { text, positions } = marked(webhook(lines));
    const faults = faultsOf(text);
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([`${positions[0]} partners[0].webhook.${path}`]);
    expect(faults[0]).toMatch(message);
  });

  it.each([
    ['a header that the service sets', 'headers: { ¶Host: x }', /is a header that cannot be set/],
    ['a header whose name is none', 'headers: { ¶"a b": x }', /is no name of a header/],
    ['a header twice', 'headers: { A: x, ¶a: y }', /stands here for the second time/],
    ['a header with a line break', 'headers: { a: ¶"x\\ny" }', /one line without control characters/],
    ['a body of a GET', 'method: GET\nbody: ¶{ type: text, template: x }', /a GET has none/],
    ['an unknown member', '¶retries: 3', /retries/],
    [
      'an unknown outcome',
      'response: { rules: [{ outcome: ¶sold }] }',
      /must be one of accepted, duplicate, rejected, retry/,
    ],
    [
      'a pattern that looks ahead',
      'response: { rules: [{ when: { text: { pattern: ¶"(?=a)" } }, outcome: retry }] }',
      /RE2/,
    ],
  ])('and %s are errors', (_, lines, message) => {
    const { text, positions } = marked(webhook(lines));
    const faults = faultsOf(text);
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([positions[0]]);
    expect(faults[0]).toMatch(message);
  });

  it('without the format custom are an error, so that they are not ignored', () => {
    expect(faultsOf(partner('webhook: { headers: { a: b } }'))).toEqual([
      expect.stringMatching(/webhook: must be custom/),
    ]);
  });
});
