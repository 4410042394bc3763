// Asks an application without a socket, for tests that send thousands of requests and look at no connection.
import type { App } from '../../src/platform/http/app.ts';
import type { ApiRequest, ApiResponse } from './api-client.ts';
import type { SignedIn } from './signed-in.ts';

/** Not for an export, which is written to the socket itself: its end is not noticed. */
export async function askInside(
  app: App | null,
  path: string,
  { method, headers = {}, body }: ApiRequest = {},
): Promise<ApiResponse> {
  if (app === null) throw new Error('the marketplace has no API');
  const response = await app.inject({
    method: (method ?? (body === undefined ? 'GET' : 'POST')) as 'GET',
    url: path,
    headers: { ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  const { statusCode: status, body: text } = response;
  const fields = Object.entries(response.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  );
  const sent = new Headers(fields);
  const holdsJson = text !== '' && /\bjson\b/.test(sent.get('content-type') ?? '');
  return { status, headers: sent, text, json: holdsJson ? JSON.parse(text) : null };
}

/** The same session, without sockets but for exports. */
export function inside(app: App | null, session: SignedIn): SignedIn {
  const own = { cookie: session.cookie, 'sec-fetch-site': 'same-origin' };
  const isExport = (path: string): boolean => /\/exports?(?:[/?]|$)/.test(path);
  return {
    cookie: session.cookie,
    get: (path, headers) =>
      isExport(path) ? session.get(path, headers) : askInside(app, path, { headers: { ...own, ...headers } }),
    send: (method, path, body, headers) =>
      isExport(path)
        ? session.send(method, path, body, headers)
        : askInside(app, path, { method, headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) }),
  };
}
