import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const fileWith = (payout: number, daily = 5, otherPayout = 20): string => `
partners:
  - key: summit
    name: Summit Debt Relief
    offers:
      - { key: summit-ca, eventType: Lead Sale, payout: ${payout}, caps: { daily: ${daily} } }
      - { key: summit-any, eventType: Lead Sale, payout: ${otherPayout} }
`;

let market: TestMarketplace;
let anna: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: fileWith(45.5) });
  anna = await market.signedIn.operator('anna');
});
afterAll(() => market.close());

const pricesOf = async (offerKey: string) => anna.get(`/console/api/offers/${offerKey}/prices`);

describe('The prices of an offer', () => {
  it('have no change while the offer has its first price', async () => {
    const { status, json } = await pricesOf('summit-ca');
    expect(status).toBe(200);
    expect(json).toEqual({ priceBefore: 45.5, changes: [] });
  });

  it('are those of the file and of the console, the last first, without other changes and other offers', async () => {
    await market.apply(fileWith(50));
    await market.apply(fileWith(50, 9));
    await market.apply(fileWith(50, 9, 25));
    await market.apply(fileWith(48.25, 9, 25));
    const { version } = (await anna.get('/console/api/offers/summit-ca')).json;
    const fragment = { partners: [{ key: 'summit', offers: [{ key: 'summit-ca', payout: 52 }] }] };
    const applied = await anna.send('POST', '/console/api/configuration/apply', { fragment, version });
    expect(applied.json).toMatchObject({ applied: true, faults: [] });

    const { json } = await pricesOf('summit-ca');
    expect(json).toMatchObject({
      priceBefore: 45.5,
      changes: [
        { from: 48.25, to: 52, actor: { type: 'operator', name: 'anna' } },
        { from: 50, to: 48.25 },
        { from: 45.5, to: 50 },
      ],
    });
    expect(json.changes).toHaveLength(3);
    for (const { actor } of json.changes) expect(actor).not.toBeNull();
    expect((await pricesOf('summit-any')).json).toMatchObject({ priceBefore: 20, changes: [{ from: 20, to: 25 }] });
  });

  it('are those of an offer that exists', async () => {
    expect((await pricesOf('nobody')).status).toBe(404);
  });
});
