// The public API's routes behind a portal session: same results, tenancy and idempotency (decision 022).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deleteResponsesThatName } from '../../src/platform/http/idempotency.ts';
import { marketYaml, sampleLead } from '../contract/market.ts';
import { getAsBuyer, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

let market: TestMarketplace;
let delivery: Json;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml() });
  await postLead(market.url, await market.supplierKey('acme-media'), sampleLead(1));
  const summit = await market.signedIn.buyer('summit');
  delivery = await eventually('the lead is delivered', async () => {
    const { data } = (await summit.get('/portal/api/v1/buyer/leads?status=Confirmed')).json;
    return data.length > 0 && data[0];
  });
});
afterAll(() => market.close());

describe('public routes behind a session', () => {
  it('return the same as for a token, with links within the portal', async () => {
    const summit = await market.signedIn.buyer('summit');
    const token = await market.buyerToken('summit');
    for (const path of ['/api/v1/buyer/leads', '/api/v1/buyer/stats', '/api/v1/buyer/return-policy']) {
      const [here, there] = [await summit.get(`/portal${path}`), await getAsBuyer(market.url, token, path)];
      expect([path, here.status, here.json]).toEqual([path, 200, there.json]);
    }
    const { headers } = await summit.get('/portal/api/v1/buyer/leads?pageSize=1');
    expect(headers.get('link')).toContain('</portal/api/v1/buyer/leads?pageSize=1&page=1>; rel="first"');
  });

  it('return nothing of another partner', async () => {
    const harbor = await market.signedIn.buyer('harbor');
    expect((await harbor.get('/portal/api/v1/buyer/leads')).json.data).toEqual([]);
    const filed = await harbor.send('POST', '/portal/api/v1/buyer/returns', {
      deliveryId: delivery.deliveryId,
      reason: 'invalid_phone',
      proof: 'Not mine.',
    });
    expect([filed.status, filed.json.code]).toEqual([404, 'delivery_not_found']);
  });

  it('execute a repeated request once, and delete the stored response on expiry', async () => {
    const summit = await market.signedIn.buyer('summit');
    const file = () =>
      summit.send(
        'POST',
        '/portal/api/v1/buyer/returns',
        { deliveryId: delivery.deliveryId, reason: 'invalid_phone', proof: 'The number is not in service.' },
        { 'idempotency-key': 'one-return' },
      );
    const [first, second] = [await file(), await file()];
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(second.text).toBe(first.text);
    await market.database.tx((tx) => deleteResponsesThatName(tx, [delivery.deliveryId]));
    expect((await file()).json.code).toBe('claim_exists');
  });

  it('do not include lead submission', async () => {
    const supplier = await market.signedIn.supplier('acme-media');
    const response = await supplier.send('POST', '/portal/api/v1/ingest', sampleLead(2));
    expect(response.status).toBe(404);
  });
});
