import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exchange, portOf, requestText } from '../../../test/support/raw-http.ts';
import { createLog } from '../log.ts';
import type { App } from './app.ts';
import { hasMoreValues } from './json-body.ts';
import { createServer } from './server.ts';

let app: App;
let port = 0;

beforeAll(async () => {
  app = createServer({ log: createLog('silent'), trustProxy: [] });
  app.post('/echo', (request, reply) => reply.send({ members: request.body, raw: request.rawBody }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app);
});
afterAll(() => app.close());

const post = (body: string | Buffer) =>
  exchange(port, requestText('POST /echo', { 'Content-Type': 'application/json' }, body));

/** Texts that are no JSON, by RFC 8259. */
const NOT_JSON: readonly string[] = [
  ' ',
  '\n',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '{]',
  '[}',
  '{}}',
  '{} {}',
  '{},',
  ',{}',
  '{}x',
  '{}#',
  '{}//c',
  '{}/* c */',
  '/* c */{}',
  '{a:1}',
  "{'a':1}",
  '{"a":1',
  '{"a" 1}',
  '{"a":}',
  '{"a"}',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a":1 "b":2}',
  '{"a"::1}',
  '{:1}',
  '{1:1}',
  '{null:1}',
  '{[1]:1}',
  '{"a":1;"b":2}',
  '{"a"=1}',
  '{"a":[1,]}',
  '{"a":[,1]}',
  '{"a":[1,,2]}',
  '{"a":[1 2]}',
  '{"a":[1}',
  '{"a":[}',
  '{"a":[1}]',
  '{"a":(1)}',
  '{"a":True}',
  '{"a":TRUE}',
  '{"a":tru}',
  '{"a":truee}',
  '{"a":nul}',
  '{"a":undefined}',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":-Infinity}',
  '{"a":+1}',
  '{"a":01}',
  '{"a":-01}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":-.5}',
  '{"a":-}',
  '{"a":--1}',
  '{"a":1e}',
  '{"a":1e+}',
  '{"a":1ee2}',
  '{"a":1.2.3}',
  '{"a":0x1F}',
  '{"a":0b1}',
  '{"a":1_000}',
  '{"a":1,5 }}',
  '{"a":１}',
  '{"a":"x}',
  '{"a":x"}',
  '{"a":\'x\'}',
  '{"a":`x`}',
  '{"a":"\t"}',
  '{"a":"\n"}',
  '{"a":"\u0000"}',
  '{"a":"\u001f"}',
  '{"a":"\\x41"}',
  '{"a":"\\u12"}',
  '{"a":"\\u12G4"}',
  '{"a":"\\uD83D\\u"}',
  '{"a":"\\"}',
  '{"a":"\\\'"}',
  '{"a":"\\a"}',
  '{"a":"\\0"}',
  '{"a":"\\\u0000"}',
  '{\u00a0"a":1}',
  '{\u2028"a":1}',
  '\u000c{"a":1}',
  '\ufeff{"a":1}',
  '{"a":1}\u0000',
  '{"a":1}\ufeff',
  '<a>1</a>',
  'a=1&b=2',
  '{"a":1}{"b":2}',
  '{"a":1}\n{"b":2}',
  '{...{}}',
  '{"a":{}}}',
  '{"a":{"b":1}',
  'nil',
  'undefined',
];

/** JSON, but no object. */
const NO_OBJECT: readonly string[] = ['null', 'true', 'false', '0', '-1.5e3', '""', '"{}"', '[]', '[{}]', ' [1,2] '];

const BAD_UTF8: ReadonlyArray<readonly [name: string, bytes: number[]]> = [
  ['a lone continuation byte', [0x80]],
  ['a byte that never occurs', [0xff]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ['a cut sequence', [0xe2, 0x82]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1', [0xe9]],
];

describe('A JSON body', () => {
  it.each(NOT_JSON)('%j is rejected', async (text) => {
    const response = await post(text);
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(response.body)).toMatchObject({
      code: 'invalid_json',
      status: 400,
      detail: 'The body is not valid JSON.',
    });
  });

  it.each(NO_OBJECT)('%j is rejected, because it is not an object', async (text) => {
    const response = await post(text);
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({
      code: 'invalid_json',
      detail: expect.stringMatching(/^The body must be a JSON object, not /),
    });
  });

  it.each(BAD_UTF8)('with %s is rejected', async (_name, bytes) => {
    const response = await post(Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]));
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'invalid_json', detail: 'The body is not valid UTF-8.' });
  });

  it.each([
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['UTF-16 with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ])('in %s is rejected', async (_name, bytes) => {
    expect((await post(bytes)).status).toBe(400);
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":{"__proto__":null}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":{"x":1}}',
    '{"__pro\\u0074o__":1}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"a":{"c\\u006fnstructor":{"prototype":1}}}',
    '{"constructor":{"\\u0070rototype":1}}',
  ])('%j is rejected, because it would set a prototype', async (text) => {
    const response = await post(text);
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'invalid_json' });
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it.each(['{"a":1e400}', '{"a":-1e400}', '{"a":[1,{"b":1e999}]}', `{"a":${'9'.repeat(400)}}`])(
    '%j is rejected, because its number is infinite as a double',
    async (text) => {
      expect((await post(text)).status).toBe(400);
    },
  );

  it('is rejected when it is nested more than 64 levels deep, at any depth', async () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    const lists = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((await post(nested(64))).status).toBe(200);
    expect((await post(lists(63))).status).toBe(200);
    for (const text of [nested(65), lists(64), nested(9000), lists(30_000), `{"a":${'['.repeat(60_000)}`]) {
      const response = await post(text);
      expect(response.status).toBe(400);
    }
  });

  it('is rejected when it has more than 2,048 values in its members, lists and nested objects', async () => {
    const list = (values: number, one = '1'): string => Array.from({ length: values }, () => one).join(',');
    expect((await post(`{"a":[${list(2047)}]}`)).status).toBe(200);
    const members = list(2049)
      .split(',')
      .map((value, index) => `"m${index}":${value}`);
    for (const text of [`{"a":[${list(2048)}]}`, `{"a":[${list(1024, '[1]')}]}`, `{${members.join(',')}}`]) {
      const response = await post(text);
      expect(response.status).toBe(400);
      expect(JSON.parse(response.body)).toMatchObject({
        code: 'invalid_json',
        detail: 'The body has more than 2048 values.',
      });
    }
  });

  it.each([
    '{}',
    ' {"a" : [ 1 , -0.5e-3 , true , null , "\\u00e9\\ud83d\\ude00\\/\\b" ] } \r\n\t',
    '{"a":"constructor and __proto__ as values"}',
    '{"constructor":"Bob","prototype":{"a":1},"toString":null,"hasOwnProperty":1}',
    '{"":0,"a":{"":{}}}',
    '{"a":1,"a":2}',
    '{"ключ":"значение 😀 \u007f \u2028"}',
    '{"a":1e308,"b":123456789012345678}',
    '{"a":"\\u0000","b":"\\ud800"}',
  ])('%j is accepted, and kept as sent', async (text) => {
    const response = await post(text);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toEqual({ members: JSON.parse(text), raw: text });
  });
});

describe('The number of values of a large body', () => {
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

  it.each([
    ['members', { a: 1, b: 2, c: 3 }, 3],
    ['items', { a: [1, 2, 3, 4] }, 5],
    ['objects in lists', [{ a: 1 }, { b: 2 }], 4],
    ['texts with signs of JSON', { a: '[,{,"\\"\\\\,', b: '\\\\' }, 2],
  ])('is counted before it is parsed: %s', (_what, value, count) => {
    expect([hasMoreValues(bytes(value), count), hasMoreValues(bytes(value), count - 1)]).toEqual([false, true]);
  });

  it('counts nothing in the text of a file, however long', () => {
    expect(hasMoreValues(bytes({ rows: '"a","b"\n[{,'.repeat(10_000) }), 1)).toBe(false);
  });

  it('ends at the first value too many, so that a body of millions costs nothing', () => {
    const body = Buffer.from(`{"m":[${'0,'.repeat(3_000_000)}0]}`);
    const { user: before } = process.threadCpuUsage();
    expect(hasMoreValues(body, 50_000)).toBe(true);
    expect(process.threadCpuUsage().user - before).toBeLessThan(50_000);
  });
});
