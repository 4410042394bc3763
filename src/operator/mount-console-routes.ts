// Serves routes of the console as routes of the operator's API: the same handlers, schemas and validation, at a path, with a scope and with
// texts for the API's document (contract 10; decision 065).
import { strict as assert } from 'node:assert';

import type { FastifySchema, preValidationHookHandler, RouteHandlerMethod, RouteShorthandOptions } from 'fastify';

import { type OperatorScope, permissionOfScope } from '../credentials/operator-scopes.rules.ts';
import type { App } from '../platform/http/app.ts';
import { readIdempotencyKey } from '../platform/http/idempotency-key.rules.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import type { ProblemCode } from '../platform/http/problem-catalogue.ts';
import { describedMembers } from './parameter-texts.rules.ts';

export const OPERATOR_PATH = '/api/v1/operator';
export const OPERATOR_TAG = 'Operator';

export type MountedRoute = {
  /** Under `OPERATOR_PATH`; the console's path by default. */
  readonly path?: string;
  readonly scope: OperatorScope;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** What the successful response is. */
  readonly returns: string;
  /** The media types of a response that is no JSON. */
  readonly files?: readonly string[];
  /** The response is one JSON document per line. */
  readonly hasLines?: true;
  readonly problems?: readonly ProblemCode[];
};

/** By method and the console's path, such as `GET /jobs`. */
export type MountedRoutes = Readonly<Record<string, MountedRoute>>;

const LINES_TYPE = 'application/x-ndjson';
const METHODS = ['get', 'post'] as const;
const CONSOLE_PREFIX = '/api/';

/**
 * `register` gets an application on which routes outside of `mounted` are ignored, because only pages use them. A route of `mounted`
 * that nothing registers is an error of the programmer, as after a change of the console's path.
 */
export function mountConsoleRoutes(routes: App, mounted: MountedRoutes, register: (scope: App) => void): void {
  const missing = new Set(Object.keys(mounted));
  const add = (method: (typeof METHODS)[number]) => {
    return (path: string, options: RouteShorthandOptions, handler: RouteHandlerMethod): void => {
      const name = `${method.toUpperCase()} /${path.slice(CONSOLE_PREFIX.length)}`;
      const route = mounted[name];
      if (route === undefined) return;
      missing.delete(name);
      routes[method](
        OPERATOR_PATH + (route.path ?? path.slice(CONSOLE_PREFIX.length - 1)),
        {
          ...options,
          config: {
            ...options.config,
            permission: permissionOfScope(route.scope),
            ...(route.files === undefined ? {} : { responseHeaders: ['Content-Disposition'] }),
          },
          schema: documentedSchema(method === 'post' ? withoutQuery(options.schema) : (options.schema ?? {}), route),
          // A page's filters: not read and not documented here.
          ...(method === 'post' ? { preValidation: [checkKey, dropQuery] } : {}),
        },
        handler as never,
      );
    };
  };
  // The console's registering functions call nothing else.
  register({ get: add('get'), post: add('post') } as unknown as App);
  assert.deepEqual([...missing], [], 'routes of the operator’s API that the console does not have');
}

function withoutQuery({ querystring: _pages, ...schema }: FastifySchema = {}): FastifySchema {
  return schema;
}

const dropQuery: preValidationHookHandler = (request, _reply, done) => {
  request.query = {};
  done();
};

/** Also for routes that respond line by line and keep no response. Before the validation, as in all other routes. */
const checkKey: preValidationHookHandler = (request, reply, done) => {
  if (readIdempotencyKey(request.raw.rawHeaders) !== 'invalid') return done();
  sendProblem(request, reply, { status: 400, code: 'idempotency_key_invalid' });
};

function documentedSchema(schema: FastifySchema, route: MountedRoute): FastifySchema {
  const { operationId, summary, description, scope, problems = [] } = route;
  return {
    ...schema,
    ...{ operationId, summary, description: `${description} ${scopeText(scope)}`, tags: [OPERATOR_TAG] },
    ...(schema.params === undefined ? {} : { params: describedMembers(schema.params) }),
    ...(schema.querystring === undefined ? {} : { querystring: describedMembers(schema.querystring) }),
    response: {
      ...documentedSuccess(schema.response as Responses | undefined, route),
      ...documentedProblems(
        'scope_missing',
        ...(schema.params === undefined ? [] : (['not_found'] as const)),
        ...(schema.body === undefined ? [] : (['validation_failed'] as const)),
        ...problems,
      ),
    },
  };
}

type Responses = Readonly<Record<string, object>>;

function documentedSuccess(responses: Responses | undefined, { returns, files, hasLines }: MountedRoute): Responses {
  const types = hasLines === true ? [LINES_TYPE] : files;
  if (types !== undefined) {
    const content = Object.fromEntries(
      types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
    );
    return { 200: { description: returns, content } };
  }
  return Object.fromEntries(
    Object.entries(responses ?? {}).map(([status, schema]) => [status, { ...schema, description: returns }]),
  );
}

/** The sentence in the description of an operation. */
export function scopeText(scope: OperatorScope): string {
  return `Needs a token with the scope \`${scope}\`.`;
}
