// Builds the HTTP server: limits, request ids, unknown paths and methods, error answers (contract 1.7, 1.9). Routes come from elsewhere.
import { strict as assert } from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  fastify,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
  type RawServerDefault,
  type RouteOptions,
} from 'fastify';
import type { Logger } from 'pino';

import { type Clock, systemClock } from '../clock.ts';
import { createFaultLog } from '../fault-log.ts';
import type { App, Lifecycle, SchemaTypes } from './app.ts';
import { admitBody } from './body-admission.ts';
import { respondWithError } from './error-response.ts';
import { watchForProxies } from './untrusted-proxy.ts';
import { parseJsonBody } from './json-body.ts';
import type { HttpMeter, Observe } from './http-meter.ts';
import { createNodeServer, HEADER_BYTES, type Timeouts } from './node-server.ts';
import { type ProblemExtras, sendProblem } from './problem.ts';
import { ProblemSchema } from './problem-schema.ts';
import { createRateLimiter } from './rate-limit.ts';
import { type Refusal, RequestFault, NOT_FOUND } from './request-fault.ts';
import { requestIdOf } from './request-id.ts';
import { requestLog } from './request-log.ts';
import { buildSerializer } from './serialization.ts';
import { buildValidator, invalidInput } from './validation.ts';

export type ServerOptions = {
  readonly log: Logger;
  readonly clock?: Clock;
  /** Addresses and networks whose X-Forwarded-For is believed; [] for none. */
  readonly trustProxy: readonly string[];
  /** Called once, with the address of a peer on this machine or network that sends X-Forwarded-For and is not in `trustProxy`. */
  readonly onUntrustedProxy?: (address: string) => void;
  /** Further members of the problem documents of a path, whatever the method and the refusal. */
  readonly extras?: ReadonlyMap<string, ProblemExtras>;
  readonly bodyLimitBytes?: number;
  readonly maxConnections?: number;
  readonly meter?: HttpMeter;
  /** For tests only: the limits that the contract has are the defaults. */
  readonly timeouts?: Timeouts;
};

/** What nobody may be shown unasked. */
const GUARDED = /^\/(?:api\/v1|portal\/api|console\/api)(?:\/|$)/;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const READS_BODY: ReadonlySet<unknown> = new Set(['POST', 'PUT', 'PATCH']);
/** Contract 1.6. */
const BODY_BYTES = 64 * 1024;

export function createServer(options: ServerOptions): App {
  const { trustProxy, meter, timeouts, maxConnections, bodyLimitBytes: bodyLimit = BODY_BYTES } = options;
  const extras = options.extras ?? new Map<string, ProblemExtras>();
  const lifecycle: Lifecycle = { leaving: false, draining: false, sockets: new Set() };
  // As the framework's own interface, so that instances have one type whatever the log is.
  const log: FastifyBaseLogger = options.log;
  const app: App = fastify<RawServerDefault, IncomingMessage, ServerResponse>({
    loggerInstance: log,
    logController: requestLog(),
    serverFactory: (listener) => createNodeServer(listener, { timeouts, maxConnections, extras, lifecycle }),
    // The server has one of its own.
    clientErrorHandler: () => undefined,
    bodyLimit,
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    genReqId: requestIdOf,
    // An id of any length is an unknown id; the length of the URL is bounded by that of the headers.
    routerOptions: { maxParamLength: HEADER_BYTES, compile: true },
    // Our own answer while closing is a problem document.
    return503OnClosing: false,
    // Its declared type is that of one particular implementation.
    schemaController: { compilersFactory: { buildValidator: buildValidator as never, buildSerializer } },
    schemaErrorFormatter: invalidInput,
    frameworkErrors(error, request, reply) {
      greet(request, reply);
      respondWithError(error, request, reply);
    },
  }).withTypeProvider<SchemaTypes>();

  decorate(app, lifecycle, extras);
  app.decorate('logOutage', createFaultLog(options.log, options.clock ?? systemClock, 'unavailable'));
  readBodies(app);
  app.addHook('onRoute', function addRoute(route) {
    assert(
      this.scopeName !== null || !GUARDED.test(route.url),
      `${String(route.method)} ${route.url} is registered outside of a scope`,
    );
    if (GUARDED.test(route.url)) checkTexts(route);
    completeRoute(route, route.bodyLimit ?? bodyLimit, meter);
  });
  if (options.onUntrustedProxy !== undefined) watchForProxies(app, options.onUntrustedProxy);
  app.addHook('onRequest', welcome(app, meter?.forRoute('*', '(unknown)')));
  app.setErrorHandler(respondWithError);
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, NOT_FOUND));
  return app;
}

const DRAINING: Refusal = { status: 503, code: 'unavailable', headers: { 'retry-after': '1', connection: 'close' } };
const NO_HOST: Refusal = { status: 400, code: 'bad_request', detail: 'The Host header is missing.' };

function decorate(app: App, lifecycle: Lifecycle, extras: ReadonlyMap<string, ProblemExtras>): void {
  app.decorate('lifecycle', lifecycle);
  app.decorate('problemExtras', extras);
  app.decorate('rateLimiter', createRateLimiter());
  app.decorate('securitySchemes', {});
  app.decorate('scopeName', null);
  app.decorateRequest('principal', null);
  app.decorateRequest('rawBody', '');
  app.addSchema(ProblemSchema);
}

function readBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
  // Bodies that mean nothing are not read.
  for (const method of ['DELETE', 'OPTIONS']) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
}

/** The first hook of every request: what every answer carries, and what is refused before anybody is asked who it is. */
function welcome(app: App, observeUnknown: Observe | undefined) {
  const { lifecycle } = app;
  return function welcomeHook(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    greet(request, reply);
    if (lifecycle.draining && request.routeOptions.config.duringDrain !== true) {
      sendProblem(request, reply, DRAINING);
    } else if (request.is404) {
      respondUnknown(app, request, reply);
      observeUnknown?.(reply.statusCode, reply.elapsedTime);
    } else if (hasEmptyParameter(request.params)) {
      respondUnknown(app, request, reply);
    } else if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      sendProblem(request, reply, NO_HOST);
    } else {
      done();
    }
  };
}

function greet(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
  if (request.server.lifecycle.leaving) reply.header('connection', 'close');
}

/** A path or body that a route says nothing of has its texts checked all the same. */
function checkTexts(route: RouteOptions): void {
  const reads = [route.method].flat().some((method) => READS_BODY.has(method)) && route.config?.emptyBody !== true;
  route.schema = {
    ...(route.url.includes(':') ? { params: {} } : {}),
    ...(reads ? { body: {} } : {}),
    ...route.schema,
  };
  // What names nothing is refused before the route's own code, also where that wants to see what is wrong with the body.
  if (route.attachValidation === true) route.preHandler = [refuseUnknownPath, ...[route.preHandler ?? []].flat()];
}

function refuseUnknownPath(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const error = request.validationError ?? null;
  if (error instanceof RequestFault && error.refusal.status === NOT_FOUND.status) {
    sendProblem(request, reply, NOT_FOUND);
  } else {
    done();
  }
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
export function respondUnknown(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const url = request.raw.url ?? '';
  const allowed = METHODS.filter((method) => {
    const route = app.findRoute({ method, url }) as { params: object } | null;
    // A route for every path knows none in particular.
    return route !== null && !Object.hasOwn(route.params, '*') && !hasEmptyParameter(route.params);
  });
  return sendProblem(
    request,
    reply,
    allowed.length === 0
      ? NOT_FOUND
      : { status: 405, code: 'method_not_allowed', headers: { allow: allowed.join(', ') } },
  );
}
