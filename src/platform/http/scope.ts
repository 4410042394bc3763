// A scope: routes that one kind of credential opens. Authentication, admission and rate limit come before the body is read (contract 1 and 2).
import { strict as assert } from 'node:assert';

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';

import type { Clock } from '../clock.ts';
import type { App, Principal } from './app.ts';
import { challenge, type CredentialHeader, presentedCredential } from './credential-header.rules.ts';
import { sendProblem } from './problem.ts';
import type { ProblemCode } from './problem-catalogue.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Rate } from './token-bucket.rules.ts';

type Found = Principal | null;
type Forbidden = { readonly status: 403; readonly code: ProblemCode; readonly detail?: string };

export type Scope = {
  readonly name: 'supplier' | 'buyer' | 'operator';
  readonly header: CredentialHeader;
  /** Null for whatever is wrong with it. Answer at once where it is known; a promise costs every request another turn. */
  readonly authenticate: (presented: string, request: FastifyRequest) => Found | Promise<Found>;
  /** Whether the owner may come in at all; counted against the rate all the same. */
  readonly admit?: (principal: Principal, request: FastifyRequest) => Forbidden | null;
  readonly rateLimitOf: (principal: Principal) => Rate;
  readonly clock: Clock;
  readonly routes: (scope: App) => void;
};

/** Routes under /api/v1/ can be registered only in here. Several scopes may have the same name. */
export function registerScope(app: App, scope: Scope): void {
  const scheme = `${scope.name}Credential`;
  app.securitySchemes[scheme] = securityScheme(scope);
  void app.register((inner, _options, done) => {
    const routes = inner as App;
    routes.scopeName = scope.name;
    routes.addHook('onRequest', guard(scope, app.rateLimiter));
    routes.addHook('onRoute', (route) => completeRoute(route, scope, scheme));
    scope.routes(routes);
    done();
  });
}

/** The principal of a request in a scope. */
export function principalOf(request: FastifyRequest): Principal {
  assert(request.principal !== null, 'the route is in no scope');
  return request.principal;
}

function guard(scope: Scope, limiter: RateLimiter) {
  const { header, authenticate, admit, rateLimitOf, clock } = scope;
  const wwwAuthenticate = challenge(header);

  function enter(principal: Found, request: FastifyRequest, reply: FastifyReply): boolean {
    if (principal === null) {
      sendProblem(request, reply, {
        status: 401,
        code: 'unauthorized',
        headers: { 'www-authenticate': wwwAuthenticate },
      });
      return false;
    }
    request.principal = principal;
    const nowMs = clock.now().getTime();
    const wait = limiter.take(principal.credentialId, rateLimitOf(principal), { nowMs, reply });
    const forbidden = admit === undefined ? null : admit(principal, request);
    if (forbidden !== null) {
      sendProblem(request, reply, forbidden);
      return false;
    }
    if (wait > 0) {
      sendProblem(request, reply, { status: 429, code: 'rate_limited', headers: { 'retry-after': String(wait) } });
      return false;
    }
    return true;
  }

  return function authentication(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    reply.header('cache-control', 'no-store');
    const presented = presentedCredential(header, request.raw.headers[header] as string | undefined);
    const found = presented === null ? null : authenticate(presented, request);
    if (!(found instanceof Promise)) {
      if (enter(found, request, reply)) done();
      return;
    }
    const settle = (principal: Found): void => {
      if (enter(principal, request, reply)) done();
    };
    found.then(settle).catch(done);
  };
}

function completeRoute(route: RouteOptions, scope: Scope, scheme: string): void {
  route.schema = { security: [{ [scheme]: [] }], ...route.schema };
  const cacheControl = route.config?.cacheControl;
  if (cacheControl === undefined) return;
  const caching = (_request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    reply.header('cache-control', cacheControl);
    // What may be kept is kept for this credential alone.
    reply.header('vary', scope.header);
    done();
  };
  route.onRequest = [...[route.onRequest ?? []].flat(), caching];
}

function securityScheme({ name, header }: Scope): object {
  const description = `Issued by the operator to a ${name}.`;
  return header === 'authorization'
    ? { type: 'http', scheme: 'bearer', description }
    : { type: 'apiKey', in: 'header', name: header, description };
}
