// Generates the OpenAPI 3.1 document from the routes that are registered after it (contract 8.4).
import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import { Type } from 'typebox';

import type { App } from './app.ts';
import { documentedHeaders, headerComponents, type RouteHeader } from './response-headers.ts';
import { etag } from './etag.ts';
import { problemCatalogue, type ProblemCode } from './problem-catalogue.ts';
import { PROBLEM_TYPE } from './problem.ts';
import { documentedProblems } from './problem-schema.ts';
import { DOCUMENTED_ENUM } from './keywords.schema.ts';

export type OpenapiOptions = {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact?: { readonly name: string };
  };
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  /** OpenAPI path items of outgoing webhooks, by event name. */
  readonly webhooks?: Readonly<Record<string, object>>;
};

const READS_BODY = /\b(?:POST|PUT|PATCH)\b/;
const ONCE = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'Any text, new for each operation. A repeated request with the same key gets the first response again, for 24 hours.',
  }),
);

/** Call it before any route is registered. Serves /openapi.json. */
export function registerOpenapi(app: App, { info, tags, webhooks }: OpenapiOptions): void {
  const ownOf = new Map<string, OfRoute>();
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      // Wherever the document was read from.
      servers: [{ url: '/' }],
      tags: tags === undefined ? [] : [...tags],
      // Filled by the scopes, which come later; the document is made later still.
      components: { securitySchemes: app.securitySchemes as Record<string, never> },
      ...(webhooks === undefined ? {} : { webhooks }),
    },
    refResolver: { buildLocalReference: (schema, _base, _fragment, index) => localName(schema['$id'], index) },
    convertConstToEnum: false,
    transform({ schema, url, route }) {
      const { responseHeaders: headers = [], problemSchema: problem = 'Problem' } = route.config ?? {};
      ownOf.set(String(schema?.operationId), { headers, problem });
      return { schema: completeSchema(schema, route), url };
    },
    transformObject: (made) =>
      'openapiObject' in made ? completeDocument(made.openapiObject as Document, ownOf) : made.swaggerObject,
  });
  void app.register((routes, _options, done) => {
    let text: string | null = null;
    routes.get(
      '/openapi.json',
      { onSend: etag, schema: { hide: true }, config: { duringDrain: true } },
      async (_request, reply) => {
        text ??= JSON.stringify(routes.swagger());
        return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text);
      },
    );
    done();
  });
}

function localName(id: unknown, index: number): string {
  return typeof id === 'string' ? id : `inline-${index}`;
}

/** Malformed HTTP and internal errors, which can occur anywhere. */
const ELSE = {
  description: 'Any other error: the request is not well-formed HTTP, or the service has an internal error.',
  content: { [PROBLEM_TYPE]: { schema: Type.Ref('Problem') } },
};

/** Adds the responses and headers that all routes of a kind have, so that no route has to declare them. */
function completeSchema(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  if (schema?.hide === true) return schema;
  const method = [route.method].flat().join();
  const isScoped = schema?.security !== undefined;
  const codes: ProblemCode[] = [
    ...(isScoped ? (['unauthorized', 'rate_limited', 'unavailable'] as const) : []),
    ...(schema?.querystring === undefined ? [] : (['invalid_query'] as const)),
    ...(READS_BODY.test(method) ? (['invalid_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...(isScoped && method === 'POST'
      ? (['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'] as const)
      : []),
  ];
  const known = withProblems((schema?.response ?? { 200: { type: 'null', description: 'Done.' } }) as Responses, codes);
  const response = isScoped ? { ...known, default: ELSE } : known;
  const headers = isScoped && method === 'POST' ? { headers: Type.Object({ 'Idempotency-Key': ONCE }) } : {};
  return { ...headers, ...schema, response };
}

/** Facts that a route's schema cannot express. */
type OfRoute = { readonly headers: readonly RouteHeader[]; readonly problem: string };
type Content = Readonly<Record<string, { readonly schema: object }>>;
type Response = { readonly description: string; readonly content?: Content };
type Parameter = { readonly schema: Readonly<Record<string, unknown>> };
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, Response>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
};

function completeDocument(document: Document, ownOf: ReadonlyMap<string, OfRoute>): Document {
  const paths = mapped(document.paths, (item) =>
    mapped(item, (operation, method) => {
      const own = ownOf.get(operation.operationId);
      return own === undefined || operation.security === undefined
        ? operation
        : {
            ...operation,
            ...(operation.parameters === undefined ? {} : { parameters: operation.parameters.map(completeParameter) }),
            responses: completeResponses(operation.responses, method, own),
          };
    }),
  );
  return { ...document, components: { ...document.components, headers: headerComponents }, paths };
}

function completeParameter(parameter: Parameter): Parameter {
  const { [DOCUMENTED_ENUM]: values, ...schema } = parameter.schema;
  return values === undefined ? parameter : { ...parameter, schema: { ...schema, enum: values } };
}

function completeResponses(responses: Operation['responses'], method: string, own: OfRoute): Operation['responses'] {
  return mapped(responses, ({ description, content }, status) => ({
    description,
    headers: documentedHeaders({ method, status, ofRoute: own.headers }),
    ...(content === undefined
      ? {}
      : {
          content: mapped(content, (body, type) =>
            type === PROBLEM_TYPE ? { schema: { $ref: `#/components/schemas/${own.problem}` } } : body,
          ),
        }),
  }));
}

function mapped<Value, Made>(
  record: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
}

type Responses = Readonly<Record<string, { readonly description?: string }>>;

/** Adds the codes to the description of a status that the route documents itself. */
function withProblems(own: Responses, codes: readonly ProblemCode[]): Responses {
  const unsaid = codes.filter(
    (code) => own[problemCatalogue[code].status]?.description?.includes(`\`${code}\``) !== true,
  );
  const response = { ...own };
  for (const [status, common] of Object.entries(documentedProblems(...unsaid))) {
    const known = own[status];
    response[status] =
      known === undefined
        ? common
        : { ...known, description: [known.description, common.description].join(' ').trim() };
  }
  return response;
}
