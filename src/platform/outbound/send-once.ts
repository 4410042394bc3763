// Sends one HTTP request at most once and turns every result into an outcome within the time limit (contract 4.10, 4.13).
import type { Dispatcher } from 'undici';
import { DialError } from './dial.ts';
import { finalStatusOf, type FirstLine, type FirstLines } from './first-line.ts';
import type { HttpFault, HttpOutcome, ReceivedResponse } from './http-outcome.ts';
import { snippetOf } from './response-body.rules.ts';

export type Exchange = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly signal: AbortSignal | undefined;
  /** On the clock of `performance.now()`; waiting for a free socket counts. */
  readonly startedAt: number;
  readonly deadline: number;
  readonly maxBodyBytes: number;
  readonly snippetBytes: number;
  /** Keeps the body whole, up to `maxBodyBytes`. */
  readonly keepBody: boolean;
  /** Keeps the headers, and the body up to `maxBodyBytes` even if it is longer or breaks off. */
  readonly keepReceived: boolean;
  readonly firstLines: FirstLines;
};

type Failure = { readonly error: HttpFault; readonly message: string };
type HttpResponse = {
  status: number;
  latencyMs: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

const CANCELLED: Failure = { error: 'aborted', message: 'The attempt was cancelled.' };
const NO_CONNECTION: Failure = { error: 'timeout', message: 'No connection was made in time.' };
const NO_RESPONSE: Failure = { error: 'timeout', message: 'No response came in time.' };
const UNREADABLE: Failure = { error: 'protocol', message: 'The response was not valid HTTP.' };

/** Rejects only when the request itself is invalid, such as its headers; failures of the other side are outcomes. */
export function sendOnce(dispatcher: Dispatcher, exchange: Exchange): Promise<HttpOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpOutcome>();
  const body = createBodyReader(exchange);
  let controller: Dispatcher.DispatchController | null = null;
  let response: HttpResponse | null = null;
  let firstLine: FirstLine | null = null;
  let settled = false;

  const settle = (failure: Failure): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    exchange.signal?.removeEventListener('abort', onAbort);
    response ??= responseFromLine(firstLine, exchange);
    resolve(response === null ? failed(failure, controller !== null, exchange) : responded(response, body.kept()));
  };
  /** Also destroys the socket, which may still hold the rest of a response. */
  const stop = (failure: Failure): void => {
    settle(failure);
    controller?.abort(new Error(failure.message));
  };
  const onAbort = (): void => stop(CANCELLED);
  const onLimit = (): void => stop(controller === null ? NO_CONNECTION : NO_RESPONSE);
  const timer = setTimeout(onLimit, Math.max(exchange.deadline - performance.now(), 0));
  if (exchange.signal?.aborted === true) onAbort();
  else exchange.signal?.addEventListener('abort', onAbort, { once: true });

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      // The last moment before the write. Throwing drops the request and keeps the socket: nothing is sent after the outcome is
      // decided, nor a second time.
      if (settled || controller !== null) throw new Error('The request is over.');
      controller = started;
    },
    onResponseStarted() {
      firstLine = exchange.firstLines.begin();
    },
    onResponseStart(_controller, status, headers) {
      if (status >= 200) response = { status, latencyMs: elapsed(exchange), headers };
    },
    onResponseData(_controller, chunk) {
      if (firstLine !== null) firstLine.bodyBytes += chunk.length;
      // The status is known here, so the outcome is a response and not this failure.
      if (!body.take(chunk)) stop(UNREADABLE);
    },
    onResponseEnd() {
      body.end();
      settle(UNREADABLE);
    },
    onResponseError(_controller, error) {
      if (!settled && isInvalidRequest(error)) reject(error);
      settle(failureOf(error));
    },
  };
  if (!settled) dispatcher.dispatch(dispatchOptions(exchange), handler);
  return promise;
}

function dispatchOptions({ method, url, headers, body }: Exchange): Dispatcher.DispatchOptions {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body };
}

type KeptBody = {
  readonly snippet: string | null;
  readonly body?: Buffer | null;
  readonly received?: Omit<ReceivedResponse, 'headers'>;
};

/** Keeps the start of the body, or all of it with `keepBody`, and counts the rest; `take` returns false beyond the limit. */
function createBodyReader(limits: Pick<Exchange, 'maxBodyBytes' | 'snippetBytes' | 'keepBody' | 'keepReceived'>) {
  const keptBytes = limits.keepBody || limits.keepReceived ? limits.maxBodyBytes : limits.snippetBytes;
  const kept: Buffer[] = [];
  let seenBytes = 0;
  let ended = false;
  return {
    take(chunk: Buffer): boolean {
      // A copy, so that a kept kilobyte does not hold the whole chunk.
      if (seenBytes < keptBytes) kept.push(Buffer.from(chunk.subarray(0, keptBytes - seenBytes)));
      seenBytes += chunk.length;
      return seenBytes <= limits.maxBodyBytes;
    },
    end(): void {
      ended = true;
    },
    kept(): KeptBody {
      const bytes = Buffer.concat(kept);
      // The caller makes the snippet, after it has masked what may not be shown.
      if (limits.keepReceived) return { snippet: null, received: { body: bytes, isCut: !ended } };
      const cut = !ended || seenBytes > limits.snippetBytes;
      const snippet = snippetOf(bytes.subarray(0, limits.snippetBytes), { maxBytes: limits.snippetBytes, cut });
      return limits.keepBody ? { snippet, body: ended ? bytes : null } : { snippet };
    },
  };
}

function elapsed(exchange: Exchange): number {
  return Math.round(performance.now() - exchange.startedAt);
}

/** For a response that broke off between its status line and its last header. */
function responseFromLine(line: FirstLine | null, exchange: Exchange): HttpResponse | null {
  const status = finalStatusOf(line);
  return status === null ? null : { status, latencyMs: elapsed(exchange), headers: {} };
}

function responded(response: HttpResponse, { snippet, received, ...whole }: KeptBody): HttpOutcome {
  const first = (name: string): string | null => {
    const value = Object.hasOwn(response.headers, name) ? response.headers[name] : undefined;
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  const { status, latencyMs } = response;
  return {
    kind: 'response',
    status,
    snippet,
    latencyMs,
    retryAfter: first('retry-after'),
    location: first('location'),
    ...whole,
    ...(received === undefined ? {} : { received: { ...received, headers: joinedHeaders(response) } }),
  };
}

function joinedHeaders({ headers }: HttpResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );
}

function failed(failure: Failure, written: boolean, exchange: Exchange): HttpOutcome {
  return { kind: 'error', ...failure, receipt: written ? 'unknown' : 'no', latencyMs: elapsed(exchange) };
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isInvalidRequest(error: Error): boolean {
  return ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'].includes(
    codeOf(error),
  );
}

function failureOf(error: Error): Failure {
  if (error instanceof DialError) return { error: error.fault, message: error.message };
  const code = codeOf(error);
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') return CANCELLED;
  if (code === 'ETIMEDOUT') return NO_RESPONSE;
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return { error: 'tls', message: 'The TLS connection failed.' };
  // undici's code for a peer that hung up; its other socket errors and all parser errors mean an unreadable response.
  const closed = code === 'UND_ERR_SOCKET' && /closed/.test(error.message);
  if (closed || ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'].includes(code)) {
    return { error: 'reset', message: 'The connection was closed before a response came.' };
  }
  return UNREADABLE;
}
