import type { CredentialId } from '../../base/ids.ts';
import { describe, expect, it } from 'vitest';

import { createLog } from '../log.ts';
import type { App, Principal } from './app.ts';
import { etag } from './etag.ts';
import { principalOf, registerScope, type Scope } from './scope.ts';
import { createServer } from './server.ts';

const START = Date.UTC(2026, 10, 20, 12);
const people: ReadonlyMap<string, Principal> = new Map([
  ['one', { credentialId: 'c1' as CredentialId, ownerKey: 'acme' }],
  ['two', { credentialId: 'c2' as CredentialId, ownerKey: 'acme' }],
]);

type World = { app: App; time: { ms: number }; rate: { perSecond: number; burst: number } };

async function world(change: Partial<Scope> = {}, further?: (app: App, scope: Scope) => void): Promise<World> {
  const time = { ms: START };
  const rate = { perSecond: 10, burst: 3 };
  const app = createServer({ log: createLog('silent'), trustProxy: [] });
  const scope: Scope = {
    name: 'buyer',
    header: 'authorization',
    clock: { now: () => new Date(time.ms) },
    authenticate: (presented) => people.get(presented) ?? null,
    rateLimitOf: () => rate,
    routes(inner) {
      inner.get('/api/v1/me', (request, reply) => reply.send(principalOf(request)));
      inner.get('/api/v1/shared', { config: { cacheControl: 'private, no-cache' }, onSend: etag }, (_request, reply) =>
        reply.send({ a: 1 }),
      );
      inner.get('/api/v1/account', { onSend: etag }, (_request, reply) => reply.send({ b: 2 }));
    },
    ...change,
  };
  registerScope(app, scope);
  further?.(app, scope);
  await app.ready();
  return { app, time, rate };
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });

describe('A scope', () => {
  it('admits a known credential and passes on its identity', async () => {
    const { app } = await world();
    const response = await app.inject({ url: '/api/v1/me', headers: as('one') });
    expect(response.json()).toEqual(people.get('one'));
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['vary']).toBeUndefined();
  });

  it.each([
    {},
    { authorization: '' },
    { authorization: 'one' },
    { authorization: 'Basic one' },
    as('nobody'),
    as('__proto__'),
    { 'x-api-key': 'one' },
    { authorization: 'Bearer one, Bearer one' },
  ])('responds with the same 401 to %j', async (headers: Record<string, string>) => {
    const { app } = await world();
    const response = await app.inject({ url: '/api/v1/me', headers });
    expect(response.statusCode).toBe(401);
    expect(response.headers).toMatchObject({
      'www-authenticate': 'Bearer realm="lead-marketplace"',
      'cache-control': 'no-store',
    });
    expect(response.headers['ratelimit-limit']).toBeUndefined();
    expect(response.json()).toMatchObject({ code: 'unauthorized', detail: 'The credential is missing or not valid.' });
  });

  it('also accepts authenticators that look up credentials asynchronously', async () => {
    const { app } = await world({ authenticate: async (presented) => people.get(presented) ?? null });
    expect((await app.inject({ url: '/api/v1/me', headers: as('two') })).json()).toEqual(people.get('two'));
    expect((await app.inject({ url: '/api/v1/me', headers: as('nobody') })).statusCode).toBe(401);
  });

  it('responds 500 and goes on when the look-up fails', async () => {
    const { app } = await world({ authenticate: () => Promise.reject(new Error('no')) });
    expect((await app.inject({ url: '/api/v1/me', headers: as('one') })).statusCode).toBe(500);
    const thrown = await world({
      authenticate: () => {
        throw new Error('no');
      },
    });
    expect((await thrown.app.inject({ url: '/api/v1/me', headers: as('one') })).statusCode).toBe(500);
  });

  it('responds to credentials that it does not admit, and counts the request', async () => {
    const { app } = await world({ admit: () => ({ status: 403, code: 'partner_suspended' }) });
    const response = await app.inject({ url: '/api/v1/me', headers: as('one') });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ code: 'partner_suspended' });
    expect(response.headers['ratelimit-remaining']).toBe('2');
  });

  it('limits each credential by its own rate, for every kind of response', async () => {
    const { app, time, rate } = await world();
    const ask = async (token: string): Promise<Array<string | number>> => {
      const { statusCode, headers } = await app.inject({ url: '/api/v1/me', headers: as(token) });
      return [
        statusCode,
        headers['ratelimit-limit'],
        headers['ratelimit-remaining'],
        headers['ratelimit-reset'],
        headers['retry-after'] ?? '-',
      ] as string[];
    };
    expect(await ask('one')).toEqual([200, '3', '2', '1', '-']);
    expect(await ask('one')).toEqual([200, '3', '1', '1', '-']);
    expect(await ask('one')).toEqual([200, '3', '0', '1', '-']);
    expect(await ask('one')).toEqual([429, '3', '0', '1', '1']);
    expect(await ask('two')).toEqual([200, '3', '2', '1', '-']);
    time.ms += 100;
    expect(await ask('one')).toEqual([200, '3', '0', '1', '-']);
    expect(await ask('one')).toEqual([429, '3', '0', '1', '1']);
    Object.assign(rate, { perSecond: 1000, burst: 2000 });
    expect(await ask('one')).toEqual([200, '2000', '1699', '1', '-']);
  });

  it('counts a credential once over several scopes', async () => {
    const { app } = await world({}, (one, scope) => {
      registerScope(one, { ...scope, routes: (more) => more.get('/api/v1/more', (_request, reply) => reply.send({})) });
    });
    expect((await app.inject({ url: '/api/v1/me', headers: as('one') })).headers['ratelimit-remaining']).toBe('2');
    expect((await app.inject({ url: '/api/v1/more', headers: as('one') })).headers['ratelimit-remaining']).toBe('1');
  });

  it('keeps responses out of caches unless the route says otherwise', async () => {
    const { app } = await world();
    const shared = await app.inject({ url: '/api/v1/shared', headers: as('one') });
    expect(shared.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'authorization' });
    const account = await app.inject({ url: '/api/v1/account', headers: as('one') });
    expect(account.headers['cache-control']).toBe('no-store');
  });
});

describe('An entity tag', () => {
  it('is strong, follows the content, and allows a 304', async () => {
    const { app, rate } = await world();
    rate.burst = 100;
    const first = await app.inject({ url: '/api/v1/account', headers: as('one') });
    const tag = first.headers['etag'] as string;
    expect(tag).toMatch(/^"[A-Za-z0-9_-]{27}"$/);
    expect((await app.inject({ url: '/api/v1/shared', headers: as('one') })).headers['etag']).not.toBe(tag);
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const again = await app.inject({ url: '/api/v1/account', headers: { ...as('one'), 'if-none-match': header } });
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag]);
      expect(again.headers['content-type']).toBeUndefined();
      expect(again.headers['ratelimit-limit']).toBe('100');
    }
    const other = await app.inject({ url: '/api/v1/account', headers: { ...as('one'), 'if-none-match': '"x"' } });
    expect([other.statusCode, other.body]).toEqual([200, '{"b":2}']);
  });

  it('is not set on errors', async () => {
    const { app } = await world();
    const response = await app.inject({ url: '/api/v1/account', headers: { 'if-none-match': '*' } });
    expect(response.statusCode).toBe(401);
    expect(response.headers['etag']).toBeUndefined();
  });
});
