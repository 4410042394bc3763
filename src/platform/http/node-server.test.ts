import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openRaw, portOf, requestText } from '../../../test/support/raw-http.ts';
import { createLog } from '../log.ts';
import type { App } from './app.ts';
import { createServer } from './server.ts';

const abandoned = Promise.withResolvers<void>();
let app: App;

// Far below the real limits, so that the tests wait only as long as they must.
beforeAll(async () => {
  app = createServer({
    log: createLog('silent'),
    trustProxy: [],
    extras: new Map([['/post', () => ({ accepted: false })]]),
    timeouts: { headersMs: 300, requestMs: 600, stallMs: 900, checkMs: 50 },
  });
  app.post('/post', (request, reply) => reply.send(request.body));
  app.get('/endless', (_request, reply) => {
    reply.raw.once('close', abandoned.resolve);
    return reply.type('text/plain').send(Readable.from(endless()));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

function* endless(): Generator<string> {
  for (;;) yield 'x'.repeat(65_536);
}

describe('The HTTP server', () => {
  it('cuts a connection on which no bytes arrive', async () => {
    const silent = openRaw(portOf(app));
    await silent.closed;
    expect(await silent.response()).toMatchObject({ status: 408 });
  });

  it('responds 408 to an incomplete head and closes', async () => {
    const connection = openRaw(portOf(app));
    connection.send('POST /post HTTP/1.1\r\nHost: a\r\n');
    const response = await connection.response();
    expect(response).toMatchObject({ status: 408, headers: { connection: 'close' } });
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ code: 'request_timeout' });
    await connection.closed;
  });

  it('responds 408 to an incomplete body, with the members of its path, and closes', async () => {
    const connection = openRaw(portOf(app));
    connection.send(requestText('POST /post', { 'Content-Type': 'application/json', 'Content-Length': '100' }));
    connection.send('{"name":');
    const response = await connection.response();
    expect(response).toMatchObject({ status: 408, headers: { connection: 'close' } });
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ code: 'request_timeout', accepted: false });
    await connection.closed;
  });

  it('gives up a response that its client does not read', async () => {
    const connection = openRaw(portOf(app));
    connection.pause();
    connection.send(requestText('GET /endless'));
    await abandoned.promise;
    connection.destroy();
    expect(app.lifecycle.draining).toBe(false);
  });
});
