// A server with one scope that admits any request by the key that it names: for tests of routes without the rest of the service.
import type { CredentialId } from '../../src/base/ids.ts';
import { pino } from 'pino';

import type { App } from '../../src/platform/http/app.ts';
import { registerOpenapi } from '../../src/platform/http/openapi.ts';
import { registerScope } from '../../src/platform/http/scope.ts';
import { createServer } from '../../src/platform/http/server.ts';

/** Any value, as returned by JSON.parse. */
export type Json = ReturnType<typeof JSON.parse>;

export type ScopeApp = {
  /** GET of a URL as the owner of this key; null without a credential. */
  get(ownerKey: string | null, url: string): Promise<HttpResponse>;
  openapi(): Promise<Json>;
  close(): Promise<void>;
};
export type HttpResponse = { status: number; headers: Record<string, unknown>; json: Json; text: string };

export async function openScopeApp(options: {
  readonly name: 'supplier' | 'buyer';
  readonly now: Date;
  readonly routes: (scope: App) => void;
}): Promise<ScopeApp> {
  const { name, now, routes } = options;
  const header = name === 'buyer' ? 'authorization' : 'x-api-key';
  const app = createServer({ log: pino({ level: 'silent' }), trustProxy: [] });
  registerOpenapi(app, { info: { title: 'Test', version: '0', description: '' } });
  await app.after();
  registerScope(app, {
    name,
    header,
    clock: { now: () => now },
    authenticate: (ownerKey) => ({ credentialId: ownerKey as CredentialId, ownerKey }),
    rateLimitOf: () => ({ perSecond: 1000, burst: 1_000_000 }),
    routes,
  });
  await app.ready();
  return {
    async get(ownerKey, url) {
      const credential = header === 'authorization' ? `Bearer ${ownerKey}` : ownerKey;
      const response = await app.inject({
        method: 'GET',
        url,
        headers: ownerKey === null ? {} : { [header]: credential ?? '' },
      });
      const isJson = /\bjson\b/.test(String(response.headers['content-type']));
      return {
        status: response.statusCode,
        headers: response.headers,
        json: isJson ? response.json() : null,
        text: response.body,
      };
    },
    openapi: async () => (await app.inject({ url: '/openapi.json' })).json(),
    close: () => app.close(),
  };
}
