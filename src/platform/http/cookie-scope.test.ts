import type { CredentialId, SessionId } from '../../base/ids.ts';
import { describe, expect, it } from 'vitest';

import { createLog } from '../log.ts';
import type { App } from './app.ts';
import { principalOf, registerOwnPages, registerScope } from './scope.ts';
import { createServer } from './server.ts';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';

const SECRET = 'A'.repeat(43);
const OTHER_SECRET = 'B'.repeat(43);
const principal = {
  credentialId: 'c1' as CredentialId,
  ownerKey: 'summit',
  session: { sessionId: 's1' as SessionId, kind: 'buyer' },
} as const;
const otherSession = { ...principal, session: { sessionId: 's2' as SessionId, kind: 'buyer' } } as const;

async function world(): Promise<App> {
  const app = createServer({ log: createLog('silent'), trustProxy: ['127.0.0.1'] });
  registerOwnPages(app, 'portal', (routes) => {
    routes.post('/api/session', { config: { emptyBody: true } }, (_request, reply) => {
      setSessionCookie(reply, 'portal', SECRET, new Date('2026-11-27T12:00:00Z'));
      return reply.send({});
    });
    routes.delete('/api/session', (_request, reply) => {
      clearSessionCookie(reply, 'portal');
      return reply.send({});
    });
  });
  registerScope(app, {
    name: 'buyer',
    cookie: 'portal',
    clock: { now: () => new Date('2026-11-20T12:00:00Z') },
    authenticate: (secret) => (secret === SECRET ? principal : secret === OTHER_SECRET ? otherSession : null),
    rateLimitOf: () => ({ perSecond: 1, burst: 2 }),
    routes(routes) {
      routes.get('/api/v1/me', (request, reply) => reply.send(principalOf(request)));
      routes.post('/api/v1/things', (_request, reply) => reply.send({}));
    },
  });
  await app.ready();
  return app;
}

const HERE = { 'sec-fetch-site': 'same-origin' };
const HTTPS = { ...HERE, 'x-forwarded-proto': 'https' };

describe('A scope of sessions', () => {
  it('admits a request by its cookie, under its prefix only', async () => {
    const app = await world();
    const headers = { ...HERE, cookie: `sid=${SECRET}` };
    expect((await app.inject({ url: '/portal/api/v1/me', headers })).json()).toEqual(principal);
    expect((await app.inject({ url: '/api/v1/me', headers })).statusCode).toBe(404);
  });

  it('with permissions has no route that declares none, and opens each only to sessions with its permission', async () => {
    const open = async (config: { permission?: 'read' | 'money' }, allowed: string): Promise<App> => {
      const app = createServer({ log: createLog('silent'), trustProxy: [] });
      registerScope(app, {
        name: 'operator',
        cookie: 'console',
        clock: { now: () => new Date('2026-11-20T12:00:00Z') },
        authenticate: () => principal,
        permits: (_principal, permission) =>
          permission === allowed ? null : { status: 403, code: 'role_not_allowed' },
        rateLimitOf: () => ({ perSecond: 1, burst: 2 }),
        routes: (routes) => void routes.get('/api/things', { config }, (_request, reply) => reply.send({})),
      });
      await app.ready();
      return app;
    };
    await expect(open({}, 'read')).rejects.toThrow('GET /console/api/things does not say which permission it needs');
    const headers = { ...HERE, cookie: `console=${SECRET}` };
    const statusOf = async (allowed: string): Promise<number> =>
      (await (await open({ permission: 'money' }, allowed)).inject({ url: '/console/api/things', headers })).statusCode;
    expect([await statusOf('money'), await statusOf('read')]).toEqual([200, 403]);
  });

  it('rejects text that cannot be stored, also on routes without a schema and on routes that handle validation errors', async () => {
    const app = createServer({ log: createLog('silent'), trustProxy: [] });
    const reached: string[] = [];
    registerScope(app, {
      name: 'buyer',
      cookie: 'portal',
      clock: { now: () => new Date('2026-11-20T12:00:00Z') },
      authenticate: () => principal,
      rateLimitOf: () => ({ perSecond: 100, burst: 100 }),
      routes(routes) {
        const attachValidation = true;
        routes.post('/api/bare/:id', (request, reply) => reply.send({ reached: reached.push(request.url) }));
        routes.post('/api/watched/:id', { attachValidation, config: { emptyBody: true } }, (request, reply) =>
          reply.send({ reached: reached.push(request.url) }),
        );
      },
    });
    await app.ready();
    const headers = { ...HERE, cookie: `sid=${SECRET}`, 'content-type': 'application/json' };
    const post = async (url: string, payload: string): Promise<unknown> => {
      const response = await app.inject({ method: 'POST', url: `/portal${url}`, headers, payload });
      return [response.statusCode, response.json<{ errors?: unknown }>().errors];
    };
    expect(await post('/api/bare/a%00b', '{}')).toEqual([404, undefined]);
    expect(await post('/api/watched/a%00b', '{}')).toEqual([404, undefined]);
    expect(await post('/api/bare/x', String.raw`{"a":["\ud800"]}`)).toMatchObject([
      422,
      [{ field: 'a.0', code: 'invalid_format' }],
    ]);
    expect(reached).toEqual([]);
    expect(await post('/api/bare/x', '{"a":"b"}')).toEqual([200, undefined]);
  });

  it('responds 401 without a session', async () => {
    const app = await world();
    const response = await app.inject({ url: '/portal/api/v1/me', headers: HERE });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Session realm="lead-marketplace"');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('counts the requests of all sessions of a partner together', async () => {
    const app = await world();
    const statuses = [];
    for (const secret of [SECRET, OTHER_SECRET, SECRET, OTHER_SECRET]) {
      const headers = { ...HERE, cookie: `sid=${secret}` };
      statuses.push((await app.inject({ url: '/portal/api/v1/me', headers })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it.each([
    [HERE, 200],
    [{ origin: 'http://localhost' }, 200],
    [{}, 403],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'http://localhost', host: 'evil.example' }, 403],
  ])('responds to a POST with %j by %i', async (headers, status) => {
    const app = await world();
    const request = { method: 'POST', url: '/portal/api/v1/things', payload: {} } as const;
    const host = { host: 'localhost', ...headers };
    const response = await app.inject({ ...request, headers: { ...host, cookie: `sid=${SECRET}` } });
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response.json()).toMatchObject({ code: 'cross_origin_refused' });
    // Also before anybody is signed in: nobody is to be signed in as somebody else.
    expect((await app.inject({ method: 'POST', url: '/portal/api/session', headers: host })).statusCode).toBe(status);
  });

  it('rejects requests of other sites before it looks up the session', async () => {
    const app = await world();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      const response = await app.inject({ url: '/portal/api/v1/me', headers });
      expect(response.json()).toMatchObject({ status: 403, code: 'cross_origin_refused' });
    }
  });

  it('cannot be bypassed', async () => {
    const app = createServer({ log: createLog('silent'), trustProxy: [] });
    for (const path of ['/portal/api/leads', '/console/api', '/console/api/x', '/api/v1/x']) {
      expect(() => app.get(path, () => null)).toThrow('outside of a scope');
    }
    for (const path of ['/portal', '/portal/*', '/portal/apix', '/console']) app.get(path, () => null);
    await app.ready();
  });
});

describe('The cookie of a session', () => {
  it('has the host prefix over https, and not over http', async () => {
    const app = await world();
    const set = async (method: 'POST' | 'DELETE', headers: Record<string, string>) =>
      (await app.inject({ method, url: '/portal/api/session', headers })).headers['set-cookie'];
    expect(await set('POST', HTTPS)).toBe(
      `__Host-sid=${SECRET}; Path=/; Expires=Fri, 27 Nov 2026 12:00:00 GMT; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(await set('POST', HERE)).toBe(
      `sid=${SECRET}; Path=/; Expires=Fri, 27 Nov 2026 12:00:00 GMT; HttpOnly; SameSite=Strict`,
    );
    expect(await set('DELETE', HTTPS)).toBe(
      '__Host-sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict',
    );
  });

  it.each([
    [HTTPS, `__Host-sid=${SECRET}`, 200],
    [HTTPS, `sid=${SECRET}`, 401],
    [HTTPS, `sid=${'B'.repeat(43)}; __Host-sid=${SECRET}`, 200],
    [HERE, `__Host-sid=${SECRET}`, 401],
    [HERE, `sid=${SECRET}`, 200],
    [HERE, `sid=${SECRET}; sid=${SECRET}`, 401],
    [HERE, `sid=${SECRET} ;a=b`, 200],
    [HERE, `xsid=${SECRET}`, 401],
    [HERE, `console=${SECRET}`, 401],
  ])('with %j, %s gets the response %i', async (headers: Record<string, string>, cookie, status) => {
    const app = await world();
    const response = await app.inject({ url: '/portal/api/v1/me', headers: { ...headers, cookie } });
    expect(response.statusCode).toBe(status);
  });
});
