// A client of the running service that shows everything of an answer, over real sockets as partners' programs use them.

export type ApiAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the body is not JSON. */
  readonly json: any;
};

export type ApiRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, with its content type; texts and bytes as they are. */
  readonly body?: object | string;
};

export async function call(url: string, { method, headers = {}, body }: ApiRequest = {}): Promise<ApiAnswer> {
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

/** POST of a lead; a text is sent as it is, but as JSON too. */
export function postLead(
  url: string,
  key: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const all = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  return call(`${url}/api/v1/ingest`, { method: 'POST', headers: all, body });
}

export function getAsSupplier(url: string, key: string, path: string): Promise<ApiAnswer> {
  return call(url + path, { headers: { 'x-api-key': key } });
}

export function getAsBuyer(url: string, token: string, path: string): Promise<ApiAnswer> {
  return call(url + path, { headers: { authorization: `Bearer ${token}` } });
}

/** What every refusal on the ingest path has in common (contract 3.4), beside the members of a problem document. */
export const ingestProblemMembers = [
  'accepted',
  'code',
  'detail',
  'processingTime',
  'reason',
  'requestId',
  'status',
  'title',
  'type',
] as const;
