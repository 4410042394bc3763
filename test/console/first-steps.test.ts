// How far a new marketplace is set up, as the console's guide reads it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sampleLead } from '../contract/market.ts';
import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

// The first partner has no offer, and the first supplier may not post.
const YAML = `
suppliers:
  - { key: aaron, name: Aaron }
  - { key: acme-media, name: Acme Media, status: approved, fieldMapping: { landed: source_form_url } }
partners:
  - { key: anchor, name: Anchor }
  - key: summit
    name: Summit
    channels: [email]
    settings: { notificationEmail: leads@summit.example }
    offers: [{ key: summit-west, name: West, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }]
`;

describe('The first steps of a marketplace', () => {
  let market: TestMarketplace;
  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: '{}' });
  });
  afterAll(() => market.close());

  const firstSteps = async () => (await (await market.signedIn.operator('ada')).get('/console/api/first-steps')).json;
  it('are read from what is configured, until a delivery is confirmed', async () => {
    const nothing = { partner: null, offer: null, supplier: null };
    const none = { hasChannel: false, isTested: false, hasMapping: false, hasKey: false, hasLead: false };
    expect(await firstSteps()).toEqual({ isDone: false, steps: { ...nothing, ...none } });

    await market.apply(YAML);
    const configured = {
      partner: 'summit',
      offer: 'summit-west',
      supplier: 'acme-media',
      hasChannel: true,
      hasMapping: true,
    };
    expect(await firstSteps()).toEqual({ isDone: false, steps: { ...none, ...configured } });

    const key = await market.supplierKey('acme-media');
    expect((await postLead(market.url, key, sampleLead(1, { state: 'NY' }))).status).toBe(202);
    await eventually('the lead is counted', async () => ((await firstSteps()).steps.hasLead === true ? true : null));
    expect(await firstSteps()).toEqual({
      isDone: false,
      steps: { ...none, ...configured, hasKey: true, hasLead: true },
    });

    expect((await postLead(market.url, key, sampleLead(2, { state: 'CA' }))).status).toBe(202);
    await eventually('the delivery is confirmed', async () => ((await firstSteps()).isDone === true ? true : null));
    expect(await firstSteps()).toEqual({ isDone: true, steps: null });
  });
});
