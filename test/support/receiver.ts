// A real endpoint on loopback, like those of partners and suppliers: it records requests and responds as a test defines.
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { watchMessage } from './openapi/watch-responses.ts';

export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Decoded as UTF-8; `bytes` is what came. */
  readonly body: string;
  readonly bytes: Buffer;
  /** Milliseconds since 1970, when the whole request was there. */
  readonly at: number;
};

/** `reset` cuts the connection without a response, `hang` keeps it open without one. */
export type Reply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer }
  | 'reset'
  | 'hang';

export type Receiver = {
  /** `http://127.0.0.1:PORT`, as an exempt target is written. */
  readonly origin: string;
  /** In the order of arrival; a test may empty it. */
  readonly requests: ReceivedRequest[];
  /** Connections accepted so far, open or not. */
  readonly connections: number;
  readonly close: () => Promise<void>;
};

/**
 * For `localhost`, `crm.summit.example` and 127.0.0.1, self-signed, valid for a hundred years. It protects nothing. Created once with
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500`.
 */
export const receiverTls = {
  cert: readFileSync(new URL('./tls/receiver-cert.pem', import.meta.url), 'utf8'),
  key: readFileSync(new URL('./tls/receiver-key.pem', import.meta.url), 'utf8'),
} as const;

/** Responds 200 with an empty body unless `respond` is given; `tls` serves HTTPS under `receiverTls`. */
export async function startReceiver(
  options: { readonly respond?: (request: ReceivedRequest) => Reply | Promise<Reply>; readonly tls?: boolean } = {},
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await readRequest(request);
    requests.push(received);
    watchMessage(received.body, received.headers);
    writeReply(response, (await options.respond?.(received)) ?? { status: 200 });
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A client that hangs up early, and an error of `respond`, both end as a cut connection.
    handle(request, response).catch(() => request.socket.destroy());
  };
  const server = options.tls === true ? createHttpsServer(receiverTls, listener) : createHttpServer(listener);
  return await listen(server, { scheme: options.tls === true ? 'https' : 'http', requests });
}

/**
 * For responses that no HTTP library would send: `onRequest` gets the socket once a whole request was read on it, and writes any
 * bytes. Requests are recorded with method, path and body; headers stay empty.
 */
export async function startRawReceiver(
  onRequest: (socket: Socket, request: ReceivedRequest) => void,
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createTcpServer((socket) => {
    let pending: Buffer = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (let whole = takeRequest(pending); whole !== null; whole = takeRequest(pending)) {
        pending = whole.rest;
        requests.push(whole.request);
        onRequest(socket, whole.request);
      }
    });
  });
  return await listen(server, { scheme: 'http', requests });
}

async function listen(server: Server, about: { scheme: string; requests: ReceivedRequest[] }): Promise<Receiver> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${about.scheme}://127.0.0.1:${port}`,
    requests: about.requests,
    get connections() {
      return connections;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { method = '', url: path = '', headers } = request;
  return { method, path, headers, body: bytes.toString('utf8'), bytes, at: Date.now() };
}

function writeReply(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  if (reply === 'reset') {
    // Only a plain socket can send a TCP reset; over TLS the connection just ends.
    if (response.socket instanceof TLSSocket) response.socket.destroy();
    else response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body ?? '');
}

/** The first complete request (with a content-length) at the start of the bytes, and the rest. */
function takeRequest(bytes: Buffer): { request: ReceivedRequest; rest: Buffer } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const [method = '', path = ''] = head.split(' ', 2);
  const bodyEnd = headEnd + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (bytes.length < bodyEnd) return null;
  const body = bytes.subarray(headEnd + 4, bodyEnd);
  const request = { method, path, headers: {}, body: body.toString('utf8'), bytes: body, at: Date.now() };
  return { request, rest: bytes.subarray(bodyEnd) };
}
