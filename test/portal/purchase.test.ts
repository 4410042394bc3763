// Why a partner got a lead, and what our data say about its reasons for a claim, without suppliers, sources and fields that are not delivered.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const yaml = `
suppliers: [{ key: acme-media, name: Acme Media, status: approved }]
partners:
  - key: summit
    name: Summit
    channels: []
    offers:
      - { key: summit-all, name: West, eventType: Lead Sale, payout: 45.00, sale: { sharedWith: 3 },
          filters: { states: [CA, NV], suppliers: [acme-media], minScore: 1 } }
  - { key: harbor, name: Harbor, channels: [] }
`;

describe('a bought lead in the portal', () => {
  let market: TestMarketplace;
  let summit: SignedIn;
  let deliveryId: string;

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml });
    summit = await market.signedIn.buyer('summit');
    await postLead(market.url, await market.supplierKey('acme-media'), sampleLead(1, { state: 'CA' }));
    deliveryId = await eventually('the lead is sold', async () => {
      const { json } = await summit.get('/portal/api/buyer/deliveries?status=Confirmed');
      return (json.data[0]?.deliveryId as string | undefined) ?? null;
    });
  });
  afterAll(() => market.close());

  it('has the offer, the sale, the score and the filters, but no supplier', async () => {
    const { json, text } = await summit.get(`/portal/api/buyer/deliveries/${deliveryId}`);
    expect(json.purchase).toEqual({
      ...{ offerKey: 'summit-all', offerName: 'West', sale: 'shared', score: expect.any(Number) as number },
      filters: [
        { filter: 'states', wanted: ['CA', 'NV'], found: 'CA', holds: true },
        { filter: 'minScore', wanted: 1, found: expect.any(Number) as number, holds: true },
      ],
    });
    expect(text).not.toContain('acme-media');
  });

  it('keeps the terms of the sale when the offer changes', async () => {
    await market.apply(yaml.replace('[CA, NV]', '[TX]').replace('name: West', 'name: South'));
    const { json } = await summit.get(`/portal/api/buyer/deliveries/${deliveryId}`);
    expect(json.purchase).toMatchObject({ offerName: 'West', filters: [{ wanted: ['CA', 'NV'] }, {}] });
  });

  it('says before a claim is filed what speaks for and against each reason', async () => {
    const { json, text } = await summit.get(`/portal/api/buyer/deliveries/${deliveryId}/filing`);
    const of = (code: string): unknown => json.reasons.find((one: { code: string }) => one.code === code).ownData;
    expect(of('out_of_geo')).toEqual({
      about: 'filters',
      checks: [{ filter: 'states', wanted: ['CA', 'NV'], found: 'CA', holds: true }],
    });
    expect(of('out_of_filter')).toMatchObject({ checks: [{ filter: 'states' }, { filter: 'minScore' }] });
    expect(of('duplicate')).toEqual({ about: 'duplicate', dedupDays: 30, others: 0 });
    expect(of('invalid_phone')).toBeNull();
    expect(text).not.toContain('acme-media');
  });

  it('is nobody else’s', async () => {
    const harbor = await market.signedIn.buyer('harbor');
    expect((await harbor.get(`/portal/api/buyer/deliveries/${deliveryId}`)).status).toBe(404);
    expect((await harbor.get(`/portal/api/buyer/deliveries/${deliveryId}/filing`)).status).toBe(404);
  });
});
