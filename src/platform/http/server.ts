// Builds the HTTP server: limits, request ids, unknown paths and methods, error answers (contract 1). Routes come from elsewhere.
import { strict as assert } from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify';
import type { Logger } from 'pino';

import type { App, Lifecycle } from './app.ts';
import { admitBody } from './body-admission.ts';
import { answerBrokenRequest, answerConnect } from './broken-request.ts';
import { answerError } from './error-answer.ts';
import { parseJsonBody } from './json-body.ts';
import type { HttpMeter } from './http-meter.ts';
import { type ProblemExtras, sendProblem } from './problem.ts';
import { ProblemSchema } from './problem-schema.ts';
import { requestIdOf } from './request-id.ts';
import { requestLog } from './request-log.ts';
import { buildValidator, invalidInput } from './validation.ts';

export type ServerOptions = {
  readonly log: Logger;
  /** Addresses and networks whose X-Forwarded-For is believed; [] for none. */
  readonly trustProxy: readonly string[];
  /** Further members of the problem documents of a path, whatever the method and the refusal. */
  readonly extras?: ReadonlyMap<string, ProblemExtras>;
  readonly bodyLimitBytes?: number;
  readonly maxConnections?: number;
  readonly meter?: HttpMeter;
  /** For tests only: the limits that the contract has are the defaults. */
  readonly timeouts?: Timeouts;
};

type Timeouts = { readonly headersMs: number; readonly requestMs: number; readonly checkMs: number };

// Cut within 15 s (headers) and 30 s (whole request): Node looks only now and then, so its limits are a check earlier.
const TIMEOUTS: Timeouts = { headersMs: 14_000, requestMs: 29_000, checkMs: 1000 };
// Longer than the minute after which load balancers drop idle connections, so that it is never us who closes one in use.
const KEEP_ALIVE_MS = 72_000;
const HEADER_BYTES = 16 * 1024;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const READS_BODY: ReadonlySet<unknown> = new Set(['POST', 'PUT', 'PATCH']);

export function createServer(options: ServerOptions): App {
  const bodyLimit = options.bodyLimitBytes ?? 64 * 1024;
  const extras = options.extras ?? new Map<string, ProblemExtras>();
  const timeouts = options.timeouts ?? TIMEOUTS;
  // As the framework's own interface, so that instances have one type whatever the log is.
  const log: FastifyBaseLogger = options.log;
  const app: App = fastify<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger>({
    loggerInstance: log,
    logController: requestLog(),
    http: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // A second Authorization or Content-Type is then seen, and refused, instead of dropped.
      joinDuplicateHeaders: true,
      // Checked below, where the refusal gets a body.
      requireHostHeader: false,
    },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit,
    trustProxy: options.trustProxy.length === 0 ? false : [...options.trustProxy],
    genReqId: requestIdOf,
    // An id of any length is an unknown id; the length of the URL is bounded by that of the headers.
    routerOptions: { maxParamLength: HEADER_BYTES, compile: true },
    // Our own answer while closing is a problem document.
    return503OnClosing: false,
    // Its declared type is that of one particular implementation.
    schemaController: { compilersFactory: { buildValidator: buildValidator as never } },
    schemaErrorFormatter: invalidInput,
    frameworkErrors: (error, request, reply) => {
      greet(request, reply);
      answerError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, extras),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.server.maxConnections = options.maxConnections ?? 10_000;
  const lifecycle: Lifecycle = { draining: false, sockets: new Set() };
  app.server.on('connection', (socket) => {
    lifecycle.sockets.add(socket);
    socket.once('close', () => lifecycle.sockets.delete(socket));
  });
  app.server.on('connect', (raw, socket) => answerConnect(raw, socket, extras));
  // Body admission says when to go on sending; other expectations may be ignored.
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    app.server.on(event, (raw, response) => app.server.emit('request', raw, response));
  }

  app.decorate('lifecycle', lifecycle);
  app.decorate('problemExtras', extras);
  app.decorate('securitySchemes', {});
  app.decorate('scopeName', null);
  app.decorateRequest('principal', null);
  app.decorateRequest('rawBody', '');
  app.addSchema(ProblemSchema);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
  // Bodies that mean nothing are not read.
  for (const method of ['DELETE', 'OPTIONS']) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  app.addHook('onRoute', function addRoute(route) {
    assert(
      this.scopeName !== null || !route.url.startsWith('/api/v1/'),
      `${String(route.method)} ${route.url} is registered outside of a scope`,
    );
    completeRoute(route, bodyLimit, options.meter);
  });
  const unknownPaths = options.meter?.forRoute('*', '(unknown)');
  app.addHook('onRequest', function welcome(request, reply, done) {
    greet(request, reply);
    if (lifecycle.draining && request.routeOptions.config.duringDrain !== true) {
      reply.header('connection', 'close');
      sendProblem(request, reply, { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } });
    } else if (request.is404 || hasEmptyParameter(request.params)) {
      sendUnknown(app, request, reply);
      unknownPaths?.(reply.statusCode, reply.elapsedTime);
    } else if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      sendProblem(request, reply, { status: 400, code: 'bad_request', detail: 'The Host header is missing.' });
    } else {
      done();
    }
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, { status: 404, code: 'not_found' }));
  return app;
}

function greet(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
}

/** Adds to a route what depends on it alone, so that nothing has to be looked up per request. */
function completeRoute(route: RouteOptions, bytes: number, meter: HttpMeter | undefined): void {
  const methods = [route.method].flat();
  if (methods.some((method) => READS_BODY.has(method))) {
    const emptyAllowed = route.config?.emptyBody === true;
    route.onRequest = [...[route.onRequest ?? []].flat(), admitBody({ bytes, emptyAllowed })];
  }
  if (meter !== undefined) {
    const observe = meter.forRoute(methods.join(), route.url);
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (_request, reply, done) => {
        observe(reply.statusCode, reply.elapsedTime);
        done();
      },
    ];
  }
}

/** `/things/` would be taken for `/things/:id` with an empty id, but a path with one slash too many names nothing. */
function hasEmptyParameter(parameters: unknown): boolean {
  for (const name in parameters as object) if ((parameters as Record<string, unknown>)[name] === '') return true;
  return false;
}

/** 405 where another method has a route at this path, else 404. */
function sendUnknown(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const url = request.raw.url ?? '';
  const allowed = METHODS.filter((method) => {
    const route = app.findRoute({ method, url }) as { params: object } | null;
    // A route for every path knows none in particular.
    return route !== null && !Object.hasOwn(route.params, '*') && !hasEmptyParameter(route.params);
  });
  sendProblem(
    request,
    reply,
    allowed.length === 0
      ? { status: 404, code: 'not_found' }
      : { status: 405, code: 'method_not_allowed', headers: { allow: allowed.join(', ') } },
  );
}
