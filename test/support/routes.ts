// Reads every route of the running application from its router: a test over all of them includes new ones.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import type { FastifyInstance, RouteOptions } from 'fastify';

import type { App } from '../../src/platform/http/app.ts';

export type Route = { readonly method: string; readonly path: string };

const LINE = /^(?<indent>[│ ]*)[├└]── (?<piece>\S+)(?: \((?<methods>[A-Z, ]+)\))?$/;

/** Paths with their parameters as `:name`. HEAD is left out, as it follows GET. */
export function routesOf(app: App): Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = LINE.exec(line)?.groups;
    if (found === undefined) continue;
    const depth = (found['indent'] ?? '').length / 4;
    const path = (above[depth - 1] ?? '') + (found['piece'] ?? '');
    above[depth] = path;
    for (const method of found['methods']?.split(', ') ?? []) if (method !== 'HEAD') routes.push({ method, path });
  }
  return routes;
}

/** The target of `$ref`. */
export type NamedSchemas = Readonly<Record<string, unknown>>;
export type RegisteredRoute = Route &
  Pick<RouteOptions, 'schema' | 'config'> & { readonly bodyLimit?: number | undefined };

/**
 * The routes of every application that is built while `build` runs, with their schemas as declared. A schema that is complete only
 * later, such as a scope's, is read from the same object, so that it is complete here as well.
 */
export async function routesRegisteredBy<Built>(
  build: () => Promise<Built>,
): Promise<{ readonly built: Built; readonly routes: readonly RegisteredRoute[]; readonly schemas: NamedSchemas }> {
  const options: RouteOptions[] = [];
  const schemas: Record<string, unknown> = {};
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', function note(route) {
      options.push(route);
      Object.assign(schemas, this.getSchemas());
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    const built = await build();
    const routes = options.flatMap(({ method, url, schema = {}, config = {}, bodyLimit }) =>
      [method].flat().flatMap((one) => (one === 'HEAD' ? [] : [{ method: one, path: url, schema, config, bodyLimit }])),
    );
    return { built, routes, schemas };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
