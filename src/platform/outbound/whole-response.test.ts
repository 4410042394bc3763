import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startRawReceiver, startReceiver, type Receiver, type Reply } from '../../../test/support/receiver.ts';
import { createGuardedClient, type GuardedClient } from './guarded-client.ts';

const cleanups: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function opened(receiver: Receiver): { receiver: Receiver; client: GuardedClient } {
  const client = createGuardedClient({ allowTargets: [receiver.origin] });
  cleanups.push(async () => {
    await client.close();
    await receiver.close();
  });
  return { receiver, client };
}

const answering = async (reply: Reply) => opened(await startReceiver({ respond: () => reply }));
const raw = async (onRequest: (socket: Socket) => void) => opened(await startRawReceiver(onRequest));

describe('A GET request', () => {
  it('is sent with its headers and without a body', async () => {
    const { receiver, client } = await answering({ status: 200, body: 'hello' });
    const outcome = await client.get({
      url: `${receiver.origin}/v4/x?fields=a`,
      headers: { Authorization: 'Bearer t' },
    });
    expect(outcome).toMatchObject({ kind: 'response', status: 200, snippet: 'hello' });
    expect(outcome).not.toHaveProperty('body');
    expect(receiver.requests).toMatchObject([
      {
        method: 'GET',
        path: '/v4/x?fields=a',
        body: '',
        headers: { authorization: 'Bearer t', 'accept-encoding': 'identity' },
      },
    ]);
    expect(receiver.requests[0]?.headers).not.toHaveProperty('content-length');
  });

  it('is subject to the target rules', async () => {
    const receiver = await startReceiver();
    const client = createGuardedClient({ allowTargets: [] });
    cleanups.push(
      () => client.close(),
      () => receiver.close(),
    );
    expect(await client.get({ url: receiver.origin, headers: {} })).toMatchObject({ kind: 'error', error: 'blocked' });
    expect(receiver.connections).toBe(0);
  });

  it('does not follow redirects', async () => {
    const { receiver, client } = await answering({ status: 302, headers: { location: '/elsewhere' } });
    expect(await client.get({ url: `${receiver.origin}/here`, headers: {} })).toMatchObject({
      status: 302,
      location: '/elsewhere',
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/here']);
  });

  it('is sent once even when the connection breaks during it', async () => {
    const { receiver, client } = await answering('reset');
    expect(await client.get({ url: receiver.origin, headers: {} })).toMatchObject({ kind: 'error', error: 'reset' });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('The body of a response, if requested', () => {
  const LIMIT = 300_000;
  const asked = { headers: {}, keepBodyBytes: LIMIT } as const;

  it('is whole up to the limit, also beyond the usual limit', async () => {
    const body = Buffer.alloc(LIMIT, 'abc\u0000漢');
    const { receiver, client } = await answering({ status: 200, body });
    for (const outcome of [
      await client.get({ ...asked, url: receiver.origin }),
      await client.post({ ...asked, url: receiver.origin, body: '{}' }),
    ]) {
      expect(outcome).toMatchObject({ kind: 'response', status: 200 });
      expect(outcome.kind === 'response' && outcome.body?.equals(body)).toBe(true);
    }
  });

  it('is returned for an error as for a success, and beside its start', async () => {
    const { receiver, client } = await answering({ status: 400, body: '{"error":"x"}' });
    const outcome = await client.post({ ...asked, url: receiver.origin, body: '' });
    expect(outcome).toMatchObject({ status: 400, snippet: '{"error":"x"}', body: Buffer.from('{"error":"x"}') });
  });

  it('is empty if the response is', async () => {
    const { receiver, client } = await answering({ status: 204 });
    expect(await client.get({ ...asked, url: receiver.origin })).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });

  it('is null if it is longer than the limit', async () => {
    const { receiver, client } = await answering({ status: 200, body: Buffer.alloc(LIMIT + 1, 'a') });
    expect(await client.get({ ...asked, url: receiver.origin })).toMatchObject({ status: 200, body: null });
  });

  it('is null if it is incomplete', async () => {
    const { receiver, client } = await raw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":1}'),
    );
    expect(await client.get({ ...asked, url: receiver.origin })).toMatchObject({
      status: 200,
      snippet: '{"a":1}',
      body: null,
    });
  });
});

describe('A shorter time limit than the client’s', () => {
  it('ends a request without a response', async () => {
    const { receiver, client } = await answering('hang');
    const outcome = await client.post({ url: receiver.origin, headers: {}, body: '', timeoutMs: 200 });
    expect(outcome).toMatchObject({ kind: 'error', error: 'timeout' });
  });
});
