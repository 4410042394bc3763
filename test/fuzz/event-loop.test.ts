// No request holds the event loop for long: every route with the largest input that it takes, by the processor time of each turn
// (contract 1.12).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operatorScopes } from '../../src/credentials/operator-scopes.rules.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { type LargeInput, largestInputs } from '../support/fuzz/largest.ts';
import { watchTurns } from '../support/loop-turns.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { startReceiver } from '../support/receiver.ts';
import { type RegisteredRoute, routesRegisteredBy } from '../support/routes.ts';

const TURN_MS = 50;
const TRIES = 3;

let market: TestMarketplace;
let routes: readonly RegisteredRoute[];
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let aheadMs = 0;
const askers: Record<string, Readonly<Record<string, string>>> = {};

beforeAll(async () => {
  receiver = await startReceiver();
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const registered = await routesRegisteredBy(() =>
    startTestMarketplace({ yaml: betaMarketYaml(receiver), clock, allowTargets: [receiver.origin], role: 'api' }),
  );
  market = registered.built;
  routes = registered.routes;
  await signIn();
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

async function signIn(): Promise<void> {
  const own = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });
  askers['console'] = own((await market.signedIn.operator('ada')).cookie);
  askers['buyer'] = own((await market.signedIn.buyer('summit')).cookie);
  askers['supplier'] = own((await market.signedIn.supplier('acme-media')).cookie);
  askers['operator'] = { authorization: `Bearer ${await market.operatorToken(operatorScopes)}` };
  askers['token'] = { authorization: `Bearer ${await market.buyerToken('summit')}` };
  askers['key'] = { 'x-api-key': await market.supplierKey('acme-media') };
}

function askerOf(path: string): Readonly<Record<string, string>> {
  const name = path.startsWith('/console/')
    ? 'console'
    : path.startsWith('/portal/')
      ? path.includes('/supplier/')
        ? 'supplier'
        : 'buyer'
      : path.startsWith('/api/v1/operator/')
        ? 'operator'
        : path.includes('/buyer/')
          ? 'token'
          : 'key';
  return askers[name] ?? {};
}

const IDS: Readonly<Record<string, string>> = { ownerKey: 'summit', key: 'summit', name: 'summit', '*': 'summit' };
const pathOf = (path: string): string =>
  path.replaceAll(/:(\w+)|\*/g, (_all, name: string | undefined) => IDS[name ?? '*'] ?? 'none');

type Measured = { readonly what: string; readonly status: number; readonly dearestMs: number };

async function ask({ method, path, config }: RegisteredRoute, { shape, query, body }: LargeInput): Promise<Measured> {
  const app = market.runtime.app;
  if (app === null) throw new Error('the marketplace has no API');
  let dearest: Measured = { what: '', status: 0, dearestMs: Infinity };
  for (let tries = 0; tries < TRIES && dearest.dearestMs > TURN_MS / 2; tries += 1) {
    aheadMs += 1100;
    const type = config?.binaryBody === true ? 'application/octet-stream' : 'application/json';
    const { value, dearestMs } = await watchTurns(() =>
      app.inject({
        method: method as 'GET',
        url: pathOf(path) + query,
        headers: { ...askerOf(path), ...(body === null ? {} : { 'content-type': type }) },
        ...(body === null ? {} : { payload: body }),
      }),
    );
    const what = `${method} ${path}: ${shape}`;
    if (dearestMs < dearest.dearestMs) dearest = { what, status: value.statusCode, dearestMs };
    // The request may have ended the session or revoked the credential.
    if (value.statusCode === 401 || method === 'DELETE') await signIn();
  }
  return dearest;
}

/** Streams have no end, exports are written to the socket itself, and a marketplace file is read by a thread, which takes it a minute. */
const isMeasured = ({ path }: RegisteredRoute): boolean =>
  /^\/(?:api|portal|console)\//.test(path) && !/\/(?:stream|export|marketplace-file)$|\/exports\//.test(path);

describe('The largest input of every route', () => {
  it('takes less than 50 ms of processor time in one turn of the event loop', async () => {
    const measured: Measured[] = [];
    for (const route of routes.filter(isMeasured)) {
      for (const input of largestInputs(route)) measured.push(await ask(route, input));
    }
    const byCost = measured.toSorted((one, other) => other.dearestMs - one.dearestMs);
    const line = ({ what, status, dearestMs }: Measured) => `  ${dearestMs.toFixed(1)} ms ${status} ${what}`;
    console.log([`${measured.length} largest inputs; the dearest turns:`, ...byCost.slice(0, 10).map(line)].join('\n'));
    expect(byCost.filter(({ dearestMs }) => dearestMs >= TURN_MS).map(line)).toEqual([]);
  });
});
