// Tests the guarded client against changing names, redirects, proxies and environments: it connects only to checked addresses.
import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';

import { checkTarget } from '../../src/platform/outbound/check-target.ts';
import {
  createGuardedClient,
  type GuardedClient,
  type GuardedClientOptions,
} from '../../src/platform/outbound/guarded-client.ts';
import {
  type ReceivedRequest,
  type Receiver,
  receiverTls,
  type Reply,
  startRawReceiver,
  startReceiver,
} from '../support/receiver.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function receive(respond: () => Reply = () => ({ status: 200 }), tls = false): Promise<Receiver> {
  const receiver = await startReceiver({ respond, tls });
  open.push(() => receiver.close());
  return receiver;
}

async function receiveRaw(onRequest: (socket: Socket, request: ReceivedRequest) => void): Promise<Receiver> {
  const receiver = await startRawReceiver(onRequest);
  open.push(() => receiver.close());
  return receiver;
}

function client(options: Partial<GuardedClientOptions>): GuardedClient {
  const made = createGuardedClient({ allowTargets: [], ...options });
  open.push(() => made.close());
  return made;
}

const portOf = ({ origin }: Receiver): string => new URL(origin).port;
const post = (url: string, body = '{}') => ({ url, headers: {}, body });
const blocked = { kind: 'error', error: 'blocked', receipt: 'no' };

describe('A name', () => {
  it('is not connected to when its address has become private', async () => {
    const forbidden = await receive(undefined, true);
    const url = `https://crm.summit.example:${portOf(forbidden)}/hook`;
    const responses = [['8.8.8.8'], ['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['8.8.8.8', '127.0.0.1']];
    const asked: string[] = [];
    const resolve = async (name: string): Promise<readonly string[]> => {
      asked.push(name);
      return responses[asked.length - 1] ?? [];
    };
    expect(await checkTarget(url, { allowTargets: [], resolve })).toMatchObject({ ok: true });
    const posting = client({ resolve, tls: { ca: receiverTls.cert } });
    while (asked.length < responses.length) expect(await posting.post(post(url))).toMatchObject(blocked);
    expect(asked).toEqual(responses.map(() => 'crm.summit.example'));
    expect(forbidden.connections).toBe(0);
  });

  it('shares no connection with another name at the same address', async () => {
    const receiver = await receive();
    const [one, other] = ['leads', 'crm'].map((name) => `http://${name}.summit.example:${portOf(receiver)}`) as [
      string,
      string,
    ];
    const posting = client({ allowTargets: [one, other], resolve: async () => ['127.0.0.1'] });
    for (const origin of [one, other, one, other]) {
      expect(await posting.post(post(origin))).toMatchObject({ status: 200 });
      await new Promise(setImmediate);
    }
    expect(receiver.requests.map(({ headers }) => `http://${headers.host}`)).toEqual([one, other, one, other]);
    expect(receiver.connections).toBe(2);
  });

  it('does not use its connection after losing its exemption', async () => {
    const receiver = await receive(undefined, true);
    const origin = `https://crm.summit.example:${portOf(receiver)}`;
    const options = { resolve: async () => ['127.0.0.1'], tls: { ca: receiverTls.cert } };
    expect(await client({ ...options, allowTargets: [origin] }).post(post(origin))).toMatchObject({ status: 200 });
    expect(await client(options).post(post(origin))).toMatchObject(blocked);
    expect(receiver.connections).toBe(1);
  });
});

describe('A redirect', () => {
  it.each([300, 301, 302, 303, 305, 307, 308])('with status %d is the response and is not followed', async (status) => {
    const [forbidden, inner] = [await receive(undefined, true), await receive()];
    const places = [
      `https://127.0.0.1:${portOf(forbidden)}/`,
      `https://2130706433:${portOf(forbidden)}/`,
      `https://localhost:${portOf(forbidden)}/`,
      `//127.0.0.1:${portOf(inner)}/`,
      `${inner.origin}/latest/meta-data`,
      '/again',
      'http://169.254.169.254/',
    ];
    let next = 0;
    const receiver = await receive(() => ({
      status,
      headers: {
        location: places[next++] ?? '',
        refresh: `0; url=${inner.origin}`,
        'content-location': inner.origin,
        'alt-svc': `h2="127.0.0.1:${portOf(inner)}"; ma=60`,
        link: `<${inner.origin}>; rel=preload`,
      },
      body: `<meta http-equiv="refresh" content="0; url=${inner.origin}">`,
    }));
    const posting = client({ allowTargets: [receiver.origin, inner.origin] });
    for (const location of places) {
      expect(await posting.post(post(receiver.origin))).toMatchObject({ kind: 'response', status, location });
    }
    expect(receiver.requests).toHaveLength(places.length);
    expect([forbidden.connections, inner.connections]).toEqual([0, 0]);
  });
});

describe('The environment', () => {
  it('can neither set a proxy nor disable certificate checks', async () => {
    const [proxy, receiver, untrusted] = [await receive(), await receive(), await receive(undefined, true)];
    const script = `
      import { createGuardedClient } from ${JSON.stringify(new URL('../../src/platform/outbound/guarded-client.ts', import.meta.url).href)};
      const [allowed, ...urls] = process.argv.slice(1);
      const client = createGuardedClient({ allowTargets: allowed.split(' ') });
      const outcomes = [];
      for (const url of urls) outcomes.push(await client.post({ url, headers: {}, body: '{}' }));
      await client.close();
      console.log(JSON.stringify(outcomes));`;
    const proxied = Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
        name,
        proxy.origin,
      ]),
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        script,
        `${receiver.origin} ${untrusted.origin}`,
        receiver.origin,
        untrusted.origin,
        `https://localhost:${portOf(untrusted)}/`,
      ],
      { env: { ...proxied, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
    );
    expect(JSON.parse(stdout)).toMatchObject([
      { kind: 'response', status: 200 },
      { kind: 'error', error: 'tls', receipt: 'no' },
      blocked,
    ]);
    expect([proxy.connections, receiver.requests.length, untrusted.requests.length]).toEqual([0, 1, 0]);
  });
});

describe('A response with many bytes besides its body', () => {
  /** Writes as fast as it is read, and tells how much that was once the socket is gone. */
  async function endless(start: string, more: string) {
    const gone = Promise.withResolvers<number>();
    const chunk = Buffer.from(more.repeat(Math.ceil(65_536 / more.length)));
    const receiver = await receiveRaw((socket) => {
      let taken = 0;
      socket.once('close', () => gone.resolve(taken));
      socket.write(start);
      const next = (): void => {
        if (socket.destroyed) return;
        taken += chunk.length;
        if (socket.write(chunk)) setImmediate(next);
        else socket.once('drain', next);
      };
      next();
    });
    return { receiver, gone: gone.promise };
  }

  it.each([
    [
      'informational answers',
      '',
      'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n',
      { kind: 'error', error: 'protocol', receipt: 'unknown' },
    ],
    ['unasked continuations', '', 'HTTP/1.1 100 Continue\r\n\r\n', { kind: 'error', receipt: 'unknown' }],
    ['a reason', 'HTTP/1.1 200 ', 'very ok ', { kind: 'error', error: 'protocol', receipt: 'unknown' }],
    [
      'a chunk’s extension',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a=',
      'b'.repeat(64),
      { kind: 'response', status: 200 },
    ],
    [
      'tiny chunks with extensions',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      `1;${'b'.repeat(6000)}\r\nx\r\n`,
      { kind: 'response', status: 200 },
    ],
    [
      'trailers',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
      `x: ${'b'.repeat(60)}\r\n`,
      { kind: 'response', status: 200 },
    ],
    ['headers', 'HTTP/1.1 200 OK\r\n', `x: ${'b'.repeat(60)}\r\n`, { kind: 'response', status: 200 }],
    ['one header', 'HTTP/1.1 200 OK\r\nx: ', 'b'.repeat(64), { kind: 'response', status: 200 }],
    ['blank lines', '', '\r\n', { kind: 'error', receipt: 'unknown' }],
  ])('is not read for ever: %s', async (_what, start, more, expected) => {
    const { receiver, gone } = await endless(start, more);
    // No limit of time ends it: without another one, the test would.
    const posting = client({ allowTargets: [receiver.origin], totalTimeoutMs: 600_000 });
    expect(await posting.post(post(receiver.origin))).toMatchObject(expected);
    // What the kernel's buffers on both sides swallow is not read; the rest was never sent.
    expect(await gone).toBeLessThan(2 ** 26);
  });
});

describe('Informational responses before the final one', () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\nvia: HTTP/1.1 x\r\n\r\n';
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
  const bare = 'HTTP/1.1 100\r\nserver: x\r\n\r\n';
  const thanks = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nthanks';
  const rows = [
    ['a continuation that was not asked for', goOn, thanks],
    ['one without a reason', bare, thanks],
    ['several', goOn + hint + goOn + hint, thanks],
    ['a switch to what is no protocol', 'HTTP/1.1 102 Processing\r\n\r\n', thanks],
  ] as const;

  it.each(rows)('are skipped: %s', async (_what, before, response) => {
    const whole = before + response;
    // In one piece, and cut at every place, on one kept connection each.
    let cut = whole.length;
    const receiver = await receiveRaw((socket) => {
      const [first, second] = [whole.slice(0, cut), whole.slice(cut)];
      socket.setNoDelay(true);
      socket.write(first, () => setImmediate(() => second !== '' && socket.write(second)));
    });
    const posting = client({ allowTargets: [receiver.origin] });
    for (; cut > 0; cut -= 1) {
      expect(await posting.post(post(receiver.origin)), String(cut)).toMatchObject({ status: 200, snippet: 'thanks' });
      await new Promise(setImmediate);
    }
    expect(receiver.requests).toHaveLength(whole.length);
    expect(receiver.connections).toBeLessThanOrEqual(2);
  });

  it.each(rows)('do not hide the status line of a response that broke off: %s', async (_what, before) => {
    const starts = [
      'HTTP/1.1 202 Accepted\r\n',
      'HTTP/1.1 202 Accepted\r\ncontent-le',
      'HTTP/1.1 202\r\nbroken\r\n\r\n',
    ];
    for (const start of starts) {
      const whole = before + start;
      for (const cut of [0, 1, before.length - 2, before.length - 1, before.length, before.length + 1]) {
        const receiver = await receiveRaw((socket) => {
          socket.setNoDelay(true);
          socket.write(whole.slice(0, cut), () => setImmediate(() => socket.end(whole.slice(cut))));
        });
        const posting = client({ allowTargets: [receiver.origin] });
        expect(await posting.post(post(receiver.origin)), JSON.stringify(whole)).toMatchObject({
          kind: 'response',
          status: 202,
        });
      }
    }
  });

  it('leave receipt unknown when no final response follows', async () => {
    for (const response of [
      goOn,
      hint,
      goOn + hint,
      `${hint}HTTP/1.1 20`,
      `${hint}HTTP/1.1 200 OK`,
      `x\r\n${thanks}`,
    ]) {
      const receiver = await receiveRaw((socket) => socket.end(response));
      expect(await client({ allowTargets: [receiver.origin] }).post(post(receiver.origin)), response).toMatchObject({
        kind: 'error',
        receipt: 'unknown',
      });
      expect(receiver.requests).toHaveLength(1);
    }
  });
});
