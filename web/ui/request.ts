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

/** The parsed body of a 2xx response; undefined if it has none. Rejects with a RequestError. */
export function sendRequest<Body>(path: string, sending: Sending): Promise<ApiResponse<Body>> {
  return request<Body>(path, initOf(sending));
}

/** The body of a 2xx response as a Blob. Rejects with a RequestError. */
export async function download(path: string, sending: Sending): Promise<ApiResponse<Blob>> {
  const response = await fetchResponse(path, initOf(sending));
  if (!response.ok) throw toRequestError(path, response.status, await parsed(response));
  const body = await response.blob().catch(() => {
    throw CUT_OFF();
  });
  return { body, headers: response.headers, status: response.status };
}

/** Sends a file as it is; resolves with the parsed body of a 2xx response. */
export async function sendFile<Body>(path: string, file: Blob): Promise<Body> {
  const headers = { 'content-type': 'application/octet-stream' };
  return (await request<Body>(path, { method: 'POST', headers, body: file })).body;
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

async function request<Body>(path: string, init: RequestInit): Promise<ApiResponse<Body>> {
  const response = await fetchResponse(path, init);
  const body = await parsed(response);
  if (!response.ok) throw toRequestError(path, response.status, body);
  return { body: body as Body, headers: response.headers, status: response.status };
}

export async function fetchResponse(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!isAttended()) headers.set('x-unattended', '1');
  try {
    const response = await fetch(path, { ...init, headers, credentials: 'same-origin', redirect: 'error' });
    if (isUnavailable(response.status) && (init.method ?? 'GET') === 'GET') noteNoResponse();
    else noteResponse(response.headers);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteNoResponse();
    throw new RequestError(0, {
      code: 'unreachable',
      detail: 'The service cannot be reached. Check the connection and try again.',
    });
  }
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
  if (!isJson) return undefined;
  try {
    return (await response.json()) as unknown;
  } catch {
    // The body was cut off.
    throw CUT_OFF();
  }
}
