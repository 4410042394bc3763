// Tests hostile bodies: rejected with a 4xx or accepted unchanged, never a 5xx and never a changed value (contract 1.6, 3.3).
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call, ingestProblem, postLead, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { holdTable } from '../support/held-table.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { openRaw, type RawResponse, requestText } from '../support/raw-http.ts';
import { type StoredLead, storedLead, storedLeads } from '../support/stored-lead.ts';
import { marketYaml, sampleLead } from './market.ts';

const PATH = '/api/v1/ingest';
const KIB_64 = 65_536;
/** A minimal lead; the tested member follows. */
const LEAD = '{"full_name":"Jordan Rivera","email":"jordan@example.com"';

let market: TestMarketplace;
let key: string;
let port: number;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
  key = await market.supplierKey('acme-media');
  port = Number(new URL(market.url).port);
});
afterAll(() => market.close());

const send = (body: string): Promise<ApiResponse> => postLead(market.url, key, body);

async function taken(body: string): Promise<StoredLead> {
  const { status, text, json } = await send(body);
  expect([status, text]).toEqual([202, text]);
  return storedLead(market.database, json.lead_id);
}

/** Sends bytes unchanged, on a separate connection. */
async function sendBytes(body: Buffer, headers: Record<string, string> = {}): Promise<RawResponse | null> {
  const connection = openRaw(port);
  connection.send(
    requestText(`POST ${PATH}`, { 'x-api-key': key, 'content-type': 'application/json', ...headers }, body),
  );
  const response = await connection.response();
  connection.destroy();
  return response;
}

describe('A body that is not a JSON object', () => {
  it.each([
    '',
    ' ',
    'null',
    'true',
    '0',
    '""',
    '"{}"',
    '[]',
    '[{"full_name":"Jordan","email":"j@example.com"}]',
    '{',
    '{}{}',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":0x1}',
    '{"a":"\u0000"}',
    '{"a":"\n"}',
    '{"a":"\t"}',
    String.raw`{"a":"\x41"}`,
    String.raw`{"a":"\u12"}`,
    '{"a":undefined}',
    '{"a":1}//',
    '/**/{"a":1}',
    '\ufeff{"full_name":"Jordan","email":"j@example.com"}',
    '\u00a0{}',
    '<lead/>',
    'full_name=Jordan&email=j%40example.com',
    '['.repeat(30_000),
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    '{"a":'.repeat(10_000),
  ])('is rejected: %j', async (body) => {
    expect(problemFacts(await send(body))).toEqual(ingestProblem(400, 'invalid_json'));
  });

  it.each([
    ['a byte order mark', Buffer.from(`\ufeff${LEAD}}`)],
    ['UTF-16', Buffer.from(`${LEAD}}`, 'utf16le')],
    ['UTF-16 with its mark', Buffer.from(`\ufeff${LEAD}}`, 'utf16le')],
    ['Latin-1', Buffer.from(`${LEAD},"source":"caf\u00e9"}`, 'latin1')],
    [
      'a cut sequence',
      Buffer.concat([Buffer.from(`${LEAD},"source":"`), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
    ],
    [
      'an encoded surrogate',
      Buffer.concat([Buffer.from(`${LEAD},"source":"`), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    [
      'an overlong NUL',
      Buffer.concat([Buffer.from(`${LEAD},"source":"`), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
    ],
    ['a NUL byte', Buffer.from(`${LEAD},"source":"\0"}`)],
    ['nothing but NULs', Buffer.alloc(100)],
    ['gzip', gzipSync(`${LEAD}}`)],
  ])('is rejected as bytes: %s', async (_, bytes) => {
    const response = await sendBytes(bytes);
    expect([response?.status, JSON.parse(response?.body ?? '')]).toMatchObject([
      400,
      { code: 'invalid_json', accepted: false },
    ]);
  });
});

describe('A body with names of prototypes', () => {
  it.each([
    '{"__proto__":{"isAdmin":true},"full_name":"J","email":"j@example.com"}',
    `${LEAD},"a":{"__proto__":{"isAdmin":true}}}`,
    `${LEAD},"a":[{"b":{"__proto__":1}}]}`,
    String.raw`{"full_name":"J","email":"j@example.com","\u005f\u005fproto__":{"isAdmin":true}}`,
    `${LEAD},"constructor":{"prototype":{"isAdmin":true}}}`,
    `${LEAD},"a":${'['.repeat(64)}${']'.repeat(64)}}`,
    `${LEAD},"a":1e400}`,
    `${LEAD},"a":-1e400}`,
    `${LEAD},"debt_amount":1e400}`,
    `${LEAD},"a":[${'9'.repeat(400)}]}`,
  ])('is rejected: %j', async (body) => {
    expect(problemFacts(await send(body))).toEqual(ingestProblem(400, 'invalid_json'));
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });
});

describe('An unusual but valid lead', () => {
  it.each([
    '"a":{"deep":[[[[[[[[[[1]]]]]]]]]]}',
    `"a":${'['.repeat(62)}${']'.repeat(62)}`,
    '"constructor":"x","prototype":{"a":1},"toString":null,"hasOwnProperty":[1],"valueOf":1,"__defineGetter__":"y"',
    '"a":-1,"b":0.1,"c":1e-7,"d":1e+21,"e":5e-324,"f":1.7976931348623157e+308',
    '"a":12345678901234567890,"b":[9007199254740993],"c":{"d":0.12345678901234567890123}',
    '"a":1e-400000,"b":2',
    String.raw`"a":"\u0000","\u0000":"b","c":["x\u0000y"]`,
    String.raw`"a":"\u001f\u007f\u0085\u2028\u202e\ufffe\uffff","b":"\/\b\f\n\r\t\"\\"`,
    '"":"empty name"," ":"blank name","a.b":1,"a[0]":2,"$set":3,"$where":"4"',
    `"a":"'; DROP TABLE lead; --","b":"\${7*7}","c":"{{7*7}}","d":"%s%n","e":"../../etc/passwd"`,
    `"é":"\u{1f600}","e\u0301":"decomposed","\u{10ffff}":"last"`,
    `"lead_id":"lead_00000000000000000000000000","score":100,"accepted":true,"state ":"x","Email":"other"`,
    `"long":"${'x'.repeat(60_000)}"`,
    `"${'n'.repeat(60_000)}":1`,
    Array.from({ length: 2000 }, (_, at) => `"m${at}":${at % 10}`).join(','),
    `"list":[${Array.from({ length: 2000 }, () => '1').join(',')}]`,
  ])('is stored as sent in case %#', async (more) => {
    const body = `${LEAD},${more}}`;
    const stored = await taken(body);
    expect(stored.rawBody).toBe(body);
    // Compares texts, as parsing could hide a difference: numbers are compared as they are written.
    const sent = JSON.parse(`{${more}}`, exactly) as unknown;
    expect((JSON.parse(stored.fieldsText ?? '', exactly) as { extra: unknown }).extra).toEqual(sent);
  });

  it('has the last value of two members with one name, and the received body keeps both', async () => {
    const body =
      '{"full_name":"First","email":"a@example.com","email":"b@example.com","full_name":"Second","x":1,"x":2}';
    const stored = await taken(body);
    expect([stored.fields?.fullName, stored.fields?.email, stored.fields?.extra, stored.rawBody]).toEqual([
      'Second',
      'b@example.com',
      { x: 2 },
      body,
    ]);
  });

  it('may have escaped names', async () => {
    const stored = await taken(String.raw`{"\u0066ull_name":"Jordan","em\u0061il":"j@example.com"}`);
    expect([stored.fields?.fullName, stored.fields?.extra]).toEqual(['Jordan', {}]);
  });

  it.each([
    ['"full_name":"a\\u0000b"', 'full_name invalid'],
    ['"full_name":"\\ud83d"', 'full_name invalid'],
    ['"external_id":"\\u0000"', 'external_id invalid'],
    ['"external_id":"\\udc00"', 'external_id invalid'],
    ['"external_id":{"toString":"x"}', 'external_id invalid'],
    ['"external_id":["A-1"]', 'external_id invalid'],
    ['"state":["CA"]', 'state invalid'],
    ['"debt_amount":12345678901234567890', 'debt_amount invalid'],
    ['"debt_amount":0.1234567890123456789', 'debt_amount invalid'],
    ['"source":9007199254740993', 'source invalid'],
    ['"test":1', 'test invalid'],
    ['"test":"true"', 'test invalid'],
    ['"tcpa_consent":0', 'tcpa_consent invalid'],
    // Further members are looked at as well, in the order of the body.
    [
      String.raw`"a":"\ud800","b":"\ud83d\ude00","\udfff":"b","c":["\udc00\ud800"]`,
      String.raw`a invalid; \udfff invalid; c invalid`,
    ],
    [String.raw`"deep":{"list":[1,{"\ud800":1}]},"source":5`, 'source invalid; deep invalid'],
    [String.raw`"a; b":"\udc00"`, String.raw`a\u003b b invalid`],
    [String.raw`"first_name":"\ud800"`, 'first_name invalid'],
  ])('with %s in a field is rejected with: %s', async (more, reason) => {
    const { status, json } = await send(`{"full_name":"Jordan Rivera","email":"jordan@example.com",${more}}`);
    expect([status, json.reason]).toEqual([422, reason]);
  });

  it('has numbers that are exact to the cent', async () => {
    const stored = await taken(`${LEAD},"debt_amount":24500.50000000000000000}`);
    expect(stored.fields?.debtAmountCents).toBe(2_450_050);
  });
});

describe('The size of a body', () => {
  const ofSize = (bytes: number, filling = 'x'): string => {
    const rest = bytes - Buffer.byteLength(`${LEAD},"note":""}`);
    const unit = Buffer.byteLength(filling);
    return `${LEAD},"note":"${filling.repeat(Math.floor(rest / unit))}${'x'.repeat(rest % unit)}"}`;
  };

  it('may be 64 KiB to the byte', async () => {
    const body = ofSize(KIB_64);
    expect(Buffer.byteLength(body)).toBe(KIB_64);
    expect((await taken(body)).rawBody).toBe(body);
  });

  it('is counted in bytes, not in characters', async () => {
    expect((await taken(ofSize(KIB_64, '😀'))).rawBody.length).toBeLessThan(KIB_64 / 1.9);
    expect((await send(ofSize(KIB_64 + 1, '😀'))).status).toBe(413);
  });

  it('may not be a byte more', async () => {
    expect(problemFacts(await send(ofSize(KIB_64 + 1)))).toEqual(ingestProblem(413, 'body_too_large'));
    expect(problemFacts(await send(`${ofSize(KIB_64)} `))).toEqual(ingestProblem(413, 'body_too_large'));
  });

  it('has the same limit in chunks', async () => {
    for (const [bytes, status] of [
      [KIB_64, 202],
      [KIB_64 + 1, 413],
    ] as const) {
      const connection = openRaw(port);
      const headers = { 'x-api-key': key, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      connection.send(requestText(`POST ${PATH}`, headers));
      for (const part of ofSize(bytes).match(/[\s\S]{1,5000}/g) ?? []) {
        connection.send(`${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
      }
      connection.send('0\r\n\r\n');
      expect((await connection.response())?.status).toBe(status);
      connection.destroy();
    }
  });

  it('is rejected by its Content-Length alone', async () => {
    const connection = openRaw(port);
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': '99999999999' };
    connection.send(requestText(`POST ${PATH}`, headers));
    expect((await connection.response())?.status).toBe(413);
    connection.destroy();
  });

  it('may not be a hundred thousand members', async () => {
    const members = Array.from({ length: 100_000 }, (_, at) => `"m${at}":1`).join(',');
    expect((await send(`${LEAD},${members}}`)).status).toBe(413);
  });
});

describe('The content type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf8',
    'application/json;',
  ])('%s is accepted as JSON', async (type) => {
    const response = await sendBytes(Buffer.from(`${LEAD}}`), { 'content-type': type });
    expect(response?.status).toBe(202);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/jsonp',
    'application/json-seq',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json, application/json',
    'application/json; charset=utf-8; charset=utf-16',
    'json',
    '*/*',
    ';',
  ])('%s is rejected', async (type) => {
    const response = await sendBytes(Buffer.from(`${LEAD}}`), { 'content-type': type });
    expect([response?.status, JSON.parse(response?.body ?? '').code]).toEqual([415, 'unsupported_media_type']);
  });

  it('is required', async () => {
    const connection = openRaw(port);
    connection.send(requestText(`POST ${PATH}`, { 'x-api-key': key }, `${LEAD}}`));
    expect((await connection.response())?.status).toBe(415);
    connection.destroy();
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'x-gzip', 'identity, gzip', 'nonsense'])(
    'with Content-Encoding %s is rejected',
    async (encoding) => {
      const response = await sendBytes(gzipSync(`${LEAD}}`), { 'content-encoding': encoding });
      expect([response?.status, JSON.parse(response?.body ?? '').code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('with Content-Encoding identity is accepted', async () => {
    expect((await sendBytes(Buffer.from(`${LEAD}}`), { 'content-encoding': 'identity' }))?.status).toBe(202);
  });
});

describe('A client that', () => {
  it('hangs up in the middle of its body stores nothing', async () => {
    for (let round = 0; round < 20; round += 1) {
      const connection = openRaw(port);
      connection.send(
        requestText(`POST ${PATH}`, { 'x-api-key': key, 'content-type': 'application/json', 'content-length': '500' }),
      );
      connection.send(LEAD);
      connection.destroy();
      await connection.closed;
    }
    expect((await call(`${market.url}/readyz`)).status).toBe(200);
  });

  it('hangs up before the response has submitted its lead', async () => {
    const held = await holdTable(market.database, 'lead');
    const connection = openRaw(port);
    const body = JSON.stringify(sampleLead(900));
    connection.send(requestText(`POST ${PATH}`, { 'x-api-key': key, 'content-type': 'application/json' }, body));
    await held.waiters(1);
    connection.destroy();
    await connection.closed;
    await held.release();
    await eventually('the lead is stored', async () => {
      const stored = await storedLeads(market.database, 'acme-media');
      return stored.some(({ externalId }) => externalId === 'A-900');
    });
    const repeat = await postLead(market.url, key, sampleLead(900));
    expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
  });
});

describe('Any submission of JSON', () => {
  const standardName = fc.constantFrom(
    'external_id',
    'full_name',
    'first_name',
    'last_name',
    'email',
    'phone',
    'business_name',
    'state',
    'debt_amount',
    'source',
    'consent_timestamp',
    'source_form_url',
    'tcpa_consent',
    'lead_ip',
    'utm_source',
    'trustedform_cert_url',
    'appointment_at',
    'test',
  );
  const nearly = fc.constantFrom<unknown>(
    'Jordan',
    'jordan@example.com',
    '+15555550123',
    'CA',
    '24500.00',
    24_500,
    true,
    '2026-11-20T17:03:11Z',
    'https://x.example/?utm_source=y',
    '203.0.113.1',
    null,
    '',
    ' ',
  );
  const text = fc.string({
    unit: fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('\0', '\ud800', '\udfff', '\u200b'),
    ),
    maxLength: 20,
  });
  const anything = fc.oneof(
    { arbitrary: nearly, weight: 3 },
    text,
    fc.jsonValue({ maxDepth: 4 }),
    fc.double(),
    fc.maxSafeInteger(),
  );
  const name = fc.oneof(
    { arbitrary: standardName, weight: 3 },
    text,
    fc.constantFrom('__proto__', 'constructor', 'toString', 'a.b'),
  );
  const body = fc.dictionary(name, anything, { maxKeys: 14, noNullPrototype: false });

  it('gets 202, 422, 400 or 409, and an accepted one is stored as sent', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (members) => {
        const sent = JSON.stringify(members);
        const { status, json, text: seen } = await send(sent);
        expect([202, 400, 409, 422]).toContain(status);
        if (status === 202) {
          const stored = await storedLead(market.database, json.lead_id);
          // A repetition gets the lead of the first submission.
          if (stored.externalId === null) expect(stored.rawBody).toBe(sent);
          const standard =
            /^(?:external_id|full_name|first_name|last_name|email|phone|business_name|state|debt_amount|source|consent_.*|source_form_url|tcpa_consent|lead_ip|utm_.*|trustedform_cert_url|jornaya_lead_id|appointment_at|test)$/;
          const extra = Object.fromEntries(
            Object.entries(JSON.parse(sent) as object).filter(([one]) => !standard.test(one)),
          );
          expect(stored.fields?.extra).toMatchObject(extra);
        } else {
          expect([json.accepted, typeof json.reason, typeof json.processingTime, seen]).toEqual([
            false,
            'string',
            'number',
            seen,
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('with one member of any kind more is accepted, or rejected for that member alone', async () => {
    await fc.assert(
      fc.asyncProperty(name, anything, async (one, value) => {
        const sent = JSON.stringify(
          Object.fromEntries([
            ...Object.entries({ full_name: 'Jordan', email: 'j@example.com', phone: '+15555550123' }),
            [one, value],
          ]),
        );
        const { status, json } = await send(sent);
        const accepted = [202, 409];
        if (accepted.includes(status)) return;
        if (status === 400) expect(sent).toMatch(/__proto__|constructor/);
        else
          expect([status, json.reason]).toEqual([
            422,
            expect.toBeOneOf([`${shownName(one)} invalid`, `${one} too long`, 'name required']),
          ]);
      }),
      { numRuns: 300 },
    );
  });

  it('as any bytes gets a 4xx or is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const response = await sendBytes(Buffer.from(bytes));
        expect([202, 400, 422]).toContain(response?.status);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves the service working', async () => {
    const responses = [await call(`${market.url}/readyz`), await postLead(market.url, key, sampleLead(901))];
    expect(responses.map(({ status }) => status)).toEqual([200, 202]);
  });
});

/** A reviver that keeps numbers as they are written, up to the spelling of the same value. */
function exactly(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? '';
  const isExact = /^-?(?:\d{1,15}|\d{1,15}\.\d{1,15})$/.test(source) && source.replace(/\D/g, '').length <= 15;
  return isExact || String(value) === source || JSON.stringify(value) === source ? value : `number ${source}`;
}

/** As a rejection names a member. */
function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 100))
    .slice(1, -1)
    .replaceAll(';', String.raw`\u003b`);
}
