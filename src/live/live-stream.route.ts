// GET /api/stream of the portal and the console: server-sent events with the topics that have changed (decision 022).
import { strict as assert } from 'node:assert';
import { PassThrough } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { Admittance, LiveHub, Watcher } from './live-hub.ts';

export type LiveStreamDependencies = {
  readonly hub: LiveHub;
  /** False for an owner that may no longer sign in. */
  readonly mayStay: (session: { readonly kind: Watcher['kind']; readonly ownerKey: string }) => boolean;
};

/** The delay before a browser reconnects: long enough for a service to restart. */
const RETRY = 'retry: 3000\n\n';

export function registerLiveStream(scope: App, { hub, mayStay }: LiveStreamDependencies): void {
  // A HEAD route would open a stream as well.
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
      // The client disconnected during the query, so no `close` event will follow.
      line.destroy();
      return reply.hijack();
    }
    line.write(RETRY);
    // The header keeps proxies from buffering the response.
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

const BEAT = ':\n\n';

/** Cuts a client that does not read fast enough instead of buffering: it reconnects and then reloads everything. @public */
export function writerOf(line: PassThrough): Pick<Watcher, 'notify' | 'beat' | 'end'> {
  const write = (text: string): void => {
    if (line.writableNeedDrain) line.destroy();
    else if (!line.writableEnded && !line.destroyed) line.write(text);
  };
  return {
    notify: (topics) => write(`event: change\ndata: ${JSON.stringify({ topics })}\n\n`),
    beat: () => write(BEAT),
    end: () => void line.end(),
  };
}
