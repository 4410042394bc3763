import { afterEach, describe, expect, it } from 'vitest';

import { openRaw, portOf, requestText } from '../../../test/support/raw-http.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import type { App } from './app.ts';
import { announceEnd, beginDrain, closeWithin } from './drain.ts';
import { registerHealth } from './health.route.ts';
import { createServer } from './server.ts';

const open: App[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => closeWithin(app, 0)));
});

type Held = { app: App; port: number; arrived: Promise<void>; release: () => void; closedHooks: string[] };

/** A server whose /held answers only when told to. */
async function start(): Promise<Held> {
  const log = createLog('silent');
  const app = createServer({ log, trustProxy: [] });
  open.push(app);
  const gate = Promise.withResolvers<void>();
  const arrival = Promise.withResolvers<void>();
  const closedHooks: string[] = [];
  registerHealth(app, { log, checks: [], metrics: createMetrics(), metricsFor: 'everybody' });
  app.get('/held', async (_request, reply) => {
    arrival.resolve();
    await gate.promise;
    return reply.send({ held: closedHooks.length === 0 });
  });
  app.get('/quick', (_request, reply) => reply.send({ quick: true }));
  app.post('/post', (request, reply) => reply.send(request.body));
  app.addHook('onClose', () => void closedHooks.push('closed'));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, port: portOf(app), arrived: arrival.promise, release: gate.resolve, closedHooks };
}

describe('A server that drains or closes', () => {
  it('fails its readiness after the announcement, goes on serving, and closes each connection with its response', async () => {
    const { app, port } = await start();
    const kept = openRaw(port);
    kept.send(requestText('GET /quick'));
    expect((await kept.response())?.headers['connection']).toBe('keep-alive');
    announceEnd(app);
    kept.send(requestText('GET /quick'));
    expect(await kept.response()).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
      body: '{"quick":true}',
    });
    await kept.closed;
    const late = openRaw(port);
    late.send(requestText('GET /quick'));
    expect(await late.response()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    const [health, ready, wrong] = [openRaw(port), openRaw(port), openRaw(port)];
    health.send(requestText('GET /healthz'));
    expect((await health.response())?.status).toBe(200);
    ready.send(requestText('GET /readyz'));
    expect((await ready.response())?.status).toBe(503);
    wrong.send(requestText('POST /post', { 'Content-Type': 'application/json', 'Content-Length': '1' }, '{'));
    expect(await wrong.response()).toMatchObject({ status: 400, headers: { connection: 'close' } });
  });

  it('refuses new requests while it drains, closes their connections and finishes current requests', async () => {
    const { app, port, arrived, release } = await start();
    const busy = openRaw(port);
    const idle = openRaw(port);
    idle.send(requestText('GET /quick'));
    expect((await idle.response())?.status).toBe(200);
    busy.send(requestText('GET /held'));
    await arrived;
    beginDrain(app);
    idle.send(requestText('GET /quick'));
    const refused = await idle.response();
    expect(refused).toMatchObject({ status: 503, headers: { connection: 'close', 'retry-after': '1' } });
    expect(JSON.parse(refused?.body ?? '')).toMatchObject({ code: 'unavailable' });
    await idle.closed;
    const health = openRaw(port);
    health.send(requestText('GET /healthz'));
    expect((await health.response())?.status).toBe(200);
    const balancer = openRaw(port);
    balancer.send(requestText('GET /readyz'));
    const ready = await balancer.response();
    expect(ready?.status).toBe(503);
    expect(JSON.parse(ready?.body ?? '')).toEqual({ status: 'unavailable', failing: ['draining'] });
    release();
    expect((await busy.response())?.status).toBe(200);
    busy.destroy();
  });

  it('waits for current requests before its close hooks run, and ends every connection', async () => {
    const { app, port, arrived, release, closedHooks } = await start();
    const [busy, idle, mute, headless] = [openRaw(port), openRaw(port), openRaw(port), openRaw(port)];
    idle.send(requestText('GET /quick'));
    expect((await idle.response())?.status).toBe(200);
    headless.send('GET /quick HTTP/1.1\r\nHo');
    busy.send(requestText('GET /held'));
    await arrived;
    const closing = closeWithin(app, 60_000);
    await Promise.all([idle.closed, mute.closed, headless.closed]);
    expect(closedHooks).toEqual([]);
    release();
    const response = await busy.response();
    expect(response?.body).toBe('{"held":true}');
    await Promise.all([closing, busy.closed]);
    expect(closedHooks).toEqual(['closed']);
    const late = openRaw(port);
    late.send(requestText('GET /quick'));
    expect(await late.response()).toBeNull();
  });

  it('stops waiting for an incomplete body and for a response that does not come', async () => {
    const { app, port, arrived } = await start();
    const half = openRaw(port);
    half.send(requestText('POST /post', { 'Content-Type': 'application/json', 'Content-Length': '1000' }));
    half.send('{"a":');
    const stuck = openRaw(port);
    stuck.send(requestText('GET /held'));
    await arrived;
    await closeWithin(app, 100);
    expect(await half.response()).toBeNull();
    expect(await stuck.response()).toBeNull();
  });

  it('refuses a request that arrives while the listener closes with a problem document', async () => {
    const { app, port, arrived, release } = await start();
    const busy = openRaw(port);
    busy.send(requestText('GET /held'));
    await arrived;
    const closing = closeWithin(app, 60_000);
    // Pipelined on the busy connection, so that it is read before the connection ends.
    busy.send(requestText('GET /quick'));
    release();
    expect((await busy.response())?.status).toBe(200);
    const second = await busy.response();
    if (second !== null) expect(JSON.parse(second.body)).toMatchObject({ code: 'unavailable', status: 503 });
    await closing;
    expect(app.server.listening).toBe(false);
  });
});
