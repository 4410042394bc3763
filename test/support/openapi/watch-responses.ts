// Records the responses of an API at the sockets, for any client, and compares them with the document that the same API serves.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { App } from '../../../src/platform/http/app.ts';
import type { Json } from '../scope-app.ts';
import { type Exchange, type ExchangeJudge, exchangeJudge } from './exchange-judge.ts';
import { noteResponse, noteMessage, watching } from './seen-faults.ts';

// A file of any length; a body longer than any page is not checked.
const KEPT_BYTES = 1024 * 1024;

/** By the routes, which make the document: generating it and reading its schemas takes half as long as the rest of a start. */
const judges = new Map<string, ExchangeJudge>();
/** The routes of each application by its server. */
const routesOf = new WeakMap<Server, string[]>();

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  const routes: string[] = [];
  routesOf.set(fastify.server, routes);
  fastify.addHook('onRoute', ({ method, url }) => {
    routes.push(`${String(method)} ${url}`);
  });
});

/** `document` is for tests of this module: used instead of the served one. */
export function watchResponses(app: App, document?: Json): void {
  const judge = document === undefined ? judgeOf(app) : exchangeJudge(copyOf(document));
  watching.judge = judge;
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith('/api/v1/') !== true) return;
    recordExchange(request, response, (exchange) =>
      noteResponse(
        judge.operationOf(exchange),
        exchange.status,
        orItsFault(() => judge.judge(exchange)).filter(
          (fault) => !watching.hasOwnForms || !fault.includes('the body was accepted'),
        ),
      ),
    );
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) app.server.prependListener(event, watch);
}

/** For tests of suppliers with their own field names, which the document for all suppliers does not describe. */
export function ignoreSubmittedBodies(): void {
  watching.hasOwnForms = true;
}

/** For tests of message delivery, which queue some invented messages. */
export function ignoreMessages(): void {
  watching.isMadeUp = true;
}

/** A message received by a test's own endpoint; only if a watched API could have sent it. */
export function watchMessage(body: string, headers: Exchange['requestHeaders']): void {
  const { judge, isMadeUp } = watching;
  if (judge === null || isMadeUp || headers['webhook-id'] === undefined) return;
  noteMessage(orItsFault(() => judge.judgeMessage(JSON.parse(body), headers)));
}

/** An error here must fail the test, not the service. */
function orItsFault(judge: () => string[]): string[] {
  try {
    return judge();
  } catch (error) {
    return [`it could not be compared: ${String(error)}`];
  }
}

function judgeOf(app: App): ExchangeJudge {
  const routes = (routesOf.get(app.server) ?? []).join('\n');
  let judge = judges.get(routes);
  if (judge === undefined) judges.set(routes, (judge = exchangeJudge(copyOf(app.swagger()))));
  return judge;
}

/** As clients read it. */
function copyOf(document: Json): Json {
  return JSON.parse(JSON.stringify(document));
}

/** `done` is called as the response ends, before its last byte can have reached the client. */
function recordExchange(request: IncomingMessage, response: ServerResponse, done: (exchange: Exchange) => void): void {
  const sent: Buffer[] = [];
  const received: Buffer[] = [];
  let bytes = 0;
  const own: Record<string, string> = {};
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const piece = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : Buffer.from(chunk);
    bytes += piece.length;
    if (bytes <= KEPT_BYTES) sent.push(piece);
  };
  const { emit } = request;
  request.emit = function emitAndKeep(name: string, ...values: unknown[]): boolean {
    if (name === 'data') received.push(Buffer.from(values[0] as Buffer));
    return (emit as (name: string, ...values: unknown[]) => boolean).call(request, name, ...values);
  };
  const { write, end, writeHead } = response;
  response.writeHead = function writeHeadAndKeep(...values: unknown[]): ServerResponse {
    Object.assign(own, headersIn(values.at(-1)));
    return (writeHead as (...values: unknown[]) => ServerResponse).apply(response, values);
  };
  response.write = function writeAndKeep(...values: unknown[]): boolean {
    keep(values[0], values[1]);
    return (write as (...values: unknown[]) => boolean).apply(response, values);
  };
  response.end = function endAndReport(...values: unknown[]): ServerResponse {
    keep(values[0], values[1]);
    const result = (end as (...values: unknown[]) => ServerResponse).apply(response, values);
    done({
      method: request.method ?? '',
      url: request.url ?? '',
      requestHeaders: request.headers,
      requestBody: Buffer.concat(received),
      status: response.statusCode,
      headers: { ...headersIn(response.getHeaders()), ...own },
      body: bytes <= KEPT_BYTES ? Buffer.concat(sent) : null,
    });
    return result;
  };
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}

/** As an object, or flat as a list of names and values. */
function headersIn(value: unknown): Record<string, string> {
  if (value === null || typeof value !== 'object') return {};
  const pairs = Array.isArray(value)
    ? value.flatMap((name: unknown, index) => (index % 2 === 0 ? [[String(name), value[index + 1] as unknown]] : []))
    : Object.entries(value);
  return Object.fromEntries(
    pairs.flatMap(([name, text]) => (text === undefined ? [] : [[String(name).toLowerCase(), String(text)]])),
  );
}
