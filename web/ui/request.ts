// HTTP requests of the pages: JSON with the session cookie, problem documents as errors (the HTTP contract is in docs/api.md).
import { isUnavailable, noteResponse, noteNoResponse } from './connection.ts';

/** An entry of `errors` in a problem document. */
export type FieldFault = { readonly field: string; readonly code: string; readonly message: string };

/** A problem response of the service, or `code: 'unreachable'` if there was no response. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly faults: readonly FieldFault[];
  /** The whole problem document, for members that only some codes have. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    const text = (name: string): string | null => (typeof problem[name] === 'string' ? problem[name] : null);
    super(text('detail') ?? text('title') ?? 'The service sent an unexpected response.');
    this.name = 'RequestError';
    this.status = status;
    this.code = text('code') ?? 'unexpected';
    this.requestId = text('requestId');
    this.faults = Array.isArray(problem['errors']) ? (problem['errors'] as FieldFault[]) : [];
    this.problem = problem;
  }
}

export type ApiResponse<Body> = { readonly body: Body; readonly headers: Headers; readonly status: number };

export type Sending = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The same key for every repetition of one command, so that it takes effect once; a new key by default. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

/** More than the 20 s after which the service gives up a database that does not respond, because its own response says more. */
const RESPONSE_WITHIN_MS = 30_000;
/** For files and long work: more than the minute without a byte after which the service ends a response itself. */
export const BYTES_WITHIN_MS = 75_000;
/** From then on the service may be frozen: a probe finds out. */
const SUSPECT_AFTER_MS = 8000;

/** Longer than reading a page takes between two inputs, far shorter than the idle timeout of a session. */
const ATTENDED_MS = 120_000;

let touchedAt = performance.now();
for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const)
  addEventListener(event, () => (touchedAt = performance.now()), { capture: true, passive: true });

/** Whether the user is at the page: background requests of an abandoned page must not keep its session alive (decision 022). */
function isAttended(): boolean {
  return performance.now() - touchedAt < ATTENDED_MS;
}

let onSignedOut: () => void = () => undefined;

/** Called when the service no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** The code of the response to a command that was repeated while a process works on it, such as one that is frozen. */
const RUNNING = 'idempotency_in_progress';
/** For longer than the 15 s after which the database ends the transaction of a frozen process. */
const ASK_AT_MOST = 20;
const ASK_EVERY_MS = 1000;

/** Keys of commands that got no response and may have taken effect: repeated, a command has its first key and takes effect once (contract 1.11). */
const unanswered = new Map<string, string>();

/** The parsed body of a 2xx response; undefined if it has none. Rejects with a RequestError. */
export async function sendRequest<Body>(path: string, sending: Sending): Promise<ApiResponse<Body>> {
  if (sending.method !== 'POST') return request<Body>(path, initOf(sending));
  const command = `${path} ${JSON.stringify(sending.body)}`;
  const idempotencyKey = unanswered.get(command) ?? sending.idempotencyKey ?? newKey();
  unanswered.delete(command);
  for (let asked = 1; ; asked += 1) {
    try {
      return await request<Body>(path, initOf({ ...sending, idempotencyKey }));
    } catch (error) {
      const isRunning = error instanceof RequestError && error.code === RUNNING;
      if (!isRunning || asked === ASK_AT_MOST) {
        if (isOutcomeUnknown(error)) unanswered.set(command, idempotencyKey);
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
  }
}

/** Whether a command that failed this way may have taken effect, or may still do so. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof RequestError && (error.status === 0 || error.status >= 500 || error.code === RUNNING);
}

/** The body of a 2xx response as a Blob. Rejects with a RequestError. */
export async function download(path: string, sending: Sending): Promise<ApiResponse<Blob>> {
  const response = await fetchResponse(path, initOf(sending), BYTES_WITHIN_MS);
  if (!response.ok) throw toRequestError(path, response.status, await parsed(response));
  const body = await response.blob().catch(() => {
    throw CUT_OFF();
  });
  return { body, headers: response.headers, status: response.status };
}

/** Sends a file as it is; resolves with the parsed body of a 2xx response. */
export async function sendFile<Body>(path: string, file: Blob): Promise<Body> {
  const headers = { 'content-type': 'application/octet-stream' };
  return (await request<Body>(path, { method: 'POST', headers, body: file }, BYTES_WITHIN_MS)).body;
}

function initOf({ method, body, headers, idempotencyKey, signal }: Sending): RequestInit {
  return {
    method,
    ...(signal === undefined ? {} : { signal }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' ? { 'idempotency-key': idempotencyKey ?? newKey() } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** `crypto.randomUUID` exists only over https and on localhost. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function request<Body>(path: string, init: RequestInit, withinMs?: number): Promise<ApiResponse<Body>> {
  const response = await fetchResponse(path, init, withinMs);
  const body = await parsed(response);
  if (!response.ok) throw toRequestError(path, response.status, body);
  return { body: body as Body, headers: response.headers, status: response.status };
}

/** Gives up after so long without a byte, before the response or in it. */
export async function fetchResponse(
  path: string,
  init: RequestInit,
  withinMs: number = RESPONSE_WITHIN_MS,
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!isAttended()) headers.set('x-unattended', '1');
  const { signal, stop, noteByte } = limitWaiting(withinMs, init.signal);
  try {
    const response = await fetch(path, { ...init, headers, signal, credentials: 'same-origin', redirect: 'error' });
    if (isUnavailable(response.status) && isRead(init)) noteNoResponse();
    else noteResponse(response);
    // Chromium gives a response without content, such as a 204, a body that no new response may have.
    if (response.body === null || response.status === 204) {
      stop();
      return response;
    }
    noteByte();
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, body) {
        noteByte();
        body.enqueue(bytes);
      },
      flush: stop,
    });
    return new Response(response.body.pipeThrough(watch), response);
  } catch (error) {
    stop();
    if (init.signal?.aborted === true) throw error;
    noteNoResponse();
    const what = signal.aborted
      ? 'The service did not respond in time.'
      : 'The service cannot be reached. Check the connection.';
    const next = isRead(init)
      ? 'Try again.'
      : 'The change may have been made or not. You can try again: no change is made twice.';
    throw new RequestError(0, { code: 'unreachable', detail: `${what} ${next}` });
  }
}

/** A page gives up reads alone, also those that are a POST. */
function isRead({ method = 'GET', signal }: RequestInit): boolean {
  return method === 'GET' || signal !== undefined;
}

/** A signal for a request: aborts after so long without a byte, or with the page's own. */
function limitWaiting(withinMs: number, own: AbortSignal | null | undefined) {
  const controller = new AbortController();
  const giveUp = (): void => controller.abort();
  let timers: Array<ReturnType<typeof setTimeout>> = [];
  const stop = (): void => {
    timers.forEach(clearTimeout);
    own?.removeEventListener('abort', giveUp);
  };
  const noteByte = (): void => {
    timers.forEach(clearTimeout);
    timers = [setTimeout(noteNoResponse, SUSPECT_AFTER_MS), setTimeout(giveUp, withinMs)];
  };
  own?.addEventListener('abort', giveUp);
  if (own?.aborted === true) giveUp();
  noteByte();
  return { signal: controller.signal, stop, noteByte };
}

export function toRequestError(path: string, status: number, body: unknown): RequestError {
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  // A 401 of the sign-in itself means a wrong secret, not the end of a session.
  if (status === 401 && !path.endsWith('/api/session')) onSignedOut();
  return new RequestError(status, problem);
}

export const CUT_OFF = (): RequestError =>
  new RequestError(0, { code: 'unreachable', detail: 'The response was cut off. Try again.' });

export async function parsed(response: Response): Promise<unknown> {
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  if (!isJson) {
    // Read to its end, so that nothing waits for it any more.
    await response.text().catch(() => '');
    return undefined;
  }
  try {
    return (await response.json()) as unknown;
  } catch {
    // The body was cut off.
    throw CUT_OFF();
  }
}
