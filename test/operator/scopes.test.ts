// Every route of the operator's API with every kind of credential: only a token with its scope may use it (contract 10).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type OperatorScope,
  operatorScopes,
  permissionsOfScopes,
  scopeOfPermission,
} from '../../src/credentials/operator-scopes.rules.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { askInside } from '../support/ask-inside.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type RegisteredRoute, routesRegisteredBy } from '../support/routes.ts';

const PREFIX = '/api/v1/operator/';

let market: TestMarketplace;
let routes: readonly RegisteredRoute[];
let others: ReadonlyArray<readonly [name: string, headers: Readonly<Record<string, string>>]>;
const tokens = new Map<OperatorScope, string>();

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tokenOf = (scope: OperatorScope): string => tokens.get(scope) ?? '';

/** A minimal request: what it does when it is allowed is tested elsewhere. */
const ask = (
  { method, path }: { method: string; path: string },
  headers: Record<string, string>,
): Promise<ApiResponse> =>
  askInside(market.runtime.app, path.replaceAll(/:\w+/g, 'nothing'), {
    method,
    headers,
    ...(['POST', 'PUT', 'PATCH'].includes(method) ? { body: {} } : {}),
  });

beforeAll(async () => {
  // Far more requests than a token's rate: the clock runs ahead so that its bucket is full for each.
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + (aheadMs += 200)) };
  const registered = await routesRegisteredBy(() => startTestMarketplace({ yaml: marketYaml(), role: 'api', clock }));
  market = registered.built;
  routes = registered.routes.filter(({ path }) => path.startsWith(PREFIX));
  for (const scope of operatorScopes) tokens.set(scope, await market.operatorToken([scope]));
  others = [
    ['no credential', {}],
    ['a supplier key', { 'x-api-key': await market.supplierKey('acme-media') }],
    ['a supplier key as token', bearer(await market.supplierKey('acme-media'))],
    ['a partner’s token', bearer(await market.buyerToken('summit'))],
    ['a session of the console', { cookie: (await market.signedIn.operator('ada')).cookie }],
    ['a session of the portal', { cookie: (await market.signedIn.buyer('summit')).cookie }],
  ];
});
afterAll(() => market.close());

describe('Every route of the operator’s API', () => {
  it('declares a scope', () => {
    expect(routes.length).toBeGreaterThan(14);
    for (const { method, path, config } of routes) {
      const { permission } = config ?? {};
      expect([method, path, permission === undefined ? null : scopeOfPermission(permission)]).toEqual([
        method,
        path,
        expect.any(String),
      ]);
    }
  });

  it.each(operatorScopes)('allows a token with the scope %s exactly what it declares', async (scope) => {
    const own = permissionsOfScopes([scope]);
    const wrong: string[] = [];
    for (const route of routes) {
      const isAllowed = route.config?.permission !== undefined && own.includes(route.config.permission);
      const response = await ask(route, bearer(tokenOf(scope)));
      const isRefused = response.status === 403 && response.json.code === 'scope_missing';
      if (isRefused === isAllowed || response.status >= 500)
        wrong.push(`${route.method} ${route.path}: ${response.status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('rejects every other credential', async () => {
    for (const [name, headers] of others) {
      for (const route of routes) {
        const response = await ask(route, headers);
        expect([name, route.method, route.path, problemFacts(response)]).toEqual([
          name,
          route.method,
          route.path,
          problem(401, 'unauthorized'),
        ]);
      }
    }
  });
});

describe('An operator’s token', () => {
  it('opens no other part of the service', async () => {
    const headers = bearer(await market.operatorToken(operatorScopes));
    const token = headers.authorization.slice('Bearer '.length);
    const paths = ['/api/v1/buyer/account', '/console/api/leads', '/portal/api/v1/buyer/leads'];
    for (const path of paths) expect([path, (await call(market.url + path, { headers })).status]).toEqual([path, 401]);
    const asKey = await call(`${market.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': token },
      body: {},
    });
    expect(asKey.status).toBe(401);
    const own = { 'sec-fetch-site': 'same-origin' };
    const signIn = await call(`${market.url}/portal/api/session`, {
      method: 'POST',
      headers: own,
      body: { credential: token },
    });
    expect(signIn.status).toBe(401);
  });

  it('is stored as a hash', async () => {
    const token = await market.operatorToken(['operate']);
    const response = await call(`${market.url}${PREFIX}jobs/retry`, {
      method: 'POST',
      headers: bearer(token),
      body: {},
    });
    expect([response.status, response.json]).toEqual([200, { retried: 0, remaining: 0 }]);
    const rows = await select<{ text: string }>(market.database, 'SELECT credential::text AS text FROM credential');
    expect(rows.some(({ text }) => text.includes(token))).toBe(false);
  });

  it('without a scope may do nothing', async () => {
    const token = await market.operatorToken(['read']);
    await select(market.database, `UPDATE credential SET scopes = NULL WHERE last4 = '${token.slice(-4)}'`);
    const response = await call(`${market.url}${PREFIX}jobs`, { headers: bearer(token) });
    expect(problemFacts(response)).toEqual(problem(403, 'scope_missing'));
  });
});
