// Tests that data of other partners and suppliers are invisible, with row-level security and without it (contract 1.10).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, getAsBuyer, getAsSupplier, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { WALLS } from '../support/walls.ts';
import { marketYaml, sampleLead } from './market.ts';

const STATS = '/api/v1/supplier/stats';
const LEADS = '/api/v1/buyer/leads';

const UNKNOWN = 'dlv_01m7wyk0h2emp81qch4dvtyn6a';
/** Summit's payout of 45 as a JSON value: times and ids may contain these digits by chance. */
const PRICE = [':45,', ':45}', '"45'];
const withoutId = ({ text }: ApiResponse): string => text.replace(/"requestId":"[^"]+"/, '');
const names = ({ json }: ApiResponse): unknown[] =>
  json.data.map((delivery: { lead: { fullName: string } }) => delivery.lead.fullName);

describe.each(WALLS)('$walls', ({ withoutWall }) => {
  let market: TestMarketplace;
  let acme: string;
  let rival: string;
  let summit: string;
  let harbor: string;

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml(), withoutWall });
    [acme, rival] = [await market.supplierKey('acme-media'), await market.supplierKey('rival-media')];
    [summit, harbor] = [await market.buyerToken('summit'), await market.buyerToken('harbor')];
    const posts = [
      ...[1, 2, 3].map((serial) =>
        postLead(market.url, acme, sampleLead(serial, { full_name: 'For Summit', state: 'CA' })),
      ),
      ...[4, 5].map((serial) =>
        postLead(market.url, rival, sampleLead(serial, { full_name: 'For Harbor', state: 'NY' })),
      ),
      postLead(market.url, acme, {}),
    ];
    await Promise.all(posts);
    await eventually('all leads are decided', async () => {
      const totals = await Promise.all(
        [acme, rival].map(async (key) => (await getAsSupplier(market.url, key, STATS)).json.totals),
      );
      return totals.every(({ pending }) => pending === 0);
    });
  });
  afterAll(() => market.close());

  const leads = async (token: string, query = ''): Promise<ApiResponse> =>
    getAsBuyer(market.url, token, `${LEADS}${query}`);

  describe('A partner', () => {
    it('sees its own deliveries and counts no others', async () => {
      const [own, other] = [await leads(summit), await leads(harbor)];
      expect([own.json.total, names(own)]).toEqual([3, ['For Summit', 'For Summit', 'For Summit']]);
      expect([other.json.total, names(other)]).toEqual([2, ['For Harbor', 'For Harbor']]);
    });

    it('sees the same through all its credentials', async () => {
      const second = await market.buyerToken('summit');
      expect((await leads(second)).text).toBe((await leads(summit)).text);
    });

    it.each([
      '?partner=harbor',
      '?partnerKey=harbor&buyer=harbor&buyerKey=harbor',
      '?status=Confirmed&pageSize=100',
      '?from=2000-01-01&to=2100-01-01&pageSize=100',
    ])('cannot reach other deliveries by %s', async (query) => {
      expect(new Set(names(await leads(summit, query)))).toEqual(new Set(['For Summit']));
    });

    it('cannot reach other pages by higher page numbers', async () => {
      for (const page of [2, 3, 4, 1000]) expect((await leads(summit, `?page=${page}`)).json.data).toEqual([]);
    });

    it('gets for a delivery of another partner the response for an unknown one', async () => {
      const { json } = await leads(harbor);
      const { deliveryId } = json.data[0];
      expect((await leads(harbor, `/${deliveryId}`)).json.deliveryId).toBe(deliveryId);
      const [foreign, unknown] = [await leads(summit, `/${deliveryId}`), await leads(summit, `/${UNKNOWN}`)];
      expect([foreign.status, withoutId(foreign)]).toEqual([404, withoutId(unknown)]);
    });

    it('sees no suppliers, scores and other buyers', async () => {
      const [own] = (await leads(summit)).json.data;
      const text = (await leads(summit, '?pageSize=100')).text + (await leads(summit, `/${own.deliveryId}`)).text;
      for (const secret of ['acme', 'rival', 'harbor', 'score', 'A-1', 'search-debt-west', 'Rivera Bakery', 'offer']) {
        expect([secret, text.includes(secret)]).toEqual([secret, false]);
      }
    });

    it('without purchases sees an empty list', async () => {
      const resting = await leads(await market.buyerToken('resting'));
      expect(resting.json).toEqual({ page: 1, pageSize: 25, total: 0, totalPages: 0, data: [] });
    });
  });

  describe('A supplier', () => {
    it('sees its own numbers only', async () => {
      const totals = async (key: string): Promise<unknown> => {
        const { json } = await getAsSupplier(market.url, key, STATS);
        return [json.supplierKey, json.totals.submitted, json.totals.routed, json.totals.rejected, json.byStatus];
      };
      expect(await totals(acme)).toEqual(['acme-media', 4, 3, 1, { 'Lead Sale': 3, Invalid: 1 }]);
      expect(await totals(rival)).toEqual(['rival-media', 2, 2, 0, { 'Lead Sale': 2 }]);
    });

    it('cannot request another supplier’s numbers', async () => {
      const { json } = await getAsSupplier(
        market.url,
        acme,
        `${STATS}?supplier=rival-media&supplierKey=rival-media&key=rival-media`,
      );
      expect([json.supplierKey, json.totals.submitted]).toEqual(['acme-media', 4]);
    });

    it('sees neither buyers nor prices', async () => {
      const { text } = await getAsSupplier(market.url, acme, STATS);
      for (const secret of ['summit', 'harbor', 'payout', ...PRICE, 'offer'])
        expect([secret, text.includes(secret)]).toEqual([secret, false]);
    });

    it('finds its own lead by either id, and for another supplier’s gets the response for an unknown one', async () => {
      const read = (key: string, id: string) => getAsSupplier(market.url, key, `/api/v1/supplier/leads/${id}`);
      const own = await read(acme, 'A-1');
      expect(own.json).toMatchObject({ externalId: 'A-1', status: 'Lead Sale' });
      expect((await read(acme, own.json.leadId)).text).toBe(own.text);
      const unknown = withoutId(await read(rival, 'lead_01m7xnp2vpe9rtj82p033hep4t'));
      for (const foreign of [await read(rival, own.json.leadId), await read(rival, 'A-1')]) {
        expect([foreign.status, withoutId(foreign)]).toEqual([404, unknown]);
      }
      for (const secret of ['summit', 'harbor', 'payout', ...PRICE, 'dlv_', 'LS-'])
        expect([secret, own.text.includes(secret)]).toEqual([secret, false]);
    });

    it('cannot detect an external_id of another supplier', async () => {
      const response = await postLead(
        market.url,
        rival,
        sampleLead(1, { state: 'NV', email: 'other@example.com', phone: '+15557777777' }),
      );
      expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([202, null]);
    });
  });
});
