import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { exchange, portOf, requestText } from '../../../test/support/raw-http.ts';
import { createLog } from '../log.ts';
import type { App } from './app.ts';
import { registerScope } from './scope.ts';
import { createServer } from './server.ts';
import { registerWebFiles } from './web-files.route.ts';

const PORTAL = '<!doctype html><title>Portal</title>';
const SCRIPT = 'export const answer = 42; '.repeat(100);

let root: string;
let dist: string;
const apps: App[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'leadmarket-pages-'));
  dist = join(root, 'dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  const put = (path: string, text: string): void => {
    writeFileSync(join(dist, path), text);
    writeFileSync(join(dist, `${path}.br`), brotliCompressSync(text));
    writeFileSync(join(dist, `${path}.gz`), gzipSync(text));
  };
  put('portal.html', PORTAL);
  put('console.html', '<!doctype html><title>Console</title>');
  put('assets/portal-a1B2_c3.js', SCRIPT);
  writeFileSync(join(dist, 'assets/icon-1.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(dist, '.made-of'), 'secret');
  writeFileSync(join(dist, 'assets/.hidden'), 'secret');
  writeFileSync(join(root, 'outside.js'), 'secret');
});
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function world(folder: string = dist): Promise<App> {
  const app = createServer({ log: createLog('silent'), trustProxy: ['127.0.0.1'] });
  registerWebFiles(app, { folder });
  registerScope(app, {
    name: 'buyer',
    cookie: 'portal',
    clock: { now: () => new Date(0) },
    authenticate: () => null,
    rateLimitOf: () => ({ perSecond: 1, burst: 1 }),
    routes: (routes) => routes.post('/api/things', (_request, reply) => reply.send({})),
  });
  await app.ready();
  apps.push(app);
  return app;
}

describe('The pages', () => {
  it.each([
    ['/portal', 'Portal'],
    ['/portal/', 'Portal'],
    ['/portal/deliveries?search=%2B1', 'Portal'],
    ['/portal/a/b/c', 'Portal'],
    ['/portal/apiary', 'Portal'],
    ['/portal/..%2f..%2foutside.js', 'Portal'],
    ['/console', 'Console'],
    ['/console/leads', 'Console'],
  ])('are served under %s: the %s', async (url, title) => {
    const app = await world();
    const response = await app.inject({ url });
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.body).toBe(`<!doctype html><title>${title}</title>`);
  });

  it('allow no scripts but their own, and are revalidated each time', async () => {
    const app = await world();
    const response = await app.inject({ url: '/portal' });
    expect(response.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringContaining('camera=()') as string,
      vary: 'accept-encoding',
    });
    const same = await app.inject({ url: '/portal', headers: { 'if-none-match': String(response.headers['etag']) } });
    expect([same.statusCode, same.body]).toEqual([304, '']);
  });

  it('are linked from the root', async () => {
    const response = await (await world()).inject({ url: '/' });
    expect([response.statusCode, response.headers['location']]).toEqual([302, '/portal']);
  });

  it('respond to HEAD without a body, and reject other methods', async () => {
    const app = await world();
    const head = await app.inject({ method: 'HEAD', url: '/portal' });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(PORTAL.length)]);
    const post = await app.inject({ method: 'POST', url: '/portal' });
    expect([post.statusCode, post.headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect((await app.inject({ method: 'POST', url: '/portal/deliveries' })).statusCode).toBe(404);
  });

  it.each([
    ['GET', '/portal/api', 404],
    ['GET', '/portal/api/', 404],
    ['GET', '/portal/api/nothing', 404],
    ['GET', '/portal/%61pi/nothing', 404],
    ['GET', '/console/api/nothing', 404],
    ['GET', '/portal/api/things', 405],
    ['DELETE', '/portal/api/nothing', 404],
  ] as const)('do not include %s %s, which gets the response %i', async (method, url, status) => {
    const response = await (await world()).inject({ method, url });
    expect([response.statusCode, response.headers['content-type']]).toEqual([status, 'application/problem+json']);
    if (status === 405) expect(response.headers['allow']).toBe('POST');
  });

  it('say in each response of their routes which release of them this process has', async () => {
    const built = mkdtempSync(join(root, 'built-'));
    const build = (release: string): void =>
      writeFileSync(join(built, 'portal.html'), `<!doctype html><meta name="release" content="${release}">`);
    build('0a1b');
    const app = await world(built);
    const releaseOf = async (url: string): Promise<unknown> => (await app.inject({ url })).headers['x-pages-release'];
    expect(await Promise.all(['/portal/api/nothing', '/portal', '/assets/a.js'].map(releaseOf))).toEqual([
      '0a1b',
      undefined,
      undefined,
    ]);
    build('2c3d');
    await app.inject({ url: '/portal' });
    expect(await releaseOf('/portal/api/nothing')).toBe('2c3d');
  });

  it('respond with an explanation if they have not been built', async () => {
    const app = await world(join(root, 'nowhere'));
    for (const url of ['/portal', '/console/leads']) {
      const response = await app.inject({ url });
      expect([response.statusCode, response.headers['cache-control']]).toEqual([503, 'no-store']);
      expect(response.body).toContain('npm run build');
    }
    expect((await app.inject({ url: '/assets/portal-a1B2_c3.js' })).statusCode).toBe(404);
  });
});

describe('The files of the pages', () => {
  const url = '/assets/portal-a1B2_c3.js';

  it('may be cached for a year', async () => {
    const response = await (await world()).inject({ url });
    expect(response.body).toBe(SCRIPT);
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
  });

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate, br;q=0.9', 'gzip', gunzipSync],
    ['gzip;q=1, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
    ['zstd', undefined, (body: Buffer) => body],
  ] as const)('are compressed as accepted by %j', async (accept, encoding, unpack) => {
    const response = await (await world()).inject({ url, headers: { 'accept-encoding': accept } });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(unpack(response.rawPayload).toString()).toBe(SCRIPT);
  });

  it('are sent uncompressed if no compressed file exists', async () => {
    const response = await (await world()).inject({ url: '/assets/icon-1.svg', headers: { 'accept-encoding': 'br' } });
    expect([response.headers['content-encoding'], response.headers['content-type']]).toEqual([
      undefined,
      'image/svg+xml',
    ]);
  });

  it.each([
    '/assets/nothing.js',
    '/assets/',
    '/assets',
    '/assets/.hidden',
    '/assets/..',
    '/assets/%2e%2e%2f.made-of',
    '/assets/..%2f..%2foutside.js',
    '/assets/..%5c..%5coutside.js',
    '/assets/../../outside.js',
    '/assets/..%2fportal.html',
    '/assets/%00',
    '/assets/a%00.js',
    '/assets/%252e%252e%252foutside.js',
    `/assets/${encodeURIComponent(join(tmpdir(), 'x'))}`,
    '/.made-of',
    '/portal.html',
  ])('do not include %s', async (path) => {
    const app = await world();
    await app.listen({ host: '127.0.0.1', port: 0 });
    // As it stands, which no HTTP library sends.
    const response = await exchange(portOf(app), requestText(`GET ${path}`));
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/problem+json']);
    expect(response.body).not.toContain('secret');
  });
});
