// Registers scopes: routes that require one kind of credential, or a session. Authentication, admission and rate limit run before the body is
// read (contract 1.8, 2; decision 022).
import { strict as assert } from 'node:assert';

import cookies from '@fastify/cookie';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';

import type { Clock } from '../clock.ts';
import type { App, Principal } from './app.ts';
import { challenge, type CredentialHeader, presentedCredential } from './credential-header.rules.ts';
import type { Permission, PortalRight } from './permission.rules.ts';
import { sendProblem } from './problem.ts';
import type { ProblemCode } from './problem-catalogue.ts';
import type { RateLimiter } from './rate-limit.ts';
import { isFromHere } from './same-origin.rules.ts';
import { type CookieArea, sessionCookie } from './session-cookie.ts';
import type { Rate } from './token-bucket.rules.ts';

type Found = Principal | null;
type Forbidden = { readonly status: 403; readonly code: ProblemCode; readonly detail?: string };

type AnyScope = {
  readonly name: 'supplier' | 'buyer' | 'operator' | 'partner';
  /** Null for any invalid credential. Returns a cached result synchronously, because a promise delays every request. */
  readonly authenticate: (presented: string, request: FastifyRequest) => Found | Promise<Found>;
  /** Rejects owners that may not use the scope; their requests count against the rate limit, too. */
  readonly admit?: (principal: Principal, request: FastifyRequest) => Forbidden | null;
  /** Checks the permission of the route; with this function every route must declare one. */
  readonly permits?: (principal: Principal, permission: Permission) => Forbidden | null;
  /** What users need for each route, by method and path such as `GET /portal/api/sessions`; a route that is missing cannot be registered. */
  readonly rights?: Readonly<Record<string, PortalRight>>;
  readonly rateLimitOf: (principal: Principal) => Rate;
  readonly clock: Clock;
  readonly routes: (scope: App) => void;
};

/** For programs: each request has a credential in a header. */
export type HeaderScope = AnyScope & { readonly header: CredentialHeader };

/** For browsers: a cookie identifies a session. Its routes have the area's prefix and are not part of the public API. */
export type CookieScope = AnyScope & { readonly cookie: CookieArea };

export type Scope = HeaderScope | CookieScope;

/** Routes under /api/v1/, /portal/api/ and /console/api/ can be registered only in a scope. Several scopes may have the same name. */
export function registerScope(app: App, scope: Scope): void {
  if ('cookie' in scope) return registerCookieScope(app, scope);
  const scheme = `${scope.name}Credential`;
  app.securitySchemes[scheme] = securityScheme(scope);
  void app.register((inner, _options, done) => {
    const routes = inner as App;
    routes.scopeName = scope.name;
    routes.addHook('onRequest', guard(scope, app.rateLimiter));
    routes.addHook('onRoute', (route) => {
      route.schema = { security: [{ [scheme]: [] }], ...route.schema };
      setCaching(route, scope.header);
      if (scope.permits !== undefined) requirePermission(route);
    });
    scope.routes(routes);
    done();
  });
}

function registerCookieScope(app: App, scope: CookieScope): void {
  registerOwnPages(app, scope.cookie, (routes) => {
    routes.scopeName = scope.name;
    routes.addHook('onRequest', guard(scope, app.rateLimiter));
    if (scope.permits !== undefined) routes.addHook('onRoute', requirePermission);
    const { rights } = scope;
    if (rights !== undefined) routes.addHook('onRoute', (route) => declareRight(route, rights));
    scope.routes(routes);
  });
}

/** Registers same-origin routes of the portal or console, for signed-in users and others. @public */
export function registerOwnPages(app: App, area: CookieArea, register: (routes: App) => void): void {
  void app.register(
    (inner, _options, done) => {
      const routes = inner as App;
      routes.scopeName = 'own pages';
      // Only for its functions: the cookie is parsed where it is needed.
      void routes.register(cookies, { hook: false });
      routes.addHook('onRequest', requireSameOrigin);
      routes.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
        setCaching(route, 'cookie');
      });
      // Passes a registration error on, so that the start fails with its message.
      try {
        register(routes);
      } catch (error) {
        return done(error as Error);
      }
      return done();
    },
    { prefix: `/${area}` },
  );
}

function requirePermission({ method, url, config }: RouteOptions): void {
  assert(config?.permission !== undefined, `${String(method)} ${url} does not say which permission it needs`);
}

/** HEAD is registered with GET and needs the same. */
function declareRight(route: RouteOptions, rights: Readonly<Record<string, PortalRight>>): void {
  const name = `${String(route.method).replace('HEAD', 'GET')} ${route.url}`;
  const right = rights[name];
  assert(right !== undefined, `${name} does not say which right it needs`);
  route.config = { ...route.config, right };
}

const UNKNOWN_HOST =
  'Pages cannot be used under this name. Open the public address of the service; further names are set with ALLOWED_HOSTS.';

function requireSameOrigin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { headers } = request.raw;
  const isKnown = request.server.isOwnHost(request.host);
  const isWelcome = isFromHere({
    method: request.method,
    site: headers['sec-fetch-site'],
    origin: headers.origin,
    own: `${request.protocol}://${request.host}`,
  });
  reply.header('cache-control', 'no-store');
  if (isKnown && isWelcome) done();
  else {
    const detail = isKnown ? {} : { detail: UNKNOWN_HOST };
    sendProblem(request, reply, { status: 403, code: 'cross_origin_refused', ...detail });
  }
}

/** The principal of a request in a scope. */
export function principalOf(request: FastifyRequest): Principal {
  assert(request.principal !== null, 'the route is in no scope');
  return request.principal;
}

function guard(scope: Scope, limiter: RateLimiter) {
  const { authenticate, admit, permits, rateLimitOf, clock } = scope;
  const wwwAuthenticate = challenge('cookie' in scope ? 'cookie' : scope.header);
  const presentedIn = (request: FastifyRequest): string | null =>
    'cookie' in scope
      ? sessionCookie(request, scope.cookie)
      : presentedCredential(scope.header, request.raw.headers[scope.header] as string | undefined);

  function enter(principal: Found, request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    if (principal === null) {
      sendProblem(request, reply, {
        status: 401,
        code: 'unauthorized',
        headers: { 'www-authenticate': wwwAuthenticate },
      });
      return;
    }
    request.principal = principal;
    const nowMs = clock.now().getTime();
    const rate = rateLimitOf(principal);
    const bucket = bucketOf(principal);
    limiter.take(bucket, rate, { nowMs, reply }, (wait) => {
      const { permission, right } = request.routeOptions.config;
      const forOperator = permission === undefined ? null : (permits?.(principal, permission) ?? null);
      const forbidden = admit?.(principal, request) ?? forOperator ?? forUser(principal, right);
      if (forbidden !== null) {
        sendProblem(request, reply, forbidden);
      } else if (wait > 0) {
        const problem = { status: 429, code: 'rate_limited', headers: { 'retry-after': String(wait) } } as const;
        limiter.reject(bucket, rate, () => void sendProblem(request, reply, problem));
      } else {
        done();
      }
    });
  }

  return function authentication(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    reply.header('cache-control', 'no-store');
    const presented = presentedIn(request);
    const found = presented === null ? null : authenticate(presented, request);
    if (!(found instanceof Promise)) {
      enter(found, request, reply, done);
      return;
    }
    const settle = (principal: Found): void => enter(principal, request, reply, done);
    found.then(settle).catch(done);
  };
}

/** Null for tokens and keys, and outside of the portal. */
function forUser({ user }: Principal, right: PortalRight | undefined): Forbidden | null {
  if (user === undefined || right === undefined) return null;
  return user.rights.includes(right) ? null : { status: 403, code: 'role_not_allowed' };
}

/** Each key, token and operator session has a bucket. A partner can open any number of sessions, so they share one. */
function bucketOf({ session, ownerKey, credentialId }: Principal): string {
  if (session === undefined) return credentialId;
  return session.kind === 'operator' ? session.sessionId : `sessions of ${session.kind} ${ownerKey}`;
}

function setCaching(route: RouteOptions, vary: string): void {
  const cacheControl = route.config?.cacheControl;
  if (cacheControl === undefined) return;
  const caching = (_request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    reply.header('cache-control', cacheControl);
    // Caches must not share the response between credentials.
    reply.header('vary', vary);
    done();
  };
  route.onRequest = [...[route.onRequest ?? []].flat(), caching];
}

function securityScheme({ name, header }: HeaderScope): object {
  const description = `Issued by the operator to a ${name}.`;
  return header === 'authorization'
    ? { type: 'http', scheme: 'bearer', description }
    : { type: 'apiKey', in: 'header', name: header, description };
}
