// Builds the HTTP server without routes: limits, request ids, unknown paths and methods, error responses (contract 1.7, 1.9).
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
import type { Tracing } from '../tracing/tracing.ts';
import type { App, Lifecycle, SchemaTypes, HttpMeter, Observe } from './app.ts';
import { admitBody } from './body-admission.ts';
import { respondWithError } from './error-response.ts';
import { watchForProxies } from './untrusted-proxy.ts';
import { parseJsonBody } from './json-body.ts';
import { createNodeServer, HEADER_BYTES, type Timeouts } from './node-server.ts';
import { type ProblemExtras, sendProblem } from './problem.ts';
import { ProblemSchema } from './problem-schema.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { type Refusal, RequestFault, NOT_FOUND } from './request-fault.ts';
import { requestIdOf } from './request-id.ts';
import { requestLog } from './request-log.ts';
import { traceRequests } from './request-trace.ts';
import { buildSerializer } from './serialization.ts';
import { buildValidator, invalidInput } from './validation.ts';

export type ServerOptions = {
  readonly log: Logger;
  readonly clock?: Clock;
  /** Addresses and networks whose X-Forwarded-For is trusted; [] for none. */
  readonly trustProxy: readonly string[];
  /** Whether pages may be used under the Host of a request; by default under any. */
  readonly isOwnHost?: (host: string) => boolean;
  /** Called once, with the address of a peer on this machine or network that sends X-Forwarded-For and is not in `trustProxy`. */
  readonly onUntrustedProxy?: (address: string) => void;
  /** Further members of the problem documents of a path, for all methods and errors. */
  readonly extras?: ReadonlyMap<string, ProblemExtras>;
  readonly bodyLimitBytes?: number;
  readonly maxConnections?: number;
  readonly meter?: HttpMeter;
  /** By default one that counts in this process. */
  readonly rateLimiter?: RateLimiter;
  readonly tracing?: Tracing | null;
  /** False saves the work of compiling the table of routes, for an application that few requests reach, as in tests. */
  readonly compilesRoutes?: boolean;
  /** For tests only: the defaults are the limits of the contract. */
  readonly timeouts?: Timeouts;
};

/** Paths that must be registered in a scope. */
const GUARDED = /^\/(?:api\/v1|portal\/api|console\/api)(?:\/|$)/;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const READS_BODY: ReadonlySet<unknown> = new Set(['POST', 'PUT', 'PATCH']);
/** Contract 1.6. */
const BODY_BYTES = 64 * 1024;

export function createServer(options: ServerOptions): App {
  const { trustProxy, meter, timeouts, maxConnections, bodyLimitBytes: bodyLimit = BODY_BYTES } = options;
  const { tracing = null, clock = systemClock, compilesRoutes = true } = options;
  const extras = options.extras ?? new Map<string, ProblemExtras>();
  const lifecycle: Lifecycle = { leaving: false, draining: false, sockets: new Set() };
  // Typed as the framework's interface, so that instances have one type with any logger.
  const log: FastifyBaseLogger = options.log;
  const app: App = fastify<RawServerDefault, IncomingMessage, ServerResponse>({
    loggerInstance: log,
    logController: requestLog(),
    serverFactory: (listener) => createNodeServer(listener, { timeouts, maxConnections, extras, lifecycle }),
    // `createNodeServer` handles client errors.
    clientErrorHandler: () => undefined,
    bodyLimit,
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    genReqId: requestIdOf,
    // A too long id is an unknown id; the header limit bounds the length of the URL.
    routerOptions: { maxParamLength: HEADER_BYTES, compile: compilesRoutes },
    // The response while closing is a problem document, sent by the first hook.
    return503OnClosing: false,
    // The declared type is that of one particular implementation.
    schemaController: { compilersFactory: { buildValidator: buildValidator as never, buildSerializer } },
    schemaErrorFormatter: invalidInput,
    frameworkErrors(error, request, reply) {
      setCommonHeaders(request, reply);
      respondWithError(error, request, reply);
    },
  }).withTypeProvider<SchemaTypes>();

  decorate(app, { lifecycle, extras, rateLimiter: options.rateLimiter ?? createRateLimiter() });
  app.decorate('isOwnHost', options.isOwnHost ?? (() => true));
  app.decorate('logOutage', createFaultLog(options.log, clock, 'unavailable'));
  readBodies(app);
  app.addHook('onRoute', function addRoute(route) {
    assert(
      this.scopeName !== null || !GUARDED.test(route.url),
      `${String(route.method)} ${route.url} is registered outside of a scope`,
    );
    if (GUARDED.test(route.url)) checkTexts(route);
    completeRoute(route, route.bodyLimit ?? bodyLimit, meter);
  });
  if (tracing !== null) traceRequests(app, tracing, clock);
  if (options.onUntrustedProxy !== undefined) watchForProxies(app, options.onUntrustedProxy);
  app.addHook('onRequest', firstHook(app, meter?.forRoute('*', '(unknown)')));
  app.setErrorHandler(respondWithError);
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, NOT_FOUND));
  return app;
}

const DRAINING: Refusal = { status: 503, code: 'unavailable', headers: { 'retry-after': '1', connection: 'close' } };
const NO_HOST: Refusal = { status: 400, code: 'bad_request', detail: 'The Host header is missing.' };

type Parts = {
  readonly lifecycle: Lifecycle;
  readonly extras: ReadonlyMap<string, ProblemExtras>;
  readonly rateLimiter: RateLimiter;
};

function decorate(app: App, { lifecycle, extras, rateLimiter }: Parts): void {
  app.decorate('lifecycle', lifecycle);
  app.decorate('problemExtras', extras);
  app.decorate('rateLimiter', rateLimiter);
  app.decorate('securitySchemes', {});
  app.decorate('scopeName', null);
  app.decorateRequest('principal', null);
  app.decorateRequest('rawBody', '');
  app.decorateRequest('trace', null);
  app.addSchema(ProblemSchema);
}

function readBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
  // Bodies without a meaning are not read.
  for (const method of ['DELETE', 'OPTIONS']) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
}

/** The first hook of every request: sets the common headers and rejects requests before authentication. */
function firstHook(app: App, observeUnknown: Observe | undefined) {
  const { lifecycle } = app;
  return function commonChecks(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    setCommonHeaders(request, reply);
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

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
  if (request.server.lifecycle.leaving) reply.header('connection', 'close');
}

/** Adds empty schemas where a route has none, so that the texts of its path and body are checked, too. */
function checkTexts(route: RouteOptions): void {
  const reads = [route.method].flat().some((method) => READS_BODY.has(method)) && route.config?.emptyBody !== true;
  route.schema = {
    ...(route.url.includes(':') ? { params: {} } : {}),
    ...(reads ? { body: {} } : {}),
    ...route.schema,
  };
  // A path that names nothing is rejected before the route's own code, also when the route handles validation errors itself.
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

/** Adds hooks that depend on the route alone, so that nothing is looked up per request. */
function completeRoute(route: RouteOptions, bytes: number, meter: HttpMeter | undefined): void {
  const methods = [route.method].flat();
  if (methods.some((method) => READS_BODY.has(method))) {
    const emptyAllowed = route.config?.emptyBody === true;
    route.onRequest = [
      ...[route.onRequest ?? []].flat(),
      admitBody({
        ...{ bytes, emptyAllowed, yamlAllowed: route.config?.yamlBody === true },
        isBinary: route.config?.binaryBody === true,
      }),
    ];
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

/** `/things/` matches `/things/:id` with an empty id, but a path with an extra slash names nothing. */
function hasEmptyParameter(parameters: unknown): boolean {
  for (const name in parameters as object) if ((parameters as Record<string, unknown>)[name] === '') return true;
  return false;
}

/** Responds with 405 when another method has a route at this path, else with 404. */
export function respondUnknown(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const url = request.raw.url ?? '';
  const allowed = METHODS.filter((method) => {
    const route = app.findRoute({ method, url }) as { params: object } | null;
    // A wildcard route knows no path in particular.
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
