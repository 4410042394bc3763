// GET /api/stream at the portal and at the console: server-sent events that say which topics have changed (decision 022).
import { strict as assert } from 'node:assert';
import { PassThrough } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { Admittance, LiveHub, Watcher } from './live-hub.ts';
import { writerOf } from './stream-writer.ts';

export type LiveStreamDependencies = {
  readonly hub: LiveHub;
  /** False for an owner who may no longer come in. */
  readonly mayStay: (session: { readonly kind: Watcher['kind']; readonly ownerKey: string }) => boolean;
};

/** After a broken line: long enough that a restarted service is there again. */
const HELLO = 'retry: 3000\n\n';

export function registerLiveStream(scope: App, { hub, mayStay }: LiveStreamDependencies): void {
  // Asking for its headers alone would open it as well.
  scope.get('/api/stream', { config: { permission: 'read' }, exposeHeadRoute: false }, async (request, reply) => {
    const { ownerKey, session } = principalOf(request);
    assert(session !== undefined, 'the route is in no scope of sessions');
    const { kind, sessionId } = session;
    const line = new PassThrough();
    const key = kind === 'operator' ? '' : ownerKey;
    const watcher: Watcher = { kind, key, sessionId, mayStay: () => mayStay({ kind, ownerKey }), ...writerOf(line) };
    line.once('close', () => hub.leave(watcher));
    const admittance = await hub.join(watcher);
    if (admittance !== 'admitted') {
      line.destroy();
      return refuse(request, reply, admittance);
    }
    if (request.raw.socket.destroyed) {
      // Gone while the database was asked: nobody will close it any more.
      line.destroy();
      return reply.hijack();
    }
    line.write(HELLO);
    // The first header is for proxies that collect an answer before they pass it on.
    return reply.header('x-accel-buffering', 'no').type('text/event-stream').send(line);
  });
}

const FULL = {
  session_full: 'This session has as many live pages open as it may have.',
  owner_full: 'This account has as many live pages open as it may have.',
} as const;

function refuse(request: FastifyRequest, reply: FastifyReply, why: Exclude<Admittance, 'admitted'>): FastifyReply {
  const headers = { 'retry-after': '15' };
  if (why === 'process_full') return sendProblem(request, reply, { status: 503, code: 'unavailable', headers });
  return sendProblem(request, reply, { status: 429, code: 'rate_limited', detail: FULL[why], headers });
}
