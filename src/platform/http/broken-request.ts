// Responds to malformed, oversized or unfinished HTTP directly on the socket (contract 1.9).
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { pendingResponse } from './pending-response.ts';
import type { ProblemCode } from './problem-catalogue.ts';
import { describeProblem, PROBLEM_TYPE, type ProblemExtras } from './problem.ts';
import { countedHeaders } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import { pathOf } from './request-path.ts';

type Extras = ReadonlyMap<string, ProblemExtras>;

// Time for the client to read the response before the connection closes; bytes that it still sends are discarded.
const LINGER_MS = 500;

const FAULTS: Readonly<Record<string, readonly [status: number, code: ProblemCode]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'body_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout'],
};

/** Node's parser adds the packet that it was reading. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** For the server's `clientError`. */
export function respondToBrokenRequest(error: ParseError, socket: Duplex, extras: Extras): void {
  // A response was sent; bytes after the error are discarded.
  if (socket.writableEnded) return;
  const pending = pendingResponse(socket);
  // The client is gone, or a response was partly sent and another would garble it.
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent === true) {
    socket.destroy();
    return;
  }
  const [status, code] = FAULTS[error.code ?? ''] ?? [400, 'bad_request'];
  const raw = pending?.req ?? null;
  respondOnSocket(socket, { status, code }, { extras, raw, url: raw === null ? urlIn(error.rawPacket) : raw.url });
}

/** The URL of a request that broke off in its headers, which usually arrive in one packet with its first line. */
function urlIn(packet: Buffer | undefined): string | undefined {
  // The paths with extra members are short.
  return /^[A-Z]+ (\S+) HTTP\//.exec(packet?.toString('latin1', 0, 256) ?? '')?.[1];
}

/** For the server's `connect` event: tunnels are not supported. */
export function respondToConnect(raw: IncomingMessage, socket: Duplex, extras: Extras): void {
  respondOnSocket(
    socket,
    { status: 405, code: 'method_not_allowed' },
    { extras, raw, url: raw.url, allow: 'GET, HEAD, POST' },
  );
}

type Cause = {
  readonly extras: Extras;
  readonly raw: IncomingMessage | null;
  readonly url: string | undefined;
  readonly allow?: string;
};

function respondOnSocket(socket: Duplex, response: { status: number; code: ProblemCode }, cause: Cause): void {
  const requestId = requestIdOf(cause.raw ?? { headers: {} });
  const problem = describeProblem(response, requestId);
  const further = cause.extras.get(pathOf(cause.url));
  const body = JSON.stringify(further === undefined ? problem : { ...problem, ...further(problem, 0) });
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    ...countedHeaders(cause.raw),
    ...(cause.allow === undefined ? [] : [`Allow: ${cause.allow}`]),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.resume();
  const end = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(end));
}
