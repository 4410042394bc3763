// Remembers for each owner how far its own changes reach, so that it sees them even where reads come from a replica (contract 8.8; decision 055).
import type { FastifyRequest } from 'fastify';

import { forReader, type Reads } from '../database/replica.ts';
import type { App } from './app.ts';
import { principalOf } from './scope.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Call it in a scope before its routes. Does nothing without a replica. */
export function followOwnChanges(routes: App, { noteChange }: Reads): void {
  if (noteChange === null) return;
  const ownerOf = (request: FastifyRequest): string => {
    // Operators see each other's changes at once, as colleagues expect.
    if (routes.scopeName === 'operator') return 'operator';
    return `${routes.scopeName} ${principalOf(request).ownerKey}`;
  };
  // After the body is read, because reading it loses the request's async context.
  routes.addHook('preHandler', (request, _reply, done) => forReader(ownerOf(request), done));
  routes.addHook('onSend', async (request, reply, payload) => {
    if (request.principal === null || READS.has(request.method) || reply.statusCode >= 400) return payload;
    try {
      await noteChange(ownerOf(request));
    } catch (error) {
      // The change itself is stored, so its response stays.
      routes.logOutage(error);
    }
    return payload;
  });
}
