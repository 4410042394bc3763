import type { CredentialId } from '../../base/ids.ts';
import { gunzipSync } from 'node:zlib';

import { Counter } from '@prometheus-io/client';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createLog } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import type { App } from './app.ts';
import { registerDocs } from './docs.route.ts';
import { registerErrorPages } from './error-pages.route.ts';
import { registerHealth } from './health.route.ts';
import { registerOpenapi } from './openapi.ts';
import { problemCatalogue } from './problem-catalogue.ts';
import { documentedProblems } from './problem-schema.ts';
import { registerScope } from './scope.ts';
import { createServer } from './server.ts';

const written: string[] = [];
let storage: () => Promise<void> = async () => undefined;
let metrics: Metrics;
let app: App;

beforeAll(async () => {
  const log = createLog('info', { write: (line) => void written.push(line) });
  metrics = createMetrics();
  app = createServer({ log, trustProxy: ['127.0.0.1'], meter: metrics.http });
  registerOpenapi(app, {
    info: { title: 'Test', version: '1.0.0', description: 'A test.' },
    tags: [{ name: 'Things', description: 'Things.' }],
    webhooks: { 'thing.done': { post: { operationId: 'thingDone', responses: { '2XX': { description: 'Taken.' } } } } },
  });
  registerDocs(app, 'Test API');
  registerErrorPages(app);
  registerHealth(app, {
    log,
    metrics,
    checks: [
      { name: 'storage', check: () => storage() },
      { name: 'queue', check: async () => undefined },
    ],
    metricsFor: 'this machine',
  });
  registerScope(app, {
    name: 'supplier',
    header: 'x-api-key',
    clock: { now: () => new Date('2026-11-20T12:00:00Z') },
    authenticate: () => ({ credentialId: 'c' as CredentialId, ownerKey: 'o' }),
    rateLimitOf: () => ({ perSecond: 10, burst: 10 }),
    routes(scope) {
      const Thing = Type.Object(
        { id: Type.String(), note: Type.Union([Type.String(), Type.Null()]) },
        { $id: 'Thing' },
      );
      scope.addSchema(Thing);
      scope.post(
        '/api/v1/things/:thingId',
        {
          schema: {
            operationId: 'postThing',
            tags: ['Things'],
            params: Type.Object({ thingId: Type.String() }),
            querystring: Type.Object({ days: Type.Optional(Type.Integer({ default: 30 })) }),
            body: Type.Object({ note: Type.String() }),
            response: {
              201: Type.Ref('Thing'),
              ...documentedProblems('unauthorized', 'delivery_not_found', 'claim_exists'),
            },
          },
        },
        (_request, reply) => reply.code(201).send({ id: 'a', note: null }),
      );
    },
  });
  await app.ready();
});
afterAll(() => app.close());

describe('The OpenAPI document', () => {
  type Operation = {
    operationId: string;
    security: unknown;
    parameters: Array<{ name: string; in: string; required: boolean }>;
    responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
  };
  type Document = {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, object>; securitySchemes: object };
    webhooks: object;
  };
  const read = async (): Promise<Document> => (await app.inject('/openapi.json')).json<Document>();

  it('has version 3.1 and describes the API alone', async () => {
    const document = await read();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(['/api/v1/things/{thingId}']);
    expect(Object.keys(document.paths['/api/v1/things/{thingId}'] ?? {})).toEqual(['post']);
    expect(Object.keys(document.webhooks)).toEqual(['thing.done']);
    expect(document.components.securitySchemes).toMatchObject({
      supplierCredential: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
  });

  it('names its components, and adds the common headers and responses to each route', async () => {
    const document = await read();
    expect(Object.keys(document.components.schemas).toSorted()).toEqual(['Problem', 'Thing']);
    const operation = document.paths['/api/v1/things/{thingId}']?.['post'];
    expect(operation?.security).toEqual([{ supplierCredential: [] }]);
    expect(Object.keys(operation?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '503',
      'default',
    ]);
    expect(operation?.responses['201']?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Thing',
    });
    const conflict = operation?.responses['409'];
    expect(conflict?.content['application/problem+json']?.schema).toEqual({ $ref: '#/components/schemas/Problem' });
    expect(conflict?.description).toMatch(/`claim_exists`.*`idempotency_in_progress`/);
    expect(operation?.parameters.map(({ name, in: area, required }) => [name, area, required])).toEqual([
      ['days', 'query', false],
      ['thingId', 'path', true],
      ['Idempotency-Key', 'header', false],
    ]);
    expect(operation?.responses['401']?.description).toBe('`unauthorized`: The credential is missing or not valid.');
    expect(JSON.stringify(document)).not.toContain('def-');
  });

  it('has an entity tag', async () => {
    const first = await app.inject('/openapi.json');
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
    const again = await app.inject({
      url: '/openapi.json',
      headers: { 'if-none-match': first.headers['etag'] as string },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('The API reference', () => {
  it('is a page that may load only files of this server', async () => {
    expect((await app.inject('/docs')).headers['location']).toBe('/docs/');
    const page = await app.inject('/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = page.headers['content-security-policy'] as string;
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
    expect(page.body).toContain('"url": "/openapi.json"');
    expect(page.body).toContain('<title>Test API</title>');
    expect(page.body).not.toMatch(/https?:/);
  });

  it('has a script that is served compressed on request, with a long lifetime', async () => {
    const plain = await app.inject('/docs/js/scalar.js');
    expect(plain.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      vary: 'Accept-Encoding',
    });
    const packed = await app.inject({ url: '/docs/js/scalar.js', headers: { 'accept-encoding': 'br, gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString('utf8')).toBe(plain.body);
    const refused = await app.inject({ url: '/docs/js/scalar.js', headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers['content-encoding']).toBeUndefined();
    const again = await app.inject({
      url: '/docs/js/scalar.js',
      headers: { 'if-none-match': plain.headers['etag'] as string },
    });
    expect(again.statusCode).toBe(304);
  });

  it.each(['[', 'a b', '', 'evil.example:99999', '<script>'])('is served for the Host %j', async (host) => {
    for (const url of ['/docs', '/docs/']) {
      const response = await app.inject({
        url,
        headers: { host, 'x-forwarded-host': host, 'x-forwarded-proto': host },
      });
      expect(response.statusCode).toBeLessThan(400);
    }
  });
});

describe('The pages of error codes', () => {
  it('explain every code, and list them all', async () => {
    const list = await app.inject('/docs/errors');
    expect(list.statusCode).toBe(200);
    for (const [code, { title, status }] of Object.entries(problemCatalogue)) {
      const page = await app.inject(`/docs/errors/${code}`);
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain(`<h1>${title}</h1>`);
      expect(page.body).toContain(`HTTP status ${status}`);
      expect(list.body).toContain(`href="/docs/errors/${code}"`);
    }
    expect((await app.inject('/docs/errors/unknown_field')).body).toContain('beside a field');
    expect(list.headers['content-security-policy']).toContain(`default-src 'none'`);
  });

  it.each(['nothing', '__proto__', 'constructor', '%3Cscript%3E', ''])('respond 404 for %j', async (code) => {
    const response = await app.inject(`/docs/errors/${code}`);
    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toBe('application/problem+json');
  });
});

describe('Health checks', () => {
  it('respond to /healthz without a look at other services', async () => {
    storage = () => Promise.reject(new Error('jane@example.com is down'));
    const response = await app.inject('/healthz');
    expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('name what fails in readiness, and log the reason without secrets', async () => {
    storage = () => Promise.reject(new Error('jane@example.com is down'));
    const failing = await app.inject('/readyz');
    expect([failing.statusCode, failing.json()]).toEqual([503, { status: 'unavailable', failing: ['storage'] }]);
    expect(written.join('')).toContain('not ready');
    expect(written.join('')).not.toContain('jane');
    storage = async () => undefined;
    const ready = await app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('stop waiting for a readiness check that hangs', async () => {
    storage = () => new Promise(() => undefined);
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'unavailable', failing: ['storage'] });
    storage = async () => undefined;
  });
});

describe('Metrics', () => {
  it('count responses by declared route, never by URL', async () => {
    const things = new Counter({ name: 'things_total', help: 'Things.', registers: [metrics.registry] });
    things.inc(3);
    await app.inject({
      method: 'POST',
      url: '/api/v1/things/jane?days=5',
      headers: { 'x-api-key': 'k' },
      payload: { note: 'n' },
    });
    await app.inject('/jane');
    const response = await app.inject('/metrics');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(response.body).toContain('things_total 3');
    expect(response.body).toContain('process_cpu_seconds_total');
    expect(response.body).toMatch(
      /http_request_duration_seconds_count\{[^}]*route="\/api\/v1\/things\/:thingId"[^}]*status="2xx"[^}]*\} 1|http_request_duration_seconds_count\{[^}]*status="2xx"[^}]*route="\/api\/v1\/things\/:thingId"[^}]*\} 1/,
    );
    expect(response.body).toMatch(/http_request_duration_seconds_count\{[^}]*\(unknown\)/);
    expect(response.body).not.toContain('jane');
  });

  it.each([
    ['from another machine', '10.0.0.9', {}, 404],
    ['through a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '203.0.113.7' }, 404],
    ['through a proxy on this machine that says so in another way', '127.0.0.1', { via: '1.1 proxy' }, 404],
    ['through a trusted proxy, from this machine', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 200],
    ['from this machine over IPv6', '::1', {}, 200],
  ])('outside of the API are for this machine only: %s', async (_from, remoteAddress, headers, status) => {
    expect((await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(status);
  });
});
