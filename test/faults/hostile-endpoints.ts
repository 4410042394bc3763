// Misbehaving endpoints of partners, each with the expected outcome of an attempt to send there (contract 4.10).
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { startRawReceiver, startReceiver } from '../support/receiver.ts';

export type Expected = {
  readonly kind: 'taken' | 'not_taken';
  readonly why?: 'later' | 'refused' | 'gone';
  /** Left out where it depends on which side was faster. */
  readonly receipt?: 'no' | 'unknown';
  readonly responseCode: number | null;
  readonly responseSnippet?: string | null;
  readonly error?: string | null;
};

export type Endpoint = { readonly url: string; readonly close: () => Promise<void> };

export type HostileEndpoint = {
  readonly what: string;
  readonly start: () => Promise<Endpoint>;
  readonly expected: Expected;
};

const CLOSED = 'The connection was closed before a response came.';
const UNREADABLE = 'The response was not valid HTTP.';
const UNTRUSTED = 'The certificate is not signed by an authority that is trusted.';

const taken = (responseCode: number, more: Partial<Expected> = {}): Expected => ({
  kind: 'taken',
  responseCode,
  error: null,
  ...more,
});
/** A response with an error status, or with another unexpected one. */
const responded = (why: 'later' | 'refused' | 'gone', responseCode: number, receipt: 'no' | 'unknown'): Expected => ({
  kind: 'not_taken',
  why,
  receipt,
  responseCode,
  error: null,
});
/** No response. */
const broke = (receipt: 'no' | 'unknown', error?: string): Expected => ({
  kind: 'not_taken',
  why: 'later',
  receipt,
  responseCode: null,
  responseSnippet: null,
  ...(error === undefined ? {} : { error }),
});
const someHow: Expected = { kind: 'not_taken', why: 'later', responseCode: null, responseSnippet: null };

/** Reads the request, then runs `play`. */
const plays = (what: string, play: (socket: Socket) => void, expected: Expected): HostileEndpoint => ({
  what,
  expected,
  async start() {
    const { origin, close } = await startRawReceiver(play);
    return { url: `${origin}/leads`, close };
  },
});
const says = (what: string, response: string | Buffer, expected: Expected): HostileEndpoint =>
  plays(what, (socket) => socket.end(response), expected);
const status = (line: string, expected: Expected): HostileEndpoint =>
  says(line, `HTTP/1.1 ${line}\r\ncontent-length: 2\r\n\r\nok`, { responseSnippet: 'ok', ...expected });
/** Sends `HTTP/1.1 200 OK` and the rest. */
const ok = (what: string, rest: string, responseSnippet: string | null = null): HostileEndpoint =>
  says(what, `HTTP/1.1 200 OK\r\n${rest}`, taken(200, { responseSnippet }));
/** Does not wait for a request. */
const greets = (what: string, greet: (socket: Socket) => void, expected: Expected): HostileEndpoint => ({
  what,
  expected,
  async start() {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      greet(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/leads`,
      async close() {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
});

/** Writes pieces of 64 KiB for as long as the client reads; reports how much that was. */
const PIECE = Buffer.alloc(65_536, 'a');
export function pour(socket: Socket, head: string, onGone: (bytes: number) => void = () => undefined): void {
  let poured = 0;
  socket.once('close', () => onGone(poured));
  const more = (): void => {
    if (socket.destroyed) return;
    poured += PIECE.length;
    if (socket.write(PIECE)) setImmediate(more);
    else socket.once('drain', more);
  };
  socket.write(head, more);
}

const GIGABYTE = 2 ** 30;
const lengthOf = (bytes: number): string => `content-length: ${bytes}\r\n\r\n`;
const chunked = 'transfer-encoding: chunked\r\n\r\n';
const packed = gzipSync('secret '.repeat(10_000));

const whole: readonly HostileEndpoint[] = [
  status('200 OK', taken(200)),
  status('202 Accepted', taken(202)),
  status('204 No Content', taken(204, { responseSnippet: null })),
  status('304 Not Modified', { ...responded('later', 304, 'unknown'), responseSnippet: null }),
  says(
    'a redirect to the machine itself',
    'HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:22/\r\ncontent-length: 0\r\n\r\n',
    responded('later', 307, 'unknown'),
  ),
  status('400 Bad Request', responded('refused', 400, 'no')),
  status('404 Not Found', responded('refused', 404, 'no')),
  status('408 Request Timeout', responded('later', 408, 'no')),
  status('409 Conflict', responded('later', 409, 'no')),
  status('425 Too Early', responded('later', 425, 'no')),
  status('429 Too Many Requests', responded('later', 429, 'no')),
  status('410 Gone', responded('gone', 410, 'no')),
  status('500 Internal Server Error', responded('later', 500, 'unknown')),
  status('503 Service Unavailable', responded('later', 503, 'unknown')),
  status('999 x', responded('later', 999, 'unknown')),
];

const odd: readonly HostileEndpoint[] = [
  says('a response in HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nthanks', taken(200, { responseSnippet: 'thanks' })),
  says('100 Continue first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', taken(200)),
  says(
    'a hint first',
    'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n',
    taken(201),
  ),
  says(
    'a hint before a failure',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n',
    responded('later', 503, 'unknown'),
  ),
  says('103 Early Hints only', 'HTTP/1.1 103 Early Hints\r\n\r\n', broke('unknown', CLOSED)),
  says(
    'another protocol from here on',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    broke('unknown', UNREADABLE),
  ),
  ok('an upgrade to another protocol', `upgrade: h2,h2c\r\nconnection: upgrade\r\n${lengthOf(2)}ok`, 'ok'),
  says(
    'a packed body that nobody asked for',
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`),
      packed,
    ]),
    taken(200),
  ),
  ok('a body that is no text', `${lengthOf(6)}\u0000a\u001b[b\u007f`, 'a[b'),
];

const broken: readonly HostileEndpoint[] = [
  plays('nothing', (socket) => socket.end(), broke('unknown', CLOSED)),
  plays('nothing, with a reset', (socket) => socket.resetAndDestroy(), broke('unknown', CLOSED)),
  greets('a reset before the request is read', (socket) => socket.resetAndDestroy(), someHow),
  greets('its end before the request is read', (socket) => socket.end(), someHow),
  says('half a status', 'HTTP/1.1 20', broke('unknown')),
  says('a status line without its end', 'HTTP/1.1 200 OK', broke('unknown')),
  ok('the status line', ''),
  ok('half a header', 'content-le'),
  ok('half the headers', 'server: x\r\n'),
  ok('half the body', `${lengthOf(100)}thanks`, 'thanks'),
  ok('half a chunk', `${chunked}ff\r\nthanks`, 'thanks'),
  says('the status line of an error', 'HTTP/1.1 500 Oops\r\n', responded('later', 500, 'unknown')),
  plays(
    'the status line, with a reset',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nx', () => setImmediate(() => socket.resetAndDestroy())),
    taken(200),
  ),
];

const invalid: readonly HostileEndpoint[] = [
  says('no HTTP', 'hello\r\n\r\n', broke('unknown', UNREADABLE)),
  says('a later version of HTTP', 'HTTP/3 200 OK\r\n\r\n', broke('unknown', UNREADABLE)),
  says('the status line of an ICY server', 'ICY 200 OK\r\n\r\n', broke('unknown', UNREADABLE)),
  says('a status that is no number', 'HTTP/1.1 2x0 OK\r\n\r\n', broke('unknown', UNREADABLE)),
  says('a thousand zero bytes', Buffer.alloc(1000), broke('unknown', UNREADABLE)),
  greets('a mail server', (socket) => socket.end('220 mail.summit.example ESMTP\r\n'), someHow),
  ok('an invalid chunk size', `${chunked}zz\r\nthanks\r\n`),
  ok('a chunk longer than memory', `${chunked}fffffffffffffffff\r\n`),
  ok('two lengths', `content-length: 2\r\ncontent-length: 3\r\n\r\nok`),
  ok('a length below zero', `content-length: -1\r\n\r\nok`),
  ok('a length and chunks', `content-length: 2\r\n${chunked}0\r\n\r\n`),
  ok('a header without a colon', 'thanks a lot\r\n\r\n'),
  ok('a header of a megabyte', `x: ${'a'.repeat(2 ** 20)}\r\n\r\n`),
  ok('ten thousand headers', `${'x: y\r\n'.repeat(10_000)}\r\n`),
];

const huge: readonly HostileEndpoint[] = [
  plays(
    'a gigabyte',
    (socket) => pour(socket, `HTTP/1.1 200 OK\r\n${lengthOf(GIGABYTE)}`),
    taken(200, { responseSnippet: 'a'.repeat(1024) }),
  ),
  plays(
    'an error with a body of a gigabyte',
    (socket) => pour(socket, `HTTP/1.1 502 Bad Gateway\r\n${lengthOf(GIGABYTE)}`),
    {
      ...responded('later', 502, 'unknown'),
      responseSnippet: 'a'.repeat(1024),
    },
  ),
];

const unreachable: readonly HostileEndpoint[] = [
  {
    what: 'a port without a listener',
    async start() {
      const { origin, close } = await startReceiver();
      await close();
      return { url: origin, close: async () => undefined };
    },
    expected: broke('no', 'The connection was refused.'),
  },
  {
    what: 'a name that is too long for DNS',
    start: async () => ({ url: `http://${'a'.repeat(300)}.example:9911/`, close: async () => undefined }),
    expected: broke('no', 'The host name could not be resolved.'),
  },
  {
    what: 'a self-signed certificate',
    async start() {
      const { origin, close } = await startReceiver({ tls: true });
      return { url: `${origin}/leads`, close };
    },
    expected: broke('no', UNTRUSTED),
  },
  {
    what: 'no TLS under an https URL',
    async start() {
      const { origin, close } = await startReceiver();
      return { url: origin.replace('http:', 'https:'), close };
    },
    expected: broke('no', 'The TLS handshake failed.'),
  },
  {
    what: 'TLS under an http URL',
    async start() {
      const { origin, close } = await startReceiver({ tls: true });
      return { url: origin.replace('https:', 'http:'), close };
    },
    expected: broke('unknown'),
  },
];

/** All of them end at once, independent of time limits. */
export const hostileEndpoints: readonly HostileEndpoint[] = [
  ...whole,
  ...odd,
  ...broken,
  ...invalid,
  ...huge,
  ...unreachable,
];
