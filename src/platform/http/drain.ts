// The end of a server: first readiness says so, then no new requests, then no connections, whatever their clients do (contract 8.6).
import type { FastifyInstance } from 'fastify';

import { pendingResponse } from './pending-response.ts';

// Often enough that a drained server does not keep the process.
const SWEEP_MS = 50;

/**
 * Readiness turns 503 so that load balancers stop sending requests here, while those that still come are served. Each response closes
 * its connection, so that few are open when the listener closes.
 */
export function announceEnd(app: FastifyInstance): void {
  app.lifecycle.leaving = true;
}

/** From now on every new request is answered 503 and its connection closed; those under way go on. Readiness turns 503 too. @public */
export function beginDrain(app: FastifyInstance): void {
  app.lifecycle.leaving = true;
  app.lifecycle.draining = true;
}

/** Closes the listener, waits for requests under way, and after `ms` cuts what is left. Resolves when the `onClose` hooks are done. */
export async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  beginDrain(app);
  // Node itself leaves open what has not sent a whole request, for ever: its timeouts stop with the listener.
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
