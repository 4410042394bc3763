// The parts of a name from ingest to the partner: webhook, API, export and columns of a sheet have them as they were sent (contract 3.2, 6.1, 14.4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { call, getAsBuyer } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { openSharedMarket, ownKeys, type SharedMarket } from '../support/shared-market.ts';

const APART = { full_name: undefined, first_name: 'Mary Ann', last_name: 'Lopez Garcia', name_suffix: 'Jr.' };

let market: SharedMarket;

beforeAll(async () => {
  market = await openSharedMarket();
});
afterAll(() => market?.close());

async function partner(webhookUrl: string | null): Promise<{ token: string }> {
  const { name } = ownKeys('name');
  const channel =
    webhookUrl === null ? 'channels: []' : `channels: [webhook], settings: { webhookUrl: '${webhookUrl}' }`;
  const offers = `[{ key: ${name}, name: Names, eventType: Lead Sale, payout: 20 }]`;
  await market.apply(
    `suppliers: [{ key: acme, status: approved }]\npartners: [{ key: ${name}, ${channel}, offers: ${offers} }]\n`,
    { prune: true },
  );
  return { token: await market.buyerToken(name) };
}

async function exported(token: string): Promise<string[]> {
  const { text } = await call(`${market.url}/api/v1/buyer/export`, { headers: { authorization: `Bearer ${token}` } });
  return text.trimEnd().split('\r\n');
}

describe('The parts of a name', () => {
  it('reach the webhook and the API as they were sent, and are not there if none was sent', async () => {
    const receiver = await market.receive();
    const { token } = await partner(`${receiver.origin}/leads`);
    await market.once(await market.sell(APART), 'Confirmed');
    await market.once(await market.sell({ full_name: 'Dr. Ida Berg' }), 'Confirmed');
    const parts = { firstName: 'Mary Ann', lastName: 'Lopez Garcia', nameSuffix: 'Jr.' };
    const [whole, apart] = (await getAsBuyer(market.url, token, '/api/v1/buyer/leads')).json.data.map(
      ({ lead }: { lead: object }) => lead,
    );
    expect(apart).toMatchObject({ fullName: 'Mary Ann Lopez Garcia', ...parts });
    expect(Object.keys(whole)).toHaveLength(10);
    const [sent] = receiver.requests.map(({ body }) => (JSON.parse(body) as { data: { lead: object } }).data.lead);
    expect(sent).toEqual(apart);
  });

  it('get columns of their own with the first lead that has them, which all leads fill', async () => {
    const { token } = await partner(null);
    await market.once(await market.sell({ full_name: 'Dr. Ida Berg' }), 'Confirmed');
    expect((await exported(token))[0]).toMatch(/,sourceUrl$/);
    await market.once(await market.sell(APART), 'Confirmed');
    const lines = await eventually('the columns are there', async () => {
      const found = await exported(token);
      return found[0]?.endsWith(',sourceUrl,firstName,lastName,nameSuffix') === true ? found : null;
    });
    expect(lines.slice(1).map((line) => line.split(',').slice(-3))).toEqual([
      ['Mary Ann', 'Lopez Garcia', 'Jr.'],
      ['Ida', 'Berg', ''],
    ]);
    const { json } = await getAsBuyer(market.url, token, '/api/v1/sheets-config');
    expect(json.columns.slice(-3)).toEqual(['firstName', 'lastName', 'nameSuffix']);
    // Once, whatever comes after.
    await market.once(await market.sell({ ...APART, middle_name: 'M.' }), 'Confirmed');
    await eventually('the further column is there', async () => {
      return (await exported(token))[0]?.endsWith(',firstName,lastName,nameSuffix,middleName') === true ? true : null;
    });
  });
});
