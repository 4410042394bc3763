import type { CredentialId } from '../../base/ids.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Type } from 'typebox';

import { exchange, openRaw, portOf, requestText } from '../../../test/support/raw-http.ts';
import { OutsideError } from '../outside-error.ts';
import { createLog } from '../log.ts';
import type { App } from './app.ts';
import { createServer } from './server.ts';
import { registerScope } from './scope.ts';

const written: string[] = [];

let app: App;
let port = 0;

beforeAll(async () => {
  app = createServer({
    log: createLog('info', { write: (line) => void written.push(line) }),
    trustProxy: [],
    extras: new Map([
      [
        '/api/v1/things',
        (problem, elapsedMs) => ({ accepted: false, reason: problem.detail, timed: typeof elapsedMs }),
      ],
    ]),
    maxConnections: 500,
  });
  registerScope(app, {
    name: 'supplier',
    header: 'x-api-key',
    clock: { now: () => new Date('2026-11-20T12:00:00Z') },
    authenticate: (presented) =>
      presented === 'unknown' ? null : { credentialId: presented as CredentialId, ownerKey: presented },
    admit: ({ ownerKey }) => (ownerKey === 'forbidden' ? { status: 403, code: 'supplier_not_approved' } : null),
    rateLimitOf: ({ ownerKey }) =>
      ownerKey === 'limited' ? { perSecond: 1, burst: 1 } : { perSecond: 1000, burst: 2000 },
    routes(scope) {
      scope.post(
        '/api/v1/things',
        { schema: { body: Type.Object({ name: Type.String() }, { additionalProperties: false }) } },
        (request, reply) => reply.code(201).send(request.body),
      );
      scope.get('/api/v1/things/:id', (request, reply) => reply.send(request.params));
      scope.patch('/api/v1/things/:id', (_request, reply) => reply.send({}));
      scope.delete('/api/v1/things/:id', (_request, reply) => reply.send({ gone: true }));
      scope.post('/api/v1/things/:id/touch', { config: { emptyBody: true } }, (request, reply) =>
        reply.send({ body: request.body ?? null }),
      );
      scope.get(
        '/api/v1/list',
        {
          schema: {
            querystring: Type.Object({
              page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
              pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
              from: Type.Optional(Type.String({ format: 'date' })),
            }),
          },
        },
        (request, reply) => reply.send(request.query),
      );
    },
  });
  app.get('/open', (_request, reply) => reply.send({ open: true }));
  app.get('/fails', () => {
    throw new Error('jane@example.com broke it');
  });
  app.get('/outside', () => {
    throw new OutsideError('database_unavailable', 'Storage is unavailable.', { retryable: true });
  });
  app.get('/later', () => Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' })));
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(app);
});
afterAll(() => app.close());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const KEY = { 'X-Api-Key': 'good' };

describe('The order of checks', () => {
  const big = 'x'.repeat(70_000);
  const steps: ReadonlyArray<{
    name: string;
    line: string;
    headers: Record<string, string>;
    body: string;
    status: number;
    code: string;
  }> = [
    { name: 'an unknown path', line: 'POST /api/v1/nothing', headers: {}, body: big, status: 404, code: 'not_found' },
    {
      name: 'a wrong method',
      line: 'PUT /api/v1/things',
      headers: {},
      body: big,
      status: 405,
      code: 'method_not_allowed',
    },
    { name: 'no credential', line: 'POST /api/v1/things', headers: {}, body: big, status: 401, code: 'unauthorized' },
    {
      name: 'an unknown credential',
      line: 'POST /api/v1/things',
      headers: { 'X-Api-Key': 'unknown' },
      body: big,
      status: 401,
      code: 'unauthorized',
    },
    {
      name: 'a forbidden owner',
      line: 'POST /api/v1/things',
      headers: { 'X-Api-Key': 'forbidden' },
      body: big,
      status: 403,
      code: 'supplier_not_approved',
    },
    {
      name: 'a large body of the wrong type',
      line: 'POST /api/v1/things',
      headers: { ...KEY, 'Content-Type': 'text/plain' },
      body: big,
      status: 413,
      code: 'body_too_large',
    },
    {
      name: 'a broken body of the wrong type',
      line: 'POST /api/v1/things',
      headers: { ...KEY, 'Content-Type': 'text/plain' },
      body: '{',
      status: 415,
      code: 'unsupported_media_type',
    },
    {
      name: 'a broken body',
      line: 'POST /api/v1/things',
      headers: { ...KEY, ...JSON_TYPE },
      body: '{',
      status: 400,
      code: 'invalid_json',
    },
    {
      name: 'a faulty body',
      line: 'POST /api/v1/things',
      headers: { ...KEY, ...JSON_TYPE },
      body: '{}',
      status: 422,
      code: 'validation_failed',
    },
    {
      name: 'nothing',
      line: 'POST /api/v1/things',
      headers: { ...KEY, ...JSON_TYPE },
      body: '{"name":"a"}',
      status: 201,
      code: '',
    },
  ];

  it.each(steps)('reports $name first: $status', async ({ line, headers, body, status, code }) => {
    const response = await exchange(port, requestText(line, headers, body));
    expect(response.status).toBe(status);
    if (code !== '') expect(JSON.parse(response.body)).toMatchObject({ code, status });
  });

  it('reports an exceeded rate before the body, and after a forbidden owner', async () => {
    const request = requestText('POST /api/v1/things', { 'X-Api-Key': 'limited', 'Content-Type': 'text/plain' }, big);
    expect((await exchange(port, request)).status).toBe(413);
    const response = await exchange(port, request);
    expect(response.status).toBe(429);
    expect(response.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    });
  });
});

describe('Every response', () => {
  it.each([
    ['GET /open', {}, 200],
    ['GET /nothing', {}, 404],
    ['PUT /open', {}, 405],
    ['GET /api/v1/things/1', {}, 401],
    ['GET /api/v1/things/1', KEY, 200],
    ['GET /fails', {}, 500],
    ['GET /%zz', {}, 404],
  ])('to %s %j has a request id', async (line, headers, status) => {
    const own = await exchange(port, requestText(line, headers));
    expect(own.status).toBe(status);
    expect(own.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(own.headers['x-content-type-options']).toBe('nosniff');
    const given = await exchange(port, requestText(line, { ...headers, 'X-Request-Id': 'trace:17/b_c~d+e=.F' }));
    expect(given.headers['x-request-id']).toBe('trace:17/b_c~d+e=.F');
    if (status >= 400) expect(JSON.parse(given.body)).toMatchObject({ requestId: 'trace:17/b_c~d+e=.F' });
  });

  it.each(['', 'a b', 'a,b', 'a"b', 'a<b', "a'b", 'ä', 'x'.repeat(65), 'a\tb'])(
    'has a new request id instead of %j',
    async (id) => {
      const response = await exchange(port, requestText('GET /open', { 'X-Request-Id': id }));
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('has a new request id if two were sent', async () => {
    const response = await exchange(
      port,
      'GET /open HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n',
    );
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('A problem document', () => {
  it('has exactly the members of the contract, and the members of its path', async () => {
    const plain = await exchange(port, requestText('GET /nothing'));
    expect(plain.headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
    expect(JSON.parse(plain.body)).toEqual({
      type: '/docs/errors/not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is no such resource, or you have no access to it.',
      code: 'not_found',
      requestId: plain.headers['x-request-id'],
    });
    const faulty = JSON.parse(
      (await exchange(port, requestText('POST /api/v1/things', { ...KEY, ...JSON_TYPE }, '{"other":1}'))).body,
    ) as object;
    expect(faulty).toMatchObject({
      errors: [
        { field: 'name', code: 'required', message: 'is required' },
        { field: 'other', code: 'unknown_field', message: 'is not known here' },
      ],
      accepted: false,
      reason: 'Members of the body are missing or have values that are not allowed.',
      timed: 'number',
    });
  });

  it.each([
    ['GET /api/v1/things', {}, undefined, 405],
    ['DELETE /api/v1/things?a=b', {}, undefined, 405],
    ['POST /api/v1/things', {}, '{}', 401],
    ['POST /api/v1/things?x', KEY, '{}', 415],
    ['POST http://host/api/v1/things', { ...KEY, ...JSON_TYPE }, '[]', 400],
    ['POST /api/v1/thing%73', { ...KEY, ...JSON_TYPE }, '{}', 422],
  ])('for %s %j %j has the further members of its path', async (line, headers, body, status) => {
    const response = await exchange(port, requestText(line, headers, body));
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toMatchObject({ accepted: false, reason: expect.any(String) });
  });

  it('contains no internal details, and neither does the log', async () => {
    const response = await exchange(
      port,
      requestText('GET /fails?email=jane@example.com', { 'X-Request-Id': 'find-me' }),
    );
    expect(response.status).toBe(500);
    expect(JSON.parse(response.body)).toMatchObject({
      code: 'internal_error',
      detail: 'The service has an internal error.',
    });
    expect(response.body + written.join('')).not.toContain('jane');
    const line = written
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ requestId }) => requestId === 'find-me');
    expect(line).toMatchObject({
      level: 'error',
      msg: 'internal_error',
      route: '/fails',
      method: 'GET',
      err: { type: 'Error' },
    });
  });

  it.each(['/outside', '/later'])('for unavailable storage (%s) has a Retry-After', async (path) => {
    const response = await exchange(port, requestText(`GET ${path}`));
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(JSON.parse(response.body)).toMatchObject({ code: 'unavailable' });
  });
});

describe('A known path', () => {
  it.each([
    ['PUT /api/v1/things', 'POST'],
    ['GET /api/v1/things', 'POST'],
    ['HEAD /api/v1/things', 'POST'],
    ['OPTIONS /api/v1/things', 'POST'],
    ['TRACE /api/v1/things', 'POST'],
    ['PROPFIND /api/v1/things', 'POST'],
    ['POST /api/v1/things/17', 'GET, HEAD, PATCH, DELETE'],
    ['OPTIONS /api/v1/things/17?a=b', 'GET, HEAD, PATCH, DELETE'],
    ['GET /api/v1/things/17/touch', 'POST'],
    ['POST /open', 'GET, HEAD'],
    ['QUERY /open', 'GET, HEAD'],
  ])('responds to %s with 405 and Allow: %s', async (line, allow) => {
    const connection = openRaw(port);
    connection.send(requestText(line, { Connection: 'close' }));
    const response = line.startsWith('HEAD') ? null : await connection.response();
    if (response !== null) {
      expect(response.status).toBe(405);
      expect(response.headers['allow']).toBe(allow);
      expect(JSON.parse(response.body)).toMatchObject({ code: 'method_not_allowed' });
    }
    connection.destroy();
  });

  it('responds to HEAD like to GET, without the body', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/open' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-length']).toBe('13');
    expect(response.body).toBe('');
    expect((await app.inject({ method: 'HEAD', url: '/nothing' })).statusCode).toBe(404);
    expect((await app.inject({ method: 'HEAD', url: '/api/v1/things' })).headers['allow']).toBe('POST');
  });
});

describe('An unusual path', () => {
  it.each([
    '/open/',
    '//open',
    '/open//',
    '/OPEN',
    '/open%00',
    '/open%2f',
    '/open;a=b',
    '/./open',
    '/a/../open',
    '/%',
    '/%e0%a4%a',
    '/%c0%af',
    '/\\open',
    '/api/v1/things/',
    '/api/v1//things',
    '/API/v1/things',
    '/api/v1/things/a/b/c',
    `/${'a'.repeat(9000)}`,
    '/__proto__',
    '/constructor',
    '/%2e%2e/open',
    '*',
    '/api/v1/things%ZZ',
    '/api/v1/things//touch',
  ])('%j is not found', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await exchange(
        port,
        requestText(`${method} ${path}`, { ...JSON_TYPE, Connection: 'close' }, '{'),
      );
      expect(response.status).toBe(404);
      expect(JSON.parse(response.body)).toMatchObject({ code: 'not_found' });
    }
  });

  it.each(['%F0%9F%98%80', 'a'.repeat(8000), '%2F%2E%2E', '__proto__', '..%5c', "'or'1'='1"])(
    'with the parameter %j reaches the route unchanged',
    async (id) => {
      const response = await exchange(port, requestText(`GET /api/v1/things/${id}`, KEY));
      expect(response.status).toBe(200);
      expect(JSON.parse(response.body)).toEqual({ id: decodeURIComponent(id) });
    },
  );
});

describe('A query', () => {
  it.each([
    ['', 200],
    ['?page=2&pageSize=100', 200],
    ['?unknown=1&unknown=2', 200],
    ['?from=2026-11-20', 200],
    ['?page=1#fragment', 400],
    ['?page=0', 400],
    ['?page=-1', 400],
    ['?page=1.5', 400],
    ['?page=one', 400],
    ['?page=1e1', 400],
    ['?page=0x10', 400],
    ['?page=%205', 400],
    ['?page=+5', 400],
    ['?page=05', 400],
    ['?page=', 400],
    ['?page', 400],
    ['?page=1&page=2', 400],
    ['?page=1&page=1', 400],
    ['?pageSize=101', 400],
    ['?page=99999999999999999999', 400],
    ['?from=2026-02-30', 400],
    ['?from=20261120', 400],
    ['?from=', 400],
    ['?page=%ZZ', 400],
    ['?page=%00', 400],
    ['?page[]=1', 200],
    ['?page=NaN', 400],
    ['?__proto__=1', 200],
    ['?page=1&pageSize=x&from=y', 400],
  ])('%j gets the response %i', async (query, status) => {
    const response = await exchange(port, requestText(`GET /api/v1/list${query}`, KEY));
    expect(response.status).toBe(status);
    const body = JSON.parse(response.body) as { code?: string; errors?: Array<{ field: string }>; page?: number };
    if (status === 200) expect(body.page).toBeTypeOf('number');
    else {
      expect(body.code).toBe('invalid_query');
      const named = [...new Set([...query.matchAll(/(page|pageSize|from)\b/g)].map(([, name]) => name))];
      expect(named).toEqual(expect.arrayContaining((body.errors ?? []).map(({ field }) => field)));
      expect(body.errors).not.toEqual([]);
    }
  });
});

describe('A body', () => {
  it.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['application/json;charset=UTF-8', 201],
    ['application/json ; charset="utf-8"', 201],
    ['APPLICATION/JSON', 201],
    ['application/json;', 201],
    ['application/json; charset=utf8', 201],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=utf-8; charset=utf-16', 415],
    ['text/plain', 415],
    ['text/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=a', 415],
    ['application/vnd.api+json', 415],
    ['application/jsonx', 415],
    ['application/json, text/plain', 415],
    ['application/json\tx', 415],
    ['json', 415],
    ['', 415],
    ['*/*', 415],
    ['application/json; profile=a', 415],
  ])('of type %j gets the response %i', async (type, status) => {
    const response = await exchange(
      port,
      requestText('POST /api/v1/things', { ...KEY, 'Content-Type': type }, '{"name":"a"}'),
    );
    expect(response.status).toBe(status);
  });

  it.each([
    [{}, 415],
    [{ 'Content-Encoding': 'gzip' }, 415],
    [{ ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 415],
    [{ ...JSON_TYPE, 'Content-Encoding': 'br' }, 415],
    [{ ...JSON_TYPE, 'Content-Encoding': 'identity, gzip' }, 415],
    [{ ...JSON_TYPE, 'Content-Encoding': 'identity' }, 201],
    [{ ...JSON_TYPE, 'Content-Encoding': '' }, 415],
  ])('with %j gets the response %i', async (headers, status) => {
    const response = await exchange(port, requestText('POST /api/v1/things', { ...KEY, ...headers }, '{"name":"a"}'));
    expect(response.status).toBe(status);
    if (status === 415) expect(response.headers['accept-encoding']).toBe('identity');
  });

  it('is required, unless the route says otherwise', async () => {
    for (const headers of [{}, JSON_TYPE, { 'Content-Length': '0' }, { ...JSON_TYPE, 'Content-Length': '0' }]) {
      const response = await exchange(port, requestText('POST /api/v1/things', { ...KEY, ...headers }));
      expect(response.status).toBe(400);
      expect(JSON.parse(response.body)).toMatchObject({ code: 'invalid_json', detail: 'The body is empty.' });
      const touched = await exchange(port, requestText('POST /api/v1/things/1/touch', { ...KEY, ...headers }));
      expect(touched.status).toBe(200);
      expect(JSON.parse(touched.body)).toEqual({ body: null });
    }
    const chunked = { ...KEY, ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
    expect(
      (await exchange(port, Buffer.concat([requestText('POST /api/v1/things', chunked), Buffer.from('0\r\n\r\n')])))
        .status,
    ).toBe(400);
    expect(
      (
        await exchange(
          port,
          Buffer.concat([requestText('POST /api/v1/things/1/touch', chunked), Buffer.from('0\r\n\r\n')]),
        )
      ).status,
    ).toBe(200);
  });

  it('may have 64 KiB and not one byte more, with or without Content-Length', async () => {
    const body = (length: number): string => `{"name":"${'x'.repeat(length - 11)}"}`;
    const headers = { ...KEY, ...JSON_TYPE };
    expect((await exchange(port, requestText('POST /api/v1/things', headers, body(65_536)))).status).toBe(201);
    expect((await exchange(port, requestText('POST /api/v1/things', headers, body(65_537)))).status).toBe(413);
    const chunked = (text: string): Buffer =>
      Buffer.concat([
        requestText('POST /api/v1/things', { ...headers, 'Transfer-Encoding': 'chunked' }),
        Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`),
      ]);
    expect((await exchange(port, chunked(body(65_536)))).status).toBe(201);
    expect((await exchange(port, chunked(body(65_537)))).status).toBe(413);
  });

  it('that is rejected is read to its end, so that the connection serves the next request', async () => {
    const connection = openRaw(port);
    const big = 'x'.repeat(3_000_000);
    connection.send(requestText('POST /api/v1/things', { ...KEY, ...JSON_TYPE }, big));
    expect((await connection.response())?.status).toBe(413);
    connection.send(requestText('POST /nothing', {}, big));
    expect((await connection.response())?.status).toBe(404);
    connection.send(requestText('POST /api/v1/things', { ...KEY, ...JSON_TYPE }, '{'));
    expect((await connection.response())?.status).toBe(400);
    connection.send(
      Buffer.concat([
        requestText('POST /api/v1/things', { ...KEY, ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }),
        Buffer.from(`${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`),
      ]),
    );
    expect((await connection.response())?.status).toBe(413);
    connection.send(requestText('POST /api/v1/things', { ...KEY, ...JSON_TYPE }, '{"name":"a"}'));
    expect((await connection.response())?.status).toBe(201);
    connection.destroy();
  });

  it('that is rejected and never ends is cut off', async () => {
    const connection = openRaw(port);
    connection.send(requestText('POST /api/v1/things', { 'Content-Length': String(2 ** 40) }));
    expect((await connection.response())?.status).toBe(401);
    const piece = Buffer.alloc(1_000_000);
    for (let index = 0; index < 40; index += 1) connection.send(piece);
    await connection.closed;
  });

  it('is ignored for methods without a body', async () => {
    const connection = openRaw(port);
    for (const line of ['GET /open', 'GET /api/v1/things/1', 'DELETE /api/v1/things/1']) {
      for (const headers of [{}, JSON_TYPE, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }]) {
        connection.send(requestText(line, { ...KEY, ...headers }, '{ no JSON'));
        expect((await connection.response())?.status).toBe(200);
      }
    }
    connection.send(requestText('DELETE /api/v1/things/1', { ...KEY, ...JSON_TYPE }));
    expect((await connection.response())?.status).toBe(200);
    connection.destroy();
  });

  it('is requested with 100 Continue only if it will be read', async () => {
    const refused = openRaw(port);
    refused.send(requestText('POST /api/v1/things', { ...JSON_TYPE, Expect: '100-continue', 'Content-Length': '12' }));
    expect((await refused.response())?.status).toBe(401);
    refused.destroy();
    const wanted = openRaw(port);
    wanted.send(
      requestText('POST /api/v1/things', { ...KEY, ...JSON_TYPE, Expect: '100-continue', 'Content-Length': '12' }),
    );
    wanted.send('{"name":"a"}');
    expect((await wanted.response())?.status).toBe(201);
    wanted.destroy();
    expect((await exchange(port, requestText('GET /open', { Expect: 'a miracle' }))).status).toBe(200);
  });
});

describe('A credential', () => {
  it('that is sent twice is rejected', async () => {
    const twice = 'GET /api/v1/things/1 HTTP/1.1\r\nHost: a\r\nX-Api-Key: good\r\nX-Api-Key: good\r\n\r\n';
    const response = await exchange(port, twice);
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('ApiKey realm="lead-marketplace"');
  });
});

describe('Malformed HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'bad_request'],
    ['a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex'), 400, 'bad_request'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad_request'],
    ['a path without slash', 'GET open HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['an unknown method', 'BREW /open HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'bad_request'],
    ['a header without colon', 'GET /open HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n', 400, 'bad_request'],
    ['a blank before the colon', 'GET /open HTTP/1.1\r\nHost : a\r\n\r\n', 400, 'bad_request'],
    ['a control character in a header', 'GET /open HTTP/1.1\r\nHost: a\r\nX: \u0001\r\n\r\n', 400, 'bad_request'],
    [
      'length and chunks at once',
      'POST /open HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'two lengths',
      'POST /open HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      400,
      'bad_request',
    ],
    ['a negative length', 'POST /open HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400, 'bad_request'],
    ['no Host', 'GET /open HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    [
      'headers without end',
      `GET /open HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['a path without end', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers_too_large'],
    ['very many headers', `GET /open HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(5000)}\r\n`, 431, 'headers_too_large'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405, 'method_not_allowed'],
  ])('(%s) gets a problem document', async (_name, bytes, status, code) => {
    const response = await exchange(port, bytes);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(response.body)).toMatchObject({ code, status, requestId: response.headers['x-request-id'] });
  });

  it('in the middle of a body gets the members of its path', async () => {
    const connection = openRaw(port);
    connection.send(
      requestText('POST /api/v1/things', {
        ...KEY,
        ...JSON_TYPE,
        'Transfer-Encoding': 'chunked',
        'X-Request-Id': 'mine',
      }),
    );
    connection.send('5\r\n{"nam\r\nzz\r\n');
    const response = await connection.response();
    expect(response).toMatchObject({ status: 400, headers: { connection: 'close', 'x-request-id': 'mine' } });
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ code: 'bad_request', accepted: false });
    await connection.closed;
  });

  it.each([
    'GET /open HTTP/1.0\r\n\r\n',
    'GET http://anything/open HTTP/1.1\r\nHost: anything\r\n\r\n',
    'GET /open HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ])('does not include %j', async (bytes) => {
    expect((await exchange(port, bytes)).status).toBe(200);
  });

  it('does not stop the server', async () => {
    expect((await exchange(port, requestText('GET /open'))).status).toBe(200);
    expect(written.filter((line) => line.includes('"fatal"'))).toEqual([]);
  });
});

describe('A route of the API outside of a scope', () => {
  it('is refused at registration', () => {
    const other = createServer({ log: createLog('silent'), trustProxy: [] });
    expect(() => other.get('/api/v1/open', () => null)).toThrow('outside of a scope');
  });
});

describe('X-Forwarded-For', () => {
  it('is read from the configured proxies only', async () => {
    const from = async (trustProxy: readonly string[]): Promise<unknown> => {
      const behind = createServer({ log: createLog('silent'), trustProxy });
      behind.get('/ip', (request, reply) => reply.send({ ip: request.ip }));
      const response = await behind.inject({
        url: '/ip',
        remoteAddress: '10.1.2.3',
        headers: { 'x-forwarded-for': '1.2.3.4, 203.0.113.7' },
      });
      await behind.close();
      return response.json<{ ip: string }>().ip;
    };
    expect(await from([])).toBe('10.1.2.3');
    expect(await from(['192.168.0.0/16'])).toBe('10.1.2.3');
    expect(await from(['10.0.0.0/8'])).toBe('203.0.113.7');
  });
});

describe('Strict-Transport-Security', () => {
  it('is in every response over https, errors included, and in none over http', async () => {
    const behind = createServer({ log: createLog('silent'), trustProxy: ['127.0.0.1'] });
    behind.get('/open', (_request, reply) => reply.send({ open: true }));
    const seen = async (url: string, scheme: string): Promise<unknown> => {
      const response = await behind.inject({ url, headers: { 'x-forwarded-proto': scheme } });
      return response.headers['strict-transport-security'];
    };
    expect(await seen('/open', 'https')).toBe('max-age=31536000');
    expect(await seen('/nothing', 'https')).toBe('max-age=31536000');
    expect(await seen('/open', 'http')).toBeUndefined();
    await behind.close();
  });
});

describe('The log of outages', () => {
  it('has one line per kind of outage and interval, with the number of outages in between', async () => {
    const lines: Array<Record<string, unknown>> = [];
    let now = Date.parse('2026-11-20T12:00:00Z');
    const busy = createServer({
      log: createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
      clock: { now: () => new Date(now) },
      trustProxy: [],
    });
    for (const code of ['database_unavailable', 'outcome_unknown'] as const) {
      busy.get(`/${code}`, () => {
        throw new OutsideError(code, 'Storage is away.', { retryable: true });
      });
    }
    const ask = async (url: string, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) expect((await busy.inject({ url })).statusCode).toBe(503);
    };
    await ask('/database_unavailable', 30);
    await ask('/outcome_unknown', 30);
    now += 10_000;
    await ask('/database_unavailable', 1);
    expect(lines).toMatchObject([
      { level: 'error', msg: 'unavailable', route: '/database_unavailable', err: { code: 'database_unavailable' } },
      { level: 'error', msg: 'unavailable', route: '/outcome_unknown', err: { code: 'outcome_unknown' } },
      { level: 'error', msg: 'unavailable', route: '/database_unavailable', repeated: 29 },
    ]);
    expect(lines[0]?.['requestId']).toEqual(expect.any(String));
    await busy.close();
  });
});

describe('The warning about untrusted proxies', () => {
  it('is logged once for a proxy nearby, and never for headers from other clients', async () => {
    const found: string[] = [];
    const behind = createServer({
      log: createLog('silent'),
      trustProxy: ['10.0.0.0/8'],
      onUntrustedProxy: (address) => void found.push(address),
    });
    behind.get('/open', (_request, reply) => reply.send({ open: true }));
    const from = (remoteAddress: string, headers: Record<string, string>) =>
      behind.inject({ url: '/open', remoteAddress, headers });
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    await from('198.51.100.9', forwarded);
    await from('10.1.2.3', forwarded);
    await from('192.168.1.2', {});
    expect(found).toEqual([]);
    await from('::ffff:192.168.1.2', forwarded);
    await from('192.168.1.3', forwarded);
    expect(found).toEqual(['::ffff:192.168.1.2']);
    await behind.close();
  });
});
