// Traces requests: each gets an id, under which `POST /api/v1/ingest` also stores its lead, and sampled ones a span (decision 058).
import type { FastifyReply, FastifyRequest } from 'fastify';

import { newUuid, type NewId } from '../../base/ids.ts';
import type { Clock } from '../clock.ts';
import { type RequestSpan, rootSpanIdOf, type SpanLink, traceIdOf, type Tracing } from '../tracing/tracing.ts';
import type { App } from './app.ts';

/** Must be called before other hooks are added. */
export function traceRequests(app: App, tracing: Tracing, clock: Clock): void {
  app.addHook('onRequest', (request, reply, done) => {
    const id = newUuid();
    const isSampled = tracing.isSampled(id);
    request.trace = { id, span: isSampled ? beginSpan(request, clock) : null };
    // Only here: an id of a trace that is not exported would lead nowhere.
    if (isSampled) {
      reply.log = request.log.child({ trace_id: traceIdOf(id), span_id: rootSpanIdOf(id) });
      request.log = reply.log;
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace !== null && request.trace.span !== null) {
      endSpan(tracing, request.trace.id, { request, reply, span: request.trace.span });
    }
    done();
  });
}

function beginSpan(request: FastifyRequest, clock: Clock): RequestSpan {
  const caller = readTraceparent(request.raw.headers['traceparent']);
  return { startedMs: clock.now().getTime(), attributes: {}, links: caller === null ? [] : [caller] };
}

type Ended = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly span: RequestSpan };

function endSpan(tracing: Tracing, id: NewId, { request, reply, span }: Ended): void {
  // The declared route, because a URL may contain personal data.
  const route = request.is404 ? '(unknown)' : (request.routeOptions.url ?? '(unknown)');
  tracing.addRoot(id, {
    name: `${request.method} ${route}`,
    kind: 'server',
    startedMs: span.startedMs,
    endedMs: span.startedMs + reply.elapsedTime,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'leadmarket.request_id': request.id,
      ...span.attributes,
    },
    failed: reply.statusCode >= 500,
    links: span.links,
  });
}

/**
 * The caller's span, by W3C Trace Context. It is linked and not continued: with the caller's trace the caller would decide on sampling,
 * and one that samples everything would flood the collector.
 */
function readTraceparent(header: string | string[] | undefined): SpanLink | null {
  const [, traceId = '', spanId = ''] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(header)) ?? [];
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : null;
}
