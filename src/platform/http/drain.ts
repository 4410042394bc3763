// Shuts a server down in steps: readiness turns 503, new requests are rejected, connections are closed (contract 8.6).
import type { FastifyInstance } from 'fastify';

import { pendingResponse } from './pending-response.ts';

// Short, so that a drained server does not keep the process alive.
const SWEEP_MS = 50;

/**
 * Turns readiness to 503, so that load balancers stop sending requests; requests that still arrive are served. Each response closes
 * its connection, so that few are open when the listener closes.
 */
export function announceEnd(app: FastifyInstance): void {
  app.lifecycle.leaving = true;
}

/** Responds to new requests with 503 and closes their connections; running requests continue. Readiness is 503, too. @public */
export function beginDrain(app: FastifyInstance): void {
  app.lifecycle.leaving = true;
  app.lifecycle.draining = true;
}

/** Closes the listener, waits for running requests, and cuts the remaining ones after `ms`. Resolves after the `onClose` hooks. */
export async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  beginDrain(app);
  // Node keeps connections without a whole request open forever, because its timeouts stop with the listener.
  const sweep = setInterval(() => {
    for (const socket of app.lifecycle.sockets) if (pendingResponse(socket) === null) socket.destroy();
  }, SWEEP_MS);
  const deadline = setTimeout(() => {
    for (const socket of app.lifecycle.sockets) socket.destroy();
  }, ms);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
