// Tests the headers of every response, and the conformance of the service to HTTP (contract 1.4).
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { beginDrain } from '../../src/platform/http/drain.ts';
import { type ApiResponse, call, getAsBuyer, getAsSupplier, postLead } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { exchange, openRaw, requestText } from '../support/raw-http.ts';
import { marketYaml, sampleLead } from './market.ts';

const INGEST = '/api/v1/ingest';
const STATS = '/api/v1/supplier/stats';
const LEADS = '/api/v1/buyer/leads';
const OUTSIDE = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/docs/errors', '/docs/errors/not_found'];

let market: TestMarketplace;
let key: string;
let token: string;
let port: number;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
  key = await market.supplierKey('acme-media');
  token = await market.buyerToken('summit');
  port = Number(new URL(market.url).port);
});
afterAll(() => market.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  call(market.url + path, { headers });

/** One response of every kind that these routes have. */
async function everyKind(): Promise<ReadonlyArray<readonly [string, ApiResponse]>> {
  const suspended = await market.buyerToken('frozen');
  return [
    ['202', await postLead(market.url, key, sampleLead(1))],
    ['repeat', await postLead(market.url, key, sampleLead(1))],
    ['409', await postLead(market.url, key, sampleLead(1, { state: 'NY' }))],
    ['422', await postLead(market.url, key, {})],
    ['400', await postLead(market.url, key, '{')],
    ['413', await postLead(market.url, key, 'x'.repeat(70_000))],
    ['415', await postLead(market.url, key, '{}', { 'content-type': 'text/plain' })],
    ['stats', await getAsSupplier(market.url, key, STATS)],
    ['stats 400', await getAsSupplier(market.url, key, `${STATS}?days=x`)],
    ['leads', await getAsBuyer(market.url, token, LEADS)],
    ['leads 400', await getAsBuyer(market.url, token, `${LEADS}?page=x`)],
    ['403', await getAsBuyer(market.url, suspended, LEADS)],
  ];
}

describe('Every response', () => {
  it('of the API has a request id, rate limits and no-store', async () => {
    for (const [kind, { headers }] of await everyKind()) {
      expect([kind, headers.get('x-request-id')]).toEqual([kind, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect([kind, headers.get('cache-control')]).toEqual([kind, 'no-store']);
      for (const name of ['limit', 'remaining', 'reset']) {
        expect([kind, name, headers.get(`ratelimit-${name}`)]).toEqual([kind, name, expect.stringMatching(/^\d+$/)]);
      }
    }
  });

  it('has a request id, also without a valid credential and outside of the API', async () => {
    const ids = new Set<string | null>();
    const paths = [INGEST, STATS, LEADS, '/', '/nothing', '/api/v1', '/docs/errors/nothing', ...OUTSIDE];
    for (const path of paths) ids.add((await get(path)).headers.get('x-request-id'));
    expect(ids.has(null)).toBe(false);
    expect(ids.size).toBe(paths.length);
  });

  it('names neither the program nor its version', async () => {
    for (const path of [LEADS, '/nothing', ...OUTSIDE]) {
      const { headers } = await get(path);
      expect([path, headers.get('server'), headers.get('x-powered-by'), headers.get('x-content-type-options')]).toEqual(
        [path, null, null, 'nosniff'],
      );
    }
  });

  it('allows no other site to read it', async () => {
    const { headers } = await get(STATS, { origin: 'https://elsewhere.example', 'x-api-key': key });
    expect([headers.get('access-control-allow-origin'), headers.get('set-cookie')]).toEqual([null, null]);
  });

  it('with JSON has its content type, with a character set if one is defined', async () => {
    expect((await getAsSupplier(market.url, key, STATS)).headers.get('content-type')).toBe(
      'application/json; charset=utf-8',
    );
    expect((await getAsBuyer(market.url, token, LEADS)).headers.get('content-type')).toBe(
      'application/json; charset=utf-8',
    );
    expect((await get(STATS)).headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('X-Request-Id', () => {
  it.each(['order-1001', 'a', '01890f6e-9c7a-7cc0-98f5-8b3a6a0a0a0a', 'x'.repeat(64), 'a/b+c=d.e:f~g_h'])(
    '%s is taken from the request, also into the problem document',
    async (id) => {
      const response = await get(STATS, { 'x-request-id': id });
      expect([response.headers.get('x-request-id'), response.json.requestId]).toEqual([id, id]);
      const stats = await get(STATS, { 'x-request-id': id, 'x-api-key': key });
      expect(stats.headers.get('x-request-id')).toBe(id);
    },
  );

  it.each([
    ['longer than 64 characters', 'x'.repeat(65)],
    ['with a blank', 'a b'],
    ['with a tag', '<script>'],
    ['with a quote', 'a"b'],
    ['with another script', 'é'],
    ['with a line break', 'a%0d%0ab'],
    ['given twice', 'a\r\nX-Request-Id: b'],
    ['that is empty', ''],
    ['that is a phone number', '+15555550123'],
    ['that is an IPv4 address', '203.0.113.24'],
    ['that is an IPv6 address', '2001:db8::24'],
    ['that holds a credential', 'key-lms_0123456789'],
  ])('%s is replaced by a generated id', async (_, id) => {
    const response = await exchange(port, requestText(`GET ${STATS}`, { 'X-Request-Id': id }));
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(response.body).requestId).toBe(response.headers['x-request-id']);
  });
});

describe('A method', () => {
  it.each([STATS, LEADS, '/healthz', '/readyz', '/openapi.json', '/docs/errors'])(
    'HEAD %s gets the response of GET, without a body',
    async (path) => {
      const headers = { 'x-api-key': key, authorization: `Bearer ${token}` };
      const [whole, head] = [await get(path, headers), await call(market.url + path, { method: 'HEAD', headers })];
      expect([head.status, head.text]).toEqual([whole.status, '']);
      for (const name of ['content-type', 'cache-control', 'content-length', 'etag', 'link']) {
        expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
      }
    },
  );

  it('HEAD requires the credential as well', async () => {
    expect((await call(market.url + LEADS, { method: 'HEAD' })).status).toBe(401);
  });

  it.each([
    ['POST', STATS, 'GET, HEAD'],
    ['PUT', LEADS, 'GET, HEAD'],
    ['PATCH', LEADS, 'GET, HEAD'],
    ['DELETE', STATS, 'GET, HEAD'],
    ['OPTIONS', STATS, 'GET, HEAD'],
    ['OPTIONS', INGEST, 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
  ])('%s %s is not allowed, and the response lists the allowed methods', async (method, path, allow) => {
    const response = await call(market.url + path, { method });
    expect([response.status, response.headers.get('allow'), response.json.code]).toEqual([
      405,
      allow,
      'method_not_allowed',
    ]);
  });

  it.each(['TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'REPORT', 'SEARCH', 'LOCK', 'M-SEARCH', 'QUERY'])(
    '%s is rejected on every path',
    async (method) => {
      const response = await exchange(port, requestText(`${method} ${LEADS}`, { authorization: `Bearer ${token}` }));
      expect([response.status, response.headers['content-type']]).toEqual([405, 'application/problem+json']);
      expect(response.headers['allow']).toContain('GET');
    },
  );

  it('unknown to HTTP is rejected, and the next connection is served', async () => {
    for (const line of ['BREW /healthz', 'get /healthz', '']) {
      const response = await exchange(port, `${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect([line, response.status, response.headers['content-type']]).toEqual([
        line,
        400,
        'application/problem+json',
      ]);
      expect(JSON.parse(response.body).requestId).toBe(response.headers['x-request-id']);
    }
    expect((await get('/healthz')).status).toBe(200);
  });

  it('OPTIONS * gets a response', async () => {
    const response = await exchange(port, requestText('OPTIONS *'));
    expect([404, 405]).toContain(response.status);
  });
});

describe('A path', () => {
  it.each([
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v2/ingest',
    '/api/v1/supplier',
    '/api/v1/buyer/leads/',
    '//api/v1/buyer/leads',
    '/api/v1/buyer/leads%00',
    '/api/v1/buyer/leads%2f',
    '/api/v1/../v1/buyer/lead',
    '/api/v1/buyer/leads;x=1',
    '/%zz',
    '/%c0%ae%c0%ae/etc/passwd',
    '/favicon.ico',
    `/${'x'.repeat(8000)}`,
  ])('%s is not found', async (path) => {
    const response = await exchange(port, requestText(`GET ${path}`, { authorization: `Bearer ${token}` }));
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/problem+json']);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'not_found', status: 404, type: '/docs/errors/not_found' });
  });

  it('may have scheme and host, as proxies send it', async () => {
    const response = await exchange(port, requestText(`GET http://${new URL(market.url).host}/healthz`));
    expect(response.status).toBe(200);
  });
});

describe('A connection', () => {
  it('takes one request after the other, after any response', async () => {
    const connection = openRaw(port);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const requests = [
      requestText(`POST ${INGEST}`, headers, JSON.stringify(sampleLead(2))),
      requestText(`POST ${INGEST}`, headers, '{'),
      requestText(`POST ${INGEST}`, { ...headers, 'content-type': 'text/plain' }, 'x'.repeat(60_000)),
      requestText(`POST ${INGEST}`, headers, 'x'.repeat(70_000)),
      requestText(`POST ${INGEST}`, { 'content-type': 'application/json' }, JSON.stringify(sampleLead(3))),
      requestText('POST /nothing', headers, JSON.stringify(sampleLead(3))),
      requestText(`GET ${STATS}`, headers),
      requestText(`POST ${INGEST}`, headers, JSON.stringify(sampleLead(2))),
    ];
    const statuses: unknown[] = [];
    for (const request of requests) {
      connection.send(request);
      statuses.push((await connection.response())?.status);
    }
    connection.destroy();
    expect(statuses).toEqual([202, 400, 415, 413, 401, 404, 200, 202]);
  });

  it('with many requests at once returns the responses in their order', async () => {
    const connection = openRaw(port);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const all = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? requestText(`POST ${INGEST}`, { ...headers, 'x-request-id': `r-${at}` }, JSON.stringify(sampleLead(100 + at)))
        : requestText('GET /nothing', { 'x-request-id': `r-${at}` }),
    );
    connection.send(Buffer.concat(all));
    const responses: unknown[] = [];
    for (let at = 0; at < 20; at += 1) {
      const response = await connection.response();
      responses.push([response?.status, response?.headers['x-request-id']]);
    }
    connection.destroy();
    expect(responses).toEqual(Array.from({ length: 20 }, (_, at) => [at % 2 === 0 ? 202 : 404, `r-${at}`]));
  });

  it('of HTTP/1.0 needs no Host and is closed after the response', async () => {
    const connection = openRaw(port);
    connection.send('GET /healthz HTTP/1.0\r\n\r\n');
    expect((await connection.response())?.status).toBe(200);
    await connection.closed;
  });

  it('of HTTP/1.1 needs a Host', async () => {
    const response = await exchange(port, `GET ${LEADS} HTTP/1.1\r\n\r\n`);
    expect([response.status, JSON.parse(response.body).code]).toEqual([400, 'bad_request']);
  });

  it.each([
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 4'],
    ['a list of lengths', 'Content-Length: 2, 4'],
    ['a negative length', 'Content-Length: -1'],
    ['a length with a sign', 'Content-Length: +2'],
    ['a length in another base', 'Content-Length: 0x2'],
    ['chunks before another coding', 'Transfer-Encoding: chunked, gzip'],
    ['a folded header', 'X-A: b\r\n c: d'],
    ['a blank before the colon', 'Content-Length : 2'],
    ['a bare line feed', 'X-A: b\nContent-Length: 2'],
    ['a NUL', 'X-A: b\0c'],
  ])('that could be read in two ways is rejected: %s', async (_, header) => {
    const head = `POST ${INGEST} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n${header}\r\n\r\n{}`;
    const response = await exchange(port, head);
    expect([response.status, response.headers['content-type']]).toEqual([400, 'application/problem+json']);
  });

  it('whose headers are larger than 16 KiB is rejected', async () => {
    const response = await exchange(port, requestText('GET /healthz', { 'x-large': 'x'.repeat(17_000) }));
    expect([response.status, JSON.parse(response.body).code]).toEqual([431, 'headers_too_large']);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = { expect: '100-continue', 'content-type': 'application/json' };
  const body = JSON.stringify(sampleLead(200));

  it('gets 100 Continue if the body is needed', async () => {
    const headers = { ...expecting, 'content-length': Buffer.byteLength(body), 'x-api-key': key };
    const sending = openRequest(market.url + INGEST, { method: 'POST', headers });
    sending.flushHeaders();
    await once(sending, 'continue');
    sending.end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(202);
  });

  it('gets its final response at once if the body is not needed', async () => {
    const refusals = [
      { 'content-length': '10' },
      { 'x-api-key': key, 'content-length': '70000' },
      { 'x-api-key': key, 'content-length': '10', 'content-type': 'text/plain' },
    ];
    const statuses: unknown[] = [];
    for (const headers of refusals) {
      statuses.push((await exchange(port, requestText(`POST ${INGEST}`, { ...expecting, ...headers }))).status);
    }
    expect(statuses).toEqual([401, 413, 415]);
  });
});

describe('Outside of the API', () => {
  it('/healthz and /readyz report the state of the process', async () => {
    expect((await get('/healthz')).json).toEqual({ status: 'ok' });
    expect((await get('/readyz')).json).toEqual({ status: 'ready' });
  });

  it('/metrics is valid for Prometheus', async () => {
    const { status, headers, text } = await get('/metrics');
    expect([status, headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^(?:text\/plain|application\/openmetrics-text)/),
    ]);
    expect(text).toContain('leadmarket_http_request_duration_seconds_bucket{');
    for (const line of text.split('\n')) {
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE|UNIT|EOF).*|[a-zA-Z_:][a-zA-Z0-9_:]*(?:\{[^}]*\})? [-+0-9.eEInfNa]+(?: \d+)?|)$/,
      );
    }
  });

  it('/openapi.json has an entity tag, which allows a 304', async () => {
    const first = await get('/openapi.json');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get('/openapi.json', { 'if-none-match': header });
      expect([header, again.status, again.text, again.headers.get('etag')]).toEqual([header, 304, '', tag]);
    }
    expect((await get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('readiness fails before anything else while draining, and requests are served', async () => {
    const other = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    const app = other.runtime.app;
    if (app !== null) beginDrain(app);
    const [health, ready, api] = [
      await call(`${other.url}/healthz`),
      await call(`${other.url}/readyz`),
      await call(other.url + LEADS),
    ];
    await other.close();
    expect([health.status, ready.status, ready.json.failing, api.status]).toEqual([200, 503, ['draining'], 503]);
    expect([api.json.code, api.headers.get('retry-after'), api.headers.get('connection')]).toEqual([
      'unavailable',
      '1',
      'close',
    ]);
  });
});
