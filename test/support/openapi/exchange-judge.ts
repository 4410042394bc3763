// Compares a real exchange with the OpenAPI document: whether operation, status, content type, headers, body and error code are documented,
// and whether the document allows a request that was accepted.
import { gunzipSync } from 'node:zlib';

import { isBlank, plainNumber } from '../../../src/base/text.ts';
import type { Json } from '../scope-app.ts';
import { closedDocument } from './closed-document.ts';
import { pointerTo, schemaChecker } from './schema-checker.ts';

export type Exchange = {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly requestHeaders: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where it was too large to be kept. */
  readonly body: Buffer | null;
};

export type ExchangeJudge = {
  /** `METHOD path: what is wrong`, [] for what is outside of the API. */
  judge(exchange: Exchange): string[];
  /** What is sent to an endpoint, against the document's webhooks. */
  judgeMessage(message: Json, headers: Exchange['requestHeaders']): string[];
  /** The operation's id; null for what belongs to none. */
  operationOf(exchange: Pick<Exchange, 'method' | 'url'>): string | null;
};

// Codes from below the operations, which the document describes by `default`.
const ANYWHERE: ReadonlySet<unknown> = new Set([
  'bad_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
]);
// Paths for which the document has no operation.
const NOWHERE: ReadonlySet<unknown> = new Set([...ANYWHERE, 'not_found', 'method_not_allowed', 'unavailable']);
/** Headers of HTTP itself; all other headers must be documented. */
const TRANSPORT =
  /^(?:date|connection|keep-alive|content-(?:length|type|encoding|security-policy)|transfer-encoding|vary|x-accel-buffering|referrer-policy|x-content-type-options|allow)$/;
// Statuses with rate limit headers only if the service has got as far as the credential.
const PERHAPS_COUNTED = /^(?:503|default)$/;

export function exchangeJudge(served: Json): ExchangeJudge {
  const document = closedDocument(served);
  const faults = schemaChecker(document);
  const templates = Object.keys(document.paths)
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`),
    }))
    // `/run` before `/{id}.pdf`, and that before `/{id}`, as the router has it.
    .toSorted((one, other) => parametersIn(one.path) - parametersIn(other.path) || other.path.length - one.path.length);

  const find = (method: string, path: string): Found | null => {
    const template = templates.find(({ pattern }) => pattern.test(path));
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = template === undefined ? undefined : document.paths[template.path][name];
    return template === undefined || operation === undefined
      ? null
      : { pointer: pointerTo('paths', template.path, name), path: template.path, operation };
  };

  const judge = (exchange: Exchange): string[] => {
    const { path, query } = partsOf(exchange.url);
    if (!path.startsWith('/api/v1/')) return [];
    const found = find(exchange.method, path);
    const wrong =
      found === null
        ? faultsOfUnknown(exchange, faults)
        : [
            ...faultsOfResponse(exchange, found, { document, faults }),
            ...(exchange.status < 300 ? faultsOfRequest(exchange, found, { query, faults }) : []),
          ];
    return wrong.map((fault) => `${exchange.method} ${path} ${exchange.status}: ${fault}`);
  };

  return {
    judge,
    judgeMessage(message, headers) {
      const item = document.webhooks?.[message?.type];
      if (item === undefined) return [`message ${String(message?.type)}: the type is not documented`];
      const pointer = pointerTo(
        'webhooks',
        message.type,
        'post',
        'requestBody',
        'content',
        'application/json',
        'schema',
      );
      const missing = item.post.parameters.filter((header: Json) => headers[header.name] === undefined);
      return [
        ...missing.map((header: Json) => `message ${message.type}: the header ${header.name} is missing`),
        ...faults(pointer, message).map((fault) => `message ${message.type}: ${fault}`),
      ];
    },
    operationOf: ({ method, url }) => find(method, partsOf(url).path)?.operation.operationId ?? null,
  };
}

const parametersIn = (path: string): number => path.split('{').length;

type Found = { readonly pointer: string; readonly path: string; readonly operation: Json };
type Faults = (pointer: string, value: unknown) => string[];

function partsOf(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  const raw = mark === -1 ? url : url.slice(0, mark);
  let path = raw;
  try {
    path = decodeURI(raw);
  } catch (error) {
    // A path that cannot be decoded names no operation.
    if (!(error instanceof URIError)) throw error;
  }
  return { path, query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)) };
}

function faultsOfUnknown(exchange: Exchange, faults: Faults): string[] {
  if (exchange.method === 'HEAD') return exchange.status >= 400 ? [] : ['it is not documented'];
  const problem = typeOf(exchange) === 'application/problem+json' ? jsonOf(exchange) : null;
  return NOWHERE.has(problem?.code)
    ? faults(pointerTo('components', 'schemas', 'Problem'), problem)
    : ['the operation is not documented'];
}

function faultsOfResponse(
  exchange: Exchange,
  { pointer, operation }: Found,
  { document, faults }: { document: Json; faults: Faults },
): string[] {
  const type = typeOf(exchange);
  const isProblem = type === 'application/problem+json';
  const problem = isProblem && exchange.method !== 'HEAD' ? jsonOf(exchange) : null;
  const status = isProblem && ANYWHERE.has(problem?.code) ? 'default' : String(exchange.status);
  const response = operation.responses[status];
  if (response === undefined) return ['the status is not documented'];
  const ofHeaders = faultsOfHeaders(exchange, response, { document, faults, status });
  if (response.content === undefined) return [...ofHeaders, ...(bodyOf(exchange) === '' ? [] : ['there is a body'])];
  if (response.content[type] === undefined) return [...ofHeaders, `the content type "${type}" is not documented`];
  // HEAD has the headers alone.
  if (exchange.method === 'HEAD' || exchange.body === null) return ofHeaders;
  const codes = [...response.description.matchAll(/`([a-z_]+)`: /g)].map(([, code]) => code);
  const undocumented = isProblem && status !== 'default' && !codes.includes(problem.code);
  const value = /\bjson\b/.test(type) ? jsonOf(exchange) : bodyOf(exchange);
  const schema = pointer + pointerTo('responses', status, 'content', type, 'schema');
  return [
    ...ofHeaders,
    ...(undocumented ? [`the code ${problem.code} is not documented`] : []),
    ...faults(schema, value),
  ];
}

function faultsOfHeaders(
  { headers }: Exchange,
  response: Json,
  { document, faults, status }: { document: Json; faults: Faults; status: string },
): string[] {
  const documented = new Map<string, string>(
    Object.entries<Json>(response.headers ?? {}).map(([name, { $ref }]) => [name.toLowerCase(), $ref.slice(1)]),
  );
  const componentOf = (pointer: string): Json => document.components.headers[pointer.split('/').at(-1) ?? ''];
  const missing = [...documented].filter(
    ([name, pointer]) => headers[name] === undefined && componentOf(pointer).required === true,
  );
  const wrong = Object.entries(headers).flatMap(([name, text]) => {
    const pointer = documented.get(name);
    if (pointer !== undefined) {
      const value = componentOf(pointer).schema.type === 'integer' ? numberIn(text) : text;
      return faults(`${pointer}/schema`, value).map((fault) => `the header ${name}: ${text}: ${fault}`);
    }
    const isExpected = TRANSPORT.test(name) || (name.startsWith('ratelimit-') && PERHAPS_COUNTED.test(status));
    return isExpected ? [] : [`the header ${name} is not documented`];
  });
  return [...missing.map(([name]) => `the header ${name} is missing`), ...wrong];
}

function faultsOfRequest(
  exchange: Exchange,
  { pointer, path, operation }: Found,
  { query, faults }: { query: URLSearchParams; faults: Faults },
): string[] {
  const { requestHeaders, requestBody, url } = exchange;
  const parameters: Json[] = operation.parameters ?? [];
  const values = partsOf(url).path.split('/');
  const places = path.split('/');
  const given = (parameter: Json): string | null => {
    if (parameter.in === 'query') return query.get(parameter.name);
    if (parameter.in === 'path') {
      const place = places.findIndex((one) => one.startsWith(`{${parameter.name}}`));
      const ending = places[place]?.slice(`{${parameter.name}}`.length) ?? '';
      return values[place]?.slice(0, ending === '' ? undefined : -ending.length) ?? null;
    }
    const header = requestHeaders[parameter.name.toLowerCase()];
    return header === undefined ? null : String(header);
  };
  const ofParameters = parameters.flatMap((parameter, index) => {
    const text = given(parameter);
    if (text === null) return parameter.required === true ? [`${parameter.name} is missing and was accepted`] : [];
    const value = valueOf(parameter.schema, text);
    const schema = pointer + pointerTo('parameters', String(index), 'schema');
    return faults(schema, value).map((fault) => `${parameter.name} was accepted: ${text}: ${fault}`);
  });
  const text = requestBody.toString('utf8');
  if (operation.requestBody === undefined)
    return [...ofParameters, ...(/^\s*(?:\{\s*\}\s*)?$/.test(text) ? [] : ['a body was accepted'])];
  // A preview responds 200 also if it reports that the request itself would be rejected.
  if (exchange.status === 200 && jsonOf(exchange)?.allowed === false) return ofParameters;
  const schema = pointer + pointerTo('requestBody', 'content', 'application/json', 'schema');
  const [type = ''] = String(requestHeaders['content-type'] ?? 'application/json').split(';');
  // A body of another documented type, such as YAML, is a text.
  if (type !== 'application/json' && operation.requestBody.content[type] !== undefined) return ofParameters;
  const body: Json = JSON.parse(text);
  const mean = MEANT[operation.operationId];
  const meant = mean === undefined ? body : mean(body);
  return [...ofParameters, ...faults(schema, meant).map((fault) => `the body was accepted: ${fault}`)];
}

/** What a lenient operation accepts as a body; a schema of it would confuse readers. */
const MEANT: Readonly<Record<string, (body: Json) => Json>> = {
  // Blank text counts as absent for every type of member, and blanks and invisible characters do not count.
  submitLead: (body) =>
    Object.fromEntries(
      Object.entries(body).flatMap(([name, value]) =>
        typeof value !== 'string' ? [[name, value]] : isBlank(value) ? [] : [[name, plainNumber(value)]],
      ),
    ),
  // Blank text clears a setting. An endpoint on loopback is exempt in the test's service.
  updateAccount: (body) =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(settingOf) : settingOf(value),
      ]),
    ),
};

function settingOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return isBlank(value) ? null : plainNumber(value).replace(/^http:\/\/127\.0\.0\.1/, 'https://127.0.0.1');
}

function valueOf({ type, enum: values }: Json, text: string): unknown {
  // Case-insensitive.
  if (Array.isArray(values)) return values.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return type === 'integer' ? numberIn(text) : text;
}

function numberIn(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function typeOf({ headers }: Exchange): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
}

function bodyOf({ body, headers }: Exchange): string {
  if (body === null) return '';
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
}

function jsonOf(exchange: Exchange): Json {
  try {
    return JSON.parse(bodyOf(exchange));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
