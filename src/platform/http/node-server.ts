// Creates the Node server under the framework: its limits in time and size, and the handling of broken requests (contract 1.9).
import { createServer, type RequestListener, type Server } from 'node:http';

import type { Lifecycle } from './app.ts';
import { respondToBrokenRequest, respondToConnect } from './broken-request.ts';
import type { ProblemExtras } from './problem.ts';

export type Timeouts = {
  readonly headersMs: number;
  readonly requestMs: number;
  /** The time without a byte in either direction while a response is due. */
  readonly stallMs: number;
  readonly checkMs: number;
};

export type NodeServerOptions = {
  readonly timeouts?: Timeouts | undefined;
  readonly maxConnections?: number | undefined;
  readonly extras: ReadonlyMap<string, ProblemExtras>;
  readonly lifecycle: Lifecycle;
};

/** Request line and headers together. */
export const HEADER_BYTES = 16 * 1024;
// Cut within 15 s (headers) and 30 s (whole request): Node checks at intervals, so its limits are one interval shorter.
// A client that takes nothing of its response for a minute is gone; it would hold the source of the response, such as a connection.
const TIMEOUTS: Timeouts = { headersMs: 14_000, requestMs: 29_000, stallMs: 60_000, checkMs: 1000 };
// Longer than the minute after which load balancers close idle connections, so that this side never closes one in use.
const KEEP_ALIVE_MS = 72_000;
// Some 100 MB of buffers at worst; a slow client holds one for half a minute at most.
const MAX_CONNECTIONS = 10_000;

export function createNodeServer(listener: RequestListener, options: NodeServerOptions): Server {
  const { timeouts = TIMEOUTS, maxConnections = MAX_CONNECTIONS, extras, lifecycle } = options;
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Makes a second Authorization or Content-Type visible, so that it is rejected instead of dropped.
      joinDuplicateHeaders: true,
      // Checked later, where the error response has a body.
      requireHostHeader: false,
    },
    listener,
  );
  server.maxConnections = maxConnections;
  server.timeout = timeouts.stallMs;
  server.on('connection', (socket) => {
    lifecycle.sockets.add(socket);
    socket.once('close', () => lifecycle.sockets.delete(socket));
  });
  server.on('clientError', (error, socket) => respondToBrokenRequest(error, socket, extras));
  server.on('connect', (raw, socket) => respondToConnect(raw, socket, extras));
  // Body admission sends `100 Continue`; other expectations may be ignored.
  for (const event of ['checkContinue', 'checkExpectation'] as const) server.on(event, listener);
  return server;
}
