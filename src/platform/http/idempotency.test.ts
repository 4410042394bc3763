import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type CredentialId, newUuid } from '../../base/ids.ts';
import { type Database, statement, type Tx } from '../database/database.ts';
import { OutsideError } from '../outside-error.ts';
import { createLog } from '../log.ts';
import type { App } from './app.ts';
import {
  respondIdempotently,
  type HttpResponse,
  purgeOldResponses,
  jsonResponse,
  problemResponse,
} from './idempotency.ts';
import { registerScope } from './scope.ts';
import { createServer } from './server.ts';

const createEffects = statement(
  'test.create_effects',
  'CREATE TABLE IF NOT EXISTS effect (id bigserial PRIMARY KEY, what text)',
);
const addEffect = statement<{ readonly what: string }>('test.add_effect', 'INSERT INTO effect (what) VALUES ($what)');
const countEffects = statement<void, { count: number }>('test.count_effects', 'SELECT count(*) AS "count" FROM effect');
const keptKeys = statement<void, { key: string; status: number }>(
  'test.kept_keys',
  'SELECT idempotency_key AS "key", status FROM idempotency_key ORDER BY 1',
);
const clearAll = statement('test.clear', 'TRUNCATE effect, idempotency_key');

let test: TestDatabase;
let now = new Date('2026-11-20T12:00:00.000Z');
const open: App[] = [];
const credentials = new Map([
  ['one', newUuid()],
  ['two', newUuid()],
]);

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query(createEffects);
});
afterAll(async () => {
  await Promise.all(open.map((app) => app.close()));
  await test.drop();
});
beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00.000Z');
  await test.database.query(clearAll);
});

type Asked = { readonly want: number; readonly name: string };

type Serving = { readonly before?: () => Promise<void>; readonly response?: typeof respondIdempotently };

/** An application of its own; `before` is awaited inside of the work. */
function serve(database: Database, { before, response = respondIdempotently }: Serving = {}): App {
  const app = createServer({ log: createLog('silent'), trustProxy: [] });
  open.push(app);
  let count = 0;
  registerScope(app, {
    name: 'buyer',
    header: 'authorization',
    clock: { now: () => now },
    authenticate: (presented) => ({
      credentialId: (credentials.get(presented) ?? '') as CredentialId,
      ownerKey: presented,
    }),
    rateLimitOf: () => ({ perSecond: 1e6, burst: 1e6 }),
    routes(scope) {
      const body = Type.Object({ want: Type.Integer(), name: Type.String() }, { additionalProperties: false });
      for (const path of ['/api/v1/things', '/api/v1/others/:id']) {
        scope.post(path, { schema: { body }, attachValidation: true }, (request, reply) => {
          const { want, name } = request.body as Asked;
          const work = async (tx: Tx): Promise<HttpResponse> => {
            await before?.();
            await tx.query(addEffect, { what: name });
            if (want === 500) throw new Error('broken');
            if (want === 503) throw new OutsideError('overloaded', 'Too much.', { retryable: true });
            if (want === 404) return problemResponse(request, reply, { status: 404, code: 'delivery_not_found' });
            if (want === 403) return problemResponse(request, reply, { status: 403, code: 'beta_not_enabled' });
            return jsonResponse(want, { number: (count += 1), name, ü: '😀' });
          };
          return response({ database, request, reply, now, work });
        });
      }
    },
  });
  return app;
}

type Posted = { key?: string; token?: string; path?: string; body?: string; want?: number };

async function post(app: App, { key, token = 'one', path = '/api/v1/things', want = 201, body }: Posted = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
    payload: body ?? JSON.stringify({ want, name: 'a' }),
  });
  const { statusCode: status, body: text } = response;
  return {
    status,
    text,
    type: response.headers['content-type'],
    replayed: response.headers['idempotent-replayed'],
    code: response.json<{ code?: string }>().code,
  };
}

const effects = async (): Promise<number> => (await test.database.query(countEffects))[0]?.count ?? -1;
const keys = async (): Promise<unknown> => test.database.query(keptKeys);

describe('Without an Idempotency-Key', () => {
  it('every request is executed', async () => {
    const app = serve(test.database);
    expect((await post(app)).text).toContain('"number":1');
    expect((await post(app)).text).toContain('"number":2');
    expect(await effects()).toBe(2);
    expect(await keys()).toEqual([]);
  });

  it('an invalid body is rejected', async () => {
    expect(await post(serve(test.database), { body: '{"want":"x"}' })).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
  });
});

describe('With an Idempotency-Key', () => {
  it.each([200, 201, 202, 409, 422, 404])(
    'a response %i is repeated byte for byte, without a second execution',
    async (want) => {
      const app = serve(test.database);
      const first = await post(app, { key: 'k', want });
      expect(first).toMatchObject({ status: want, replayed: undefined });
      const again = await post(app, { key: 'k', want });
      expect(again).toEqual({ ...first, replayed: 'true' });
      expect(await effects()).toBe(1);
      expect(await post(serve(test.database), { key: 'k', want })).toEqual(again);
    },
  );

  it('the response to an invalid body is repeated too, with the first request id', async () => {
    const app = serve(test.database);
    const first = await post(app, { key: 'k', body: '{"want":"x"}' });
    expect(first).toMatchObject({ status: 422, code: 'validation_failed', type: 'application/problem+json' });
    expect(await post(app, { key: 'k', body: '{"want":"x"}' })).toEqual({ ...first, replayed: 'true' });
    expect(await effects()).toBe(0);
  });

  it.each([403, 500, 503])('a response %i is not kept', async (want) => {
    const app = serve(test.database);
    expect((await post(app, { key: 'k', want })).status).toBe(want);
    expect((await post(app, { key: 'k', want })).replayed).toBeUndefined();
    expect(await keys()).toEqual([]);
    // A refusal that was returned had its effect; one that was thrown had none.
    expect(await effects()).toBe(want === 403 ? 2 : 0);
    expect(await post(app, { key: 'k', want: 201 })).toMatchObject({ status: 201, replayed: undefined });
  });

  it('the response to unreadable JSON is not kept', async () => {
    const app = serve(test.database);
    expect((await post(app, { key: 'k', body: '{' })).status).toBe(400);
    expect((await post(app, { key: 'k' })).status).toBe(201);
  });

  it('another body, path or spelling of the body is rejected', async () => {
    const app = serve(test.database);
    const path = '/api/v1/others/1';
    const body = '{"want":201,"name":"a"}';
    expect((await post(app, { key: 'k', path, body })).status).toBe(201);
    for (const other of [
      { path, body: '{"want":201,"name":"b"}' },
      { path, body: '{"want":201, "name":"a"}' },
      { path, body: '{"want":"x"}' },
      { path: '/api/v1/others/2', body },
      { path: '/api/v1/things', body },
    ]) {
      expect(await post(app, { key: 'k', ...other })).toMatchObject({
        status: 422,
        code: 'idempotency_key_reused',
        replayed: undefined,
      });
    }
    expect(await effects()).toBe(1);
    expect((await post(app, { key: 'k', path: `${path}?trace=1`, body })).replayed).toBe('true');
  });

  it('the same key of another credential is independent', async () => {
    const app = serve(test.database);
    const first = await post(app, { key: 'k', token: 'one' });
    const second = await post(app, { key: 'k', token: 'two' });
    expect(second.replayed).toBeUndefined();
    expect(second.text).not.toBe(first.text);
    expect(await effects()).toBe(2);
  });

  it('the stored response expires after 24 hours', async () => {
    const app = serve(test.database);
    await post(app, { key: 'k' });
    now = new Date(now.getTime() + 24 * 3_600_000 - 1);
    expect((await post(app, { key: 'k' })).replayed).toBe('true');
    now = new Date(now.getTime() + 1);
    const later = await post(app, { key: 'k', want: 202 });
    expect(later).toMatchObject({ status: 202, replayed: undefined });
    expect(await post(app, { key: 'k', want: 202 })).toEqual({ ...later, replayed: 'true' });
    expect(await effects()).toBe(2);
  });

  it('expired responses can be deleted', async () => {
    const app = serve(test.database);
    await post(app, { key: 'old' });
    now = new Date(now.getTime() + 1000);
    await post(app, { key: 'new' });
    expect(await test.database.tx((tx) => purgeOldResponses(tx, new Date(now.getTime() - 1000)))).toBe(1);
    expect(await keys()).toEqual([{ key: 'new', status: 201 }]);
  });

  it.each(['', 'a'.repeat(256), 'ä', 'a\tb'])('%j is rejected as a key', async (key) => {
    const response = await post(serve(test.database), { key });
    expect(response).toMatchObject({ status: 400, code: 'idempotency_key_invalid' });
    expect(await effects()).toBe(0);
  });

  it('a long key with any printable characters is accepted', async () => {
    const app = serve(test.database);
    const key = `a, "b" \\ ' ; -- %00 ${'~'.repeat(200)}`;
    expect((await post(app, { key })).status).toBe(201);
    expect((await post(app, { key })).replayed).toBe('true');
  });
});

describe('While the first request is running', () => {
  function held(): { app: App; reached: Promise<void>; release: () => void } {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const before = async (): Promise<void> => {
      reached.resolve();
      await gate.promise;
    };
    return { app: serve(test.database, { before }), reached: reached.promise, release: gate.resolve };
  }

  it('a repeated request gets a conflict, and later the response', async () => {
    const { app, reached, release } = held();
    const running = post(app, { key: 'k' });
    await reached;
    expect(await post(app, { key: 'k' })).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    expect(await post(app, { key: 'k', body: '{"want":200,"name":"b"}' })).toMatchObject({ status: 409 });
    release();
    const answered = await running;
    expect(answered).toMatchObject({ status: 201, replayed: undefined });
    expect(await post(app, { key: 'k' })).toEqual({ ...answered, replayed: 'true' });
    expect(await effects()).toBe(1);
  });

  it('a repeated request to another process gets a conflict', async () => {
    const { app, reached, release } = held();
    const running = post(app, { key: 'k' });
    await reached;
    // Another process has a set of running keys of its own, so only the lock tells it.
    vi.resetModules();
    const elsewhere = (await import('./idempotency.ts')).respondIdempotently;
    expect(elsewhere).not.toBe(respondIdempotently);
    const other = serve(test.database, { response: elsewhere });
    expect(await post(other, { key: 'k' })).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    release();
    const answered = await running;
    expect(await post(other, { key: 'k' })).toEqual({ ...answered, replayed: 'true' });
    expect(await effects()).toBe(1);
  });

  it('a hundred concurrent requests are executed once and get one response', async () => {
    const app = serve(test.database);
    const responses = await Promise.all(Array.from({ length: 100 }, () => post(app, { key: 'k' })));
    const done = responses.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(
      responses.filter(({ status }) => status !== 201).every(({ code }) => code === 'idempotency_in_progress'),
    ).toBe(true);
    expect(done.filter(({ replayed }) => replayed === undefined)).toHaveLength(1);
    expect(await effects()).toBe(1);
  });
});
