// A client of the running service that returns everything of a response, over real sockets like partners' programs.

import type { Json } from './scope-app.ts';

export type ApiResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the body is not JSON. */
  readonly json: Json;
};

export type ApiRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, with its content type; texts and bytes as they are. */
  readonly body?: object | string;
};

export async function call(url: string, { method, headers = {}, body }: ApiRequest = {}): Promise<ApiResponse> {
  const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
  });
  const text = await response.text();
  const holdsJson = text !== '' && /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, json: holdsJson ? JSON.parse(text) : null };
}

/** POST of a lead; a text is sent unchanged, with the content type of JSON. */
export function postLead(
  url: string,
  key: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  const all = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  return call(`${url}/api/v1/ingest`, { method: 'POST', headers: all, body });
}

export function getAsSupplier(url: string, key: string, path: string): Promise<ApiResponse> {
  return call(url + path, { headers: { 'x-api-key': key } });
}

export function getAsBuyer(url: string, token: string, path: string): Promise<ApiResponse> {
  return call(url + path, { headers: { authorization: `Bearer ${token}` } });
}

/** POST of a partner; without a body it has no content type either. */
export function postAsBuyer(
  url: string,
  token: string,
  path: string,
  { body, headers = {} }: Pick<ApiRequest, 'body' | 'headers'> = {},
): Promise<ApiResponse> {
  const all = { authorization: `Bearer ${token}`, ...headers };
  return call(url + path, { method: 'POST', headers: all, ...(body === undefined ? {} : { body }) });
}

/** The facts of any error; on the ingest path it also has the members of a rejection (contract 1.7, 3.4). */
export function problemFacts({ status, headers, json, text }: ApiResponse): object {
  const { code, detail, type, requestId, accepted, reason, processingTime } = json;
  return {
    status,
    contentType: headers.get('content-type'),
    cacheControl: headers.get('cache-control'),
    members: Object.keys(json).toSorted().join(),
    says: { status: json.status, code, type },
    hasItsId: requestId !== '' && requestId === headers.get('x-request-id'),
    ...(accepted === undefined
      ? {}
      : { accepted, saysWhy: reason !== '' && reason === detail, time: timeOf(text, processingTime) }),
  };
}

export function problem(status: number, code: string, ...further: readonly string[]): object {
  return {
    status,
    contentType: 'application/problem+json',
    cacheControl: 'no-store',
    members: ['type', 'title', 'status', 'detail', 'code', 'requestId', ...further].toSorted().join(),
    says: { status, code, type: `/docs/errors/${code}` },
    hasItsId: true,
  };
}

export function ingestProblem(status: number, code: string): object {
  const all = problem(status, code, 'accepted', 'reason', 'processingTime');
  return { ...all, accepted: false, saysWhy: true, time: 'milliseconds' };
}

/** `milliseconds` for a number with at most three decimals, as it stands in the text. */
function timeOf(text: string, processingTime: unknown): string {
  const written = /"processingTime":(\d+(?:\.\d{1,3})?)[,}]/.exec(text)?.[1];
  return Number(written) === processingTime ? 'milliseconds' : `${text} has another processing time`;
}
