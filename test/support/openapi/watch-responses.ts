// Records the responses of an API at the sockets, for any client, and compares them with the document that the same API serves.
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { App } from '../../../src/platform/http/app.ts';
import type { Json } from '../scope-app.ts';
import { type Exchange, type ExchangeJudge, exchangeJudge } from './exchange-judge.ts';
import { noteResponse, noteMessage, watching } from './seen-faults.ts';

// A file of any length; a body longer than any page is not checked.
const KEPT_BYTES = 1024 * 1024;

/** Documents of one test file are usually the same. */
const judges = new Map<string, ExchangeJudge>();

/** `document` is for tests of this module: used instead of the served one. */
export function watchResponses(app: App, document: Json = app.swagger()): void {
  const judge = judgeOf(document);
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

function judgeOf(document: Json): ExchangeJudge {
  const text = JSON.stringify(document);
  const known = judges.get(text);
  if (known !== undefined) return known;
  const made = exchangeJudge(JSON.parse(text));
  judges.set(text, made);
  return made;
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
