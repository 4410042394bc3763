import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  receiverTls,
  startRawReceiver,
  startReceiver,
  type Receiver,
  type ReceivedRequest,
} from '../../../test/support/receiver.ts';
import { createGuardedClient, type GuardedClient, type GuardedClientOptions } from './guarded-client.ts';

const cleanups: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function receiving(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...args);
  cleanups.push(() => receiver.close());
  return receiver;
}

async function receivingRaw(onRequest: (socket: Socket, request: ReceivedRequest) => void): Promise<Receiver> {
  const receiver = await startRawReceiver(onRequest);
  cleanups.push(() => receiver.close());
  return receiver;
}

function client(options: Partial<GuardedClientOptions> & { receiver?: Receiver } = {}): GuardedClient {
  const { receiver, ...rest } = options;
  const made = createGuardedClient({ allowTargets: receiver === undefined ? [] : [receiver.origin], ...rest });
  cleanups.push(() => made.close());
  return made;
}

const portOf = (receiver: Receiver): string => new URL(receiver.origin).port;
const request = (url: string, body: string | Buffer = '{}') => ({
  url,
  headers: { 'content-type': 'application/json' },
  body,
});

/** Lets a socket whose answer is read become free. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Long enough for loopback at its slowest, short enough to wait for where silence is the point. */
const SHORT_MS = 1_000;

describe('An endpoint that responds', () => {
  it('gets the exact bytes and headers, and its response is reported', async () => {
    const receiver = await receiving({
      respond: () => ({ status: 201, headers: { 'Retry-After': '7' }, body: 'thanks' }),
    });
    const body = Buffer.from('{"name":"Zoë 漢 👍\\u0000","n":1.10}\n');
    const outcome = await client({ receiver }).post({
      url: `${receiver.origin}/hooks/in?k=1#part`,
      headers: { 'Webhook-Id': 'dlv_1', 'webhook-signature': 'v1,abc= v1,def=' },
      body,
    });
    expect(outcome).toEqual({
      kind: 'response',
      status: 201,
      snippet: 'thanks',
      latencyMs: expect.any(Number) as number,
      retryAfter: '7',
      location: null,
    });
    const [got] = receiver.requests;
    expect(got?.bytes.equals(body)).toBe(true);
    expect(got).toMatchObject({ method: 'POST', path: '/hooks/in?k=1' });
    expect(got?.headers).toMatchObject({
      host: new URL(receiver.origin).host,
      'webhook-id': 'dlv_1',
      'webhook-signature': 'v1,abc= v1,def=',
      'accept-encoding': 'identity',
      'content-length': String(body.length),
    });
  });

  it('gets a string body as UTF-8', async () => {
    const receiver = await receiving();
    await client({ receiver }).post(request(receiver.origin, 'Zoë 👍'));
    expect(receiver.requests[0]?.bytes.equals(Buffer.from('Zoë 👍'))).toBe(true);
  });

  it.each([200, 204, 400, 404, 408, 409, 410, 429, 500, 503, 599])('is reported with its status %d', async (status) => {
    const receiver = await receiving({ respond: () => ({ status }) });
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({
      kind: 'response',
      status,
      snippet: null,
    });
  });

  it.each([301, 302, 303, 307, 308])('is not followed to the target of its %d', async (status) => {
    const inner = await receiving();
    const receiver = await receiving({
      respond: () => ({ status, headers: { Location: `${inner.origin}/latest/meta-data` } }),
    });
    const outcome = await client({ allowTargets: [receiver.origin, inner.origin] }).post(request(receiver.origin));
    expect(outcome).toMatchObject({ kind: 'response', status, location: `${inner.origin}/latest/meta-data` });
    expect(inner.connections).toBe(0);
  });

  it('may send informational responses first', async () => {
    const receiver = await receivingRaw((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({
      kind: 'response',
      status: 200,
      snippet: 'ok',
    });
  });

  it('has its response kept as sent: compressed, 1 KiB at most, without control characters', async () => {
    const packed = await receiving({
      respond: () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync('secret'.repeat(99)) }),
    });
    expect(JSON.stringify(await client({ receiver: packed }).post(request(packed.origin)))).not.toContain('secret');
    const long = await receiving({ respond: () => ({ status: 200, body: `\u0000a\u001b${'漢'.repeat(2_000)}` }) });
    const outcome = await client({ receiver: long }).post(request(long.origin));
    expect(outcome).toMatchObject({ kind: 'response', snippet: `a${'漢'.repeat(340)}` });
  });

  it('keeps its connection for the next posts', async () => {
    const receiver = await receiving({ respond: () => ({ status: 200, body: 'ok' }) });
    const posting = client({ receiver });
    for (let n = 0; n < 20; n += 1) expect(await posting.post(request(receiver.origin))).toMatchObject({ status: 200 });
    // A socket is free again a turn of the event loop after its answer, so that posts in a row take turns on two.
    expect(receiver.connections).toBeLessThanOrEqual(2);
    expect(receiver.requests).toHaveLength(20);
  });

  it('gets concurrent posts over its maximum of connections, each exactly once', async () => {
    const receiver = await receiving();
    const posting = client({ receiver, socketsPerOrigin: 64 });
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, (_, n) => posting.post(request(receiver.origin, String(n)))),
    );
    expect(outcomes.every((outcome) => outcome.kind === 'response' && outcome.status === 200)).toBe(true);
    expect(new Set(receiver.requests.map((got) => got.body)).size).toBe(500);
    expect(receiver.requests).toHaveLength(500);
    expect(receiver.connections).toBeLessThanOrEqual(64);
  });
});

describe('Many endpoints of one origin', () => {
  it('are reached while others of them keep hundreds of connections without a response', async () => {
    const gate = Promise.withResolvers<{ status: number }>();
    const receiver = await receiving({
      respond: ({ path }) => (path === '/hangs' ? gate.promise : { status: 200 }),
    });
    const posting = client({ receiver });
    const hanging = Array.from({ length: 300 }, () => posting.post(request(`${receiver.origin}/hangs`)));
    while (receiver.requests.length < 300) await turn();
    expect(await posting.post(request(`${receiver.origin}/answers`))).toMatchObject({ status: 200 });
    gate.resolve({ status: 200 });
    await Promise.all(hanging);
  });
});

describe('A status line', () => {
  const drip = (socket: Socket): void => {
    const timer = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(timer));
  };

  it('counts when headers or body arrive too slowly to finish in time', async () => {
    const starts = [
      'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nthanks',
      'HTTP/1.1 200 OK\r\n\r\nthanks',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 200\r\nx-still: ',
    ];
    const gone: Array<Promise<void>> = [];
    const receiver = await receivingRaw((socket, { body }) => {
      gone.push(new Promise((resolve) => socket.once('close', () => resolve())));
      socket.write(body);
      drip(socket);
    });
    const posting = client({ receiver, totalTimeoutMs: SHORT_MS });
    const outcomes = await Promise.all(starts.map((start) => posting.post(request(receiver.origin, start))));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'response', status: 200 });
    // Each socket was destroyed, not left to drip.
    await Promise.all(gone);
    expect(receiver.requests).toHaveLength(starts.length);
  });

  it.each([
    ['half the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthanks', 'thanks'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', null],
    ['half the headers', 'HTTP/1.1 200 OK\r\ncontent-le', null],
    ['headers that are none', 'HTTP/1.1 200 OK\r\nno colon here\r\n\r\n', null],
    ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, null],
  ])('counts when the response ends after %s', async (_what, start, snippet) => {
    const receiver = await receivingRaw((socket) => socket.end(start));
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({
      kind: 'response',
      status: 200,
      snippet,
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('of an error counts with its own status', async () => {
    const receiver = await receivingRaw((socket) => socket.end('HTTP/1.1 500 Oops\r\nx'));
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({ kind: 'response', status: 500 });
  });

  it('is not taken from the previous response on a kept connection', async () => {
    let answered = 0;
    const receiver = await receivingRaw((socket) => {
      answered += 1;
      if (answered === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      else socket.end('HTTP/1.1 2');
    });
    const posting = client({ receiver });
    expect(await posting.post(request(receiver.origin))).toMatchObject({ status: 200 });
    await turn();
    expect(await posting.post(request(receiver.origin))).toMatchObject({ kind: 'error', receipt: 'unknown' });
    expect(receiver.connections).toBe(1);
  });

  it('ends the reading of a body of a gigabyte at 64 KiB', async () => {
    const chunk = Buffer.alloc(65_536, 'a');
    let sent = 0;
    let gone: Promise<unknown> | undefined;
    const receiver = await receivingRaw((socket) => {
      gone = new Promise((resolve) => socket.once('close', resolve));
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${2 ** 30}\r\n\r\n`);
      const more = (): void => {
        if (socket.destroyed) return;
        sent += chunk.length;
        if (socket.write(chunk)) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });
    const outcome = await client({ receiver }).post(request(receiver.origin));
    expect(outcome).toMatchObject({ kind: 'response', status: 200, snippet: 'a'.repeat(1024) });
    await gone;
    // What the kernel's buffers on both sides swallow is not read; the rest was never sent.
    expect(sent).toBeLessThan(2 ** 26);
  });

  it('is followed by a body of exactly 64 KiB, which is read whole and leaves the connection open', async () => {
    const receiver = await receiving({ respond: () => ({ status: 200, body: Buffer.alloc(65_536, 'a') }) });
    const posting = client({ receiver });
    for (let n = 0; n < 3; n += 1) {
      expect(await posting.post(request(receiver.origin))).toMatchObject({ status: 200 });
      await turn();
    }
    expect(receiver.connections).toBe(1);
  });
});

describe('An endpoint that fails after the request was written leaves receipt unknown', () => {
  it('when it sends nothing, or too slowly to complete its status line', async () => {
    const receiver = await receivingRaw((socket, { body }) => {
      if (body === 'hang') return;
      socket.write('HTTP/1.1 200 ');
      const timer = setInterval(() => socket.write('O'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    const posting = client({ receiver, totalTimeoutMs: SHORT_MS });
    for (const outcome of await Promise.all(
      ['hang', 'drip'].map((body) => posting.post(request(receiver.origin, body))),
    )) {
      expect(outcome).toMatchObject({ kind: 'error', error: 'timeout', receipt: 'unknown' });
    }
    expect(receiver.requests).toHaveLength(2);
  });

  it('when it resets', async () => {
    const receiver = await receiving({ respond: () => 'reset' });
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({
      kind: 'error',
      error: 'reset',
      receipt: 'unknown',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('when it closes the connection', async () => {
    const receiver = await receivingRaw((socket) => socket.end());
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({
      kind: 'error',
      error: 'reset',
      receipt: 'unknown',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([
    'hello\r\n\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    '\u0000\u0001\u0002',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 2x0\r\n\r\n',
  ])('when it responds with %j', async (response) => {
    const receiver = await receivingRaw((socket) => socket.end(response));
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({
      kind: 'error',
      error: 'protocol',
      receipt: 'unknown',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('when it resets a kept connection under the second request, which is not sent again', async () => {
    let answered = 0;
    const receiver = await receivingRaw((socket) => {
      answered += 1;
      if (answered === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      else socket.resetAndDestroy();
    });
    const posting = client({ receiver });
    await posting.post(request(receiver.origin, 'one'));
    await turn();
    expect(await posting.post(request(receiver.origin, 'two'))).toMatchObject({
      kind: 'error',
      error: 'reset',
      receipt: 'unknown',
    });
    expect(receiver.requests.map((got) => got.body)).toEqual(['one', 'two']);
    expect(receiver.connections).toBe(1);
  });
});

describe('A connection that was never established makes non-receipt certain', () => {
  it('when it is refused', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await client({ receiver }).post(request(receiver.origin))).toMatchObject({
      kind: 'error',
      error: 'refused',
      receipt: 'no',
    });
  });

  it('when the name does not resolve, or not in time', async () => {
    const url = 'https://crm.summit.example/';
    const rejecting = client({ resolve: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })) });
    expect(await rejecting.post(request(url))).toMatchObject({ kind: 'error', error: 'dns', receipt: 'no' });
    const silent = client({ resolve: () => new Promise<never>(() => undefined), connectTimeoutMs: 20 });
    expect(await silent.post(request(url))).toMatchObject({ kind: 'error', error: 'dns', receipt: 'no' });
  });

  it('when the TLS handshake stalls', async () => {
    const silent = await receivingRaw(() => undefined);
    const origin = silent.origin.replace('http:', 'https:');
    const outcome = await client({ allowTargets: [origin], connectTimeoutMs: SHORT_MS }).post(request(origin));
    expect(outcome).toMatchObject({ kind: 'error', error: 'timeout', receipt: 'no' });
  });

  it('when the certificate is not trusted, is for another host, or is none at all', async () => {
    const receiver = await receiving({ tls: true });
    const plain = await receiving();
    const other = `https://leads.summit.example:${portOf(receiver)}`;
    const notTls = `https://127.0.0.1:${portOf(plain)}`;
    const allowTargets = [receiver.origin, other, notTls];
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const trusting = client({ allowTargets, resolve, tls: { ca: receiverTls.cert } });
    const tlsFailure = { kind: 'error', error: 'tls', receipt: 'no' };
    expect(await client({ allowTargets }).post(request(receiver.origin))).toMatchObject({
      ...tlsFailure,
      message: expect.stringContaining('not signed') as string,
    });
    expect(await trusting.post(request(other))).toMatchObject({
      ...tlsFailure,
      message: expect.stringContaining('not valid for this host') as string,
    });
    expect(await trusting.post(request(notTls))).toMatchObject(tlsFailure);
    expect([...receiver.requests, ...plain.requests]).toEqual([]);
  });

  it('when all 64 connections were in use, and the request is never sent afterwards', async () => {
    const gate = Promise.withResolvers<{ status: number }>();
    const receiver = await receiving({ respond: () => gate.promise });
    const posting = client({ receiver, socketsPerOrigin: 64 });
    const first = Array.from({ length: 64 }, (_, n) => posting.post(request(receiver.origin, String(n))));
    while (receiver.requests.length < 64) await turn();
    const stop = new AbortController();
    const waiting = Array.from({ length: 6 }, () =>
      posting.post({ ...request(receiver.origin, 'late'), signal: stop.signal }),
    );
    await turn();
    stop.abort();
    for (const outcome of await Promise.all(waiting))
      expect(outcome).toMatchObject({ kind: 'error', error: 'aborted', receipt: 'no' });
    gate.resolve({ status: 200 });
    for (const outcome of await Promise.all(first)) expect(outcome).toMatchObject({ status: 200 });
    expect(await posting.post(request(receiver.origin, 'last'))).toMatchObject({ status: 200 });
    expect(receiver.requests).toHaveLength(65);
    expect(receiver.requests.map((got) => got.body)).not.toContain('late');
    expect(receiver.connections).toBe(64);
  });
});

describe('HTTPS', () => {
  it('verifies the certificate of the requested name, over a kept connection', async () => {
    const receiver = await receiving({ tls: true });
    const origin = `https://crm.summit.example:${portOf(receiver)}`;
    const posting = client({
      allowTargets: [origin],
      resolve: () => Promise.resolve(['127.0.0.1']),
      tls: { ca: receiverTls.cert },
    });
    for (let n = 0; n < 3; n += 1) {
      expect(await posting.post(request(`${origin}/in`))).toMatchObject({ status: 200 });
      await turn();
    }
    expect(receiver.requests[0]?.headers.host).toBe(`crm.summit.example:${portOf(receiver)}`);
    expect(receiver.connections).toBe(1);
  });

  it('accepts a certificate that names the address of a literal', async () => {
    const receiver = await receiving({ tls: true });
    expect(await client({ receiver, tls: { ca: receiverTls.cert } }).post(request(receiver.origin))).toMatchObject({
      status: 200,
    });
  });
});

describe('A target that is not public', () => {
  const blocked = { kind: 'error', error: 'blocked', receipt: 'no' };

  it('is not connected to in any spelling', async () => {
    const receiver = await receiving({ tls: true });
    const posting = client({ tls: { ca: receiverTls.cert } });
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127。0。0。1',
      '①②⑦.⓪.⓪.①',
      '127.0.0.1.',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '0',
      'localhost',
      'localhost.',
      '%31%32%37.0.0.1',
    ]) {
      expect(await posting.post(request(`https://${host}:${portOf(receiver)}/`)), host).toMatchObject(blocked);
    }
    expect(receiver.connections).toBe(0);
  });

  it('is not connected to through a name, even beside a public address', async () => {
    const receiver = await receiving({ tls: true });
    for (const response of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['::ffff:127.0.0.1'],
      ['::1'],
    ]) {
      const posting = client({ resolve: () => Promise.resolve(response), tls: { ca: receiverTls.cert } });
      expect(await posting.post(request(`https://crm.summit.example:${portOf(receiver)}/`))).toMatchObject(blocked);
    }
    expect(receiver.connections).toBe(0);
  });

  it('is not connected to by a name whose address has just become private', async () => {
    const receiver = await receiving({ tls: true });
    const asked: string[] = [];
    const responses = [['8.8.8.8', '127.0.0.1'], ['127.0.0.1'], ['127.0.0.1']];
    const posting = client({
      resolve: (hostname) => {
        asked.push(hostname);
        return Promise.resolve(responses.shift() ?? ['127.0.0.1']);
      },
    });
    for (let n = 1; n <= 3; n += 1) {
      expect(await posting.post(request(`https://crm.summit.example:${portOf(receiver)}/`))).toMatchObject(blocked);
      // Every new socket asks once: there is no second look-up that could get another answer.
      expect(asked).toHaveLength(n);
    }
    expect(receiver.connections).toBe(0);
  });

  it('stays blocked beside an exempt origin on the same address', async () => {
    const receiver = await receiving();
    const posting = client({ receiver, resolve: () => Promise.resolve(['127.0.0.1']) });
    expect(await posting.post(request(receiver.origin))).toMatchObject({ status: 200 });
    for (const url of [
      `https://127.0.0.1:${portOf(receiver)}/`,
      `http://localhost:${portOf(receiver)}/`,
      `https://crm.summit.example:${portOf(receiver)}/`,
    ]) {
      expect(await posting.post(request(url))).toMatchObject(blocked);
    }
    expect(receiver.connections).toBe(1);
  });

  it('is reported without an address', async () => {
    const outcome = await client({ resolve: () => Promise.resolve(['10.11.12.13']) }).post(
      request('https://crm.summit.example/'),
    );
    expect(JSON.stringify(outcome)).not.toContain('10.11.12.13');
  });
});

describe('A kept connection that the other side closes', () => {
  it.each(['end', 'resetAndDestroy'] as const)('with %s is replaced, and no post arrives twice', async (how) => {
    const receiver = await receivingRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', () => socket[how]());
    });
    const posting = client({ receiver });
    const bodies = Array.from({ length: 200 }, (_, n) => String(n));
    const outcomes = [];
    for (const body of bodies) outcomes.push(await posting.post(request(receiver.origin, body)));
    const arrived = receiver.requests.map((got) => got.body);
    expect(new Set(arrived).size).toBe(arrived.length);
    for (const [n, outcome] of outcomes.entries()) {
      if (outcome.kind === 'response') expect(arrived).toContain(bodies[n]);
      else expect(outcome).toMatchObject({ error: 'reset', receipt: 'unknown' });
    }
    expect(outcomes.some((outcome) => outcome.kind === 'response')).toBe(true);
  });

  it.each(['resetAndDestroy', 'end'] as const)(
    'with %s just before the next request is replaced for that request',
    async (how) => {
      const { posting, receiver, kept } = await keeping();
      for (let n = 1; n <= 20; n += 1) {
        expect(await posting.post(request(receiver.origin, 'first'))).toMatchObject({ status: 200 });
        await turn();
        kept()[how]();
        expect(await posting.post(request(receiver.origin, 'second'))).toMatchObject({ status: 201 });
        await turn();
        expect(receiver.requests).toHaveLength(2 * n);
      }
    },
  );

  it.each(['garbage\r\n\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'])(
    'or on which it sends %j unrequested is not used again',
    async (unasked) => {
      const { posting, receiver, kept } = await keeping();
      await posting.post(request(receiver.origin, 'first'));
      const spoilt = kept();
      const gone = new Promise((resolve) => spoilt.once('close', resolve));
      spoilt.write(unasked);
      await gone;
      expect(await posting.post(request(receiver.origin, 'second'))).toMatchObject({ status: 201 });
      expect(receiver.connections).toBe(2);
    },
  );

  /** An endpoint that answers 200 to `first` and 201 to the rest, and the socket of its last answer. */
  async function keeping() {
    let last: Socket | undefined;
    const receiver = await receivingRaw((socket, { body }) => {
      last = socket;
      socket.write(`HTTP/1.1 ${body === 'first' ? '200' : '201'} OK\r\ncontent-length: 0\r\n\r\n`);
    });
    const kept = (): Socket => last ?? expect.fail('nothing was answered');
    return { posting: client({ receiver }), receiver, kept };
  }
});

describe('The end of a client', () => {
  it('cancels by signal: with certainty before anything is sent, without afterwards', async () => {
    const stop = new AbortController();
    const receiver = await receiving({
      respond: () => {
        stop.abort();
        return 'hang';
      },
    });
    const posting = client({ receiver });
    const aborted = { kind: 'error', error: 'aborted' };
    expect(await posting.post({ ...request(receiver.origin), signal: AbortSignal.abort() })).toMatchObject({
      ...aborted,
      receipt: 'no',
    });
    expect(receiver.connections).toBe(0);
    expect(await posting.post({ ...request(receiver.origin), signal: stop.signal })).toMatchObject({
      ...aborted,
      receipt: 'unknown',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('waits for current posts, rejects new ones and leaves no connection', async () => {
    let release: (() => void) | undefined;
    const receiver = await receiving({
      respond: async () => {
        await new Promise<void>((resolve) => (release = resolve));
        return { status: 200 };
      },
    });
    const posting = createGuardedClient({ allowTargets: [receiver.origin] });
    const underWay = posting.post(request(receiver.origin));
    while (release === undefined) await turn();
    const closed = posting.close();
    expect(await posting.post(request(receiver.origin))).toMatchObject({
      kind: 'error',
      error: 'aborted',
      receipt: 'no',
    });
    release();
    expect(await underWay).toMatchObject({ status: 200 });
    await closed;
    expect(receiver.requests).toHaveLength(1);
  });

  it('rejects a request that cannot be written as HTTP', async () => {
    const receiver = await receiving();
    const posting = client({ receiver });
    await expect(
      posting.post({ url: receiver.origin, headers: { 'webhook-id': 'a\r\nb: c' }, body: '' }),
    ).rejects.toThrow('header');
    await expect(
      posting.post({ url: receiver.origin, headers: { Host: 'crm.summit.example' }, body: '' }),
    ).rejects.toThrow('host');
    expect(receiver.requests).toEqual([]);
  });
});
