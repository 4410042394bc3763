// Through a session, too, what belongs to another does not exist: every address with every foreign id, in pages' and public routes alike.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type IdKind, newUuid, typeId } from '../../src/base/ids.ts';
import { sampleLead, marketYaml } from '../contract/market.ts';
import { type ApiAnswer, postAsBuyer, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Route, routesOf } from '../support/routes.ts';
import type { SignedIn } from '../support/signed-in.ts';

let market: TestMarketplace;
let [harbor, rival]: SignedIn[] = [];
/** By the name of a route's parameter: an id of Summit's or Acme's, and one of nobody's. */
let foreign: Readonly<Record<string, ReadonlyArray<readonly [theirs: string, nobodys: string]>>>;

beforeAll(async () => {
  market = await startTestMarketplace({
    // With every tool, so that it is the id that is refused.
    yaml: marketYaml().replace(
      'name: Harbor Financial',
      'name: Harbor Financial\n    betaTools: [timeline, delivery-logs, test-delivery, audit-log]',
    ),
  });
  const [acme, token] = [await market.supplierKey('acme-media'), await market.buyerToken('summit')];
  const { lead_id: leadId } = (await postLead(market.url, acme, sampleLead(1))).json as { lead_id: string };
  const summit = await market.signedIn.buyer('summit');
  const deliveryId = await eventually('the lead is delivered', async () => {
    const { json } = await summit.get('/portal/api/v1/buyer/leads');
    return (json.data[0]?.deliveryId as string | undefined) ?? null;
  });
  const filed = await postAsBuyer(market.url, token, '/api/v1/buyer/returns', {
    body: { deliveryId, reason: 'duplicate' },
  });
  if (filed.status !== 201) throw new Error(filed.text);
  const supplier = await market.signedIn.supplier('acme-media');
  const idsIn = async (signedIn: SignedIn, path: string): Promise<string[]> =>
    ((await signedIn.get(path)).json.data as { id: string }[]).map(({ id }) => id);
  const [credential = ''] = await idsIn(summit, '/portal/api/buyer/tokens');
  const [key = ''] = await idsIn(supplier, '/portal/api/supplier/keys');
  const [session = ''] = await idsIn(summit, '/portal/api/sessions');
  const [supplierSession = ''] = await idsIn(supplier, '/portal/api/sessions');
  foreign = {
    deliveryId: [[deliveryId, newId('delivery')]],
    leadId: [[leadId, newId('lead')]],
    claimId: [[String(filed.json.returnId), newId('return')]],
    invoiceId: [[newId('invoice'), newId('invoice')]],
    // Claims, tokens, keys and sessions.
    id: [
      [String(filed.json.returnId), newId('return')],
      [credential, newId('token')],
      [key, newId('key')],
      [session, newId('session')],
      [supplierSession, newId('session')],
    ],
  };
  harbor = await market.signedIn.buyer('harbor');
  rival = await market.signedIn.supplier('rival-media');
});
afterAll(() => market.close());

const newId = (kind: IdKind): string => typeId(kind, newUuid());

const withoutRequest = ({ status, text }: ApiAnswer): unknown => [
  status,
  text.replaceAll(/"(?:requestId|instance)":"[^"]*"/g, ''),
];

function portalRoutes(): Route[] {
  const app = market.runtime.app;
  if (app === null) throw new Error('the marketplace has no API');
  return routesOf(app).filter(({ path }) => path.startsWith('/portal/api/') && path.includes('/:'));
}

/** What only one of the two kinds may ask at all. */
const isOf = (kind: 'buyer' | 'supplier', path: string): boolean =>
  !path.includes(kind === 'buyer' ? '/supplier/' : '/buyer/');

describe('A session', () => {
  test('of another partner or supplier finds nothing under any id that is not its own', async () => {
    const routes = portalRoutes();
    expect(routes.length).toBeGreaterThan(12);
    for (const [kind, signedIn] of [
      ['buyer', harbor],
      ['supplier', rival],
    ] as const) {
      for (const { method, path } of routes.filter((route) => isOf(kind, route.path))) {
        const name = /\/:(\w+)/.exec(path)?.[1] ?? '';
        const pairs = foreign[name];
        expect(pairs, `${path}: this test does not know what :${name} is`).toBeDefined();
        for (const [theirs, nobodys] of pairs ?? []) {
          const ask = (id: string): Promise<ApiAnswer> =>
            method === 'GET'
              ? signedIn!.get(path.replace(`:${name}`, id))
              : signedIn!.send(method, path.replace(`:${name}`, id), method === 'POST' ? {} : undefined);
          const [one, other] = [await ask(theirs), await ask(nobodys)];
          expect([method, path, theirs, one.status]).toEqual([method, path, theirs, 404]);
          expect([method, path, withoutRequest(one)]).toEqual([method, path, withoutRequest(other)]);
        }
      }
    }
  });

  test('of a supplier opens no partner’s address, and the other way round', async () => {
    for (const { method, path } of portalRoutes()) {
      if (isOf('buyer', path) === isOf('supplier', path)) continue;
      const stranger = isOf('buyer', path) ? rival : harbor;
      const address = path.replaceAll(/:(\w+)/g, (_, name: string) => foreign[name]?.[0]?.[0] ?? '');
      const answer = method === 'GET' ? await stranger!.get(address) : await stranger!.send(method, address, {});
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });

  test('of a partner opens nothing of the console', async () => {
    const app = market.runtime.app;
    const routes = routesOf(app!).filter(
      ({ path }) => path.startsWith('/console/api/') && !/^\/console\/api\/session$/.test(path),
    );
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path } of routes) {
      const cookie = harbor!.cookie.replace(/^sid=/, 'console=');
      for (const headers of [{}, { cookie }]) {
        const answer =
          method === 'GET' ? await harbor!.get(path, headers) : await harbor!.send(method, path, {}, headers);
        expect([method, path, answer.status]).toEqual([method, path, 401]);
      }
    }
  });

  test('does not open the public API, which takes no cookie', async () => {
    expect((await harbor!.get('/api/v1/buyer/leads')).status).toBe(401);
    expect((await rival!.get('/api/v1/supplier/stats')).status).toBe(401);
  });
});
