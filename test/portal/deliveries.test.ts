// What the portal's overview and the page of a delivery are made of, beside the public routes under the session.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { typeId, uuidOf } from '../../src/base/ids.ts';
import { deliveryStatuses } from '../../src/deliveries/delivery-row.ts';
import { BOOKING, type ClaimMarket, NOW, startClaimMarket } from '../claims/claim-market.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { select } from '../support/books.ts';
import type { Json } from '../support/scope-app.ts';

const OVERVIEW = '/portal/api/buyer/overview';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket();
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

const get = async (partner: string, path: string): Promise<Json> =>
  (await (await home.market.signedIn.buyer(partner)).get(path)).json;

describe('The overview', () => {
  test('of a partner without deliveries is zeros, with the spans of its zone', async () => {
    const zeros = { deliveries: 0, confirmed: 0, pending: 0, failed: 0, returned: 0, revenue: 0, revenuePending: 0 };
    expect(await get('tight', OVERVIEW)).toEqual({
      timeZone: 'America/Los_Angeles',
      currency: 'USD',
      today: { from: '2026-11-20T08:00:00.000Z', until: '2026-11-21T08:00:00.000Z', ...zeros },
      month: { from: '2026-11-01T07:00:00.000Z', until: '2026-12-01T08:00:00.000Z', ...zeros },
    });
  });

  test('counts today and this month by the days of the partner’s zone, by present status', async () => {
    const edges = ['2026-11-01T07:00:00Z', '2026-11-20T08:00:00Z', '2026-11-01T00:00:00Z', '2026-11-20T00:00:00Z'];
    const times = edges.flatMap((edge) => [-1, 0, 1].map((ms) => new Date(Date.parse(edge) + ms)));
    const seeds = [...times, new Date('2026-11-20T17:59:00Z'), new Date('2026-11-21T07:59:59.999Z')].flatMap(
      (at, index) => {
        const status = deliveryStatuses[index % 4] ?? 'Pending';
        return [
          { at, status, payoutCents: 100 + index },
          { at, status: 'Confirmed' as const, payoutCents: 1, ...(index % 3 === 0 ? BOOKING : {}) },
        ];
      },
    );
    await plantDeliveries(home.market.database, 'summit', seeds);
    const { today, month } = await get('summit', OVERVIEW);
    for (const period of [today, month]) {
      const inside = seeds.filter(({ at }) => at >= new Date(period.from) && at < new Date(period.until));
      const of = (status: string) => inside.filter((seed) => seed.status === status);
      const cents = (status: string) => of(status).reduce((sum, { payoutCents }) => sum + payoutCents, 0);
      expect(period).toMatchObject({
        deliveries: inside.length,
        confirmed: of('Confirmed').length,
        pending: of('Pending').length,
        failed: of('Failed').length,
        returned: of('Returned').length,
        revenue: cents('Confirmed') / 100,
        revenuePending: cents('Pending') / 100,
      });
    }
    expect(today.deliveries).toBeGreaterThan(0);
    expect(month.deliveries).toBeGreaterThan(today.deliveries);
  });

  test('is the partner’s own', async () => {
    await home.plant('harbor', [{}]);
    expect((await get('tight', OVERVIEW)).month.deliveries).toBe(0);
    expect((await fetch(`${home.market.url}${OVERVIEW}`)).status).toBe(401);
  });
});

describe('A delivery’s page', () => {
  test('has the object of the list, the record of consent, where it came from, and whether it can be sent again', async () => {
    const fields = {
      fullName: '<img src=x onerror=alert(1)>',
      consentVersion: 'v7',
      consentText: 'I agree, Acme Media.',
      trustedformCertUrl: 'https://cert.example/1',
      utmMedium: 'cpc',
      utmCampaign: 'west',
      extra: { secret: 'extra' },
    };
    const [id = ''] = await home.plant('summit', [{ fields }]);
    const detail = await get('summit', `/portal/api/buyer/deliveries/${id}`);
    const list = await get('summit', `/portal/api/v1/buyer/leads?pageSize=100`);
    expect(list.data).toContainEqual(detail.delivery);
    expect(detail).toEqual({
      delivery: detail.delivery,
      isErased: false,
      consent: {
        given: true,
        at: '2026-11-20T17:03:11.000Z',
        version: 'v7',
        leadIp: '203.0.113.24',
        sourceUrl: 'https://forms.example.com/debt?utm_source=search',
      },
      campaign: { source: 'search', medium: 'cpc', campaign: 'west', term: null, content: null },
      redelivery: { allowed: false, code: 'webhook_not_configured' },
    });
    expect(JSON.stringify(detail)).not.toMatch(/acme|cert\.example|secret|score|west-offer/i);
  });

  test('of an erased person shows nothing of it', async () => {
    const [id = ''] = await home.plant('summit', [{ fields: { fullName: 'Gone Person' } }]);
    await select(
      home.market.database,
      `UPDATE lead SET fields = NULL, erased_at = $2 FROM delivery d WHERE d.lead_id = lead.lead_id AND d.delivery_id = $1`,
      [uuidOf('delivery', id), home.clock.now()],
    );
    const detail = await get('summit', `/portal/api/buyer/deliveries/${id}`);
    expect(detail).toMatchObject({
      isErased: true,
      delivery: { lead: { fullName: '[erased]', email: null, phone: null } },
      consent: { given: false, at: null, version: null, leadIp: null, sourceUrl: null },
      redelivery: { allowed: false, code: 'delivery_not_redeliverable' },
    });
  });

  test('is not there for another, or where there is no such delivery', async () => {
    const [id = ''] = await home.plant('summit', [{}]);
    const harbor = await home.market.signedIn.buyer('harbor');
    const unknown = typeId('delivery', '019f1d54-1a2b-7c3d-8e4f-5a6b7c8d9e0f');
    const answers = await Promise.all([id, unknown].map((one) => harbor.get(`/portal/api/buyer/deliveries/${one}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const [one, other] = answers.map(({ json }) => ({ ...json, requestId: '' }));
    expect(one).toEqual(other);
    for (const path of ['timeline', 'redeliver']) {
      const method = path === 'redeliver' ? 'POST' : 'GET';
      const answer = await harbor.send(method, `/portal/api/v1/buyer/leads/${id}/${path}`);
      expect([path, [403, 404].includes(answer.status)]).toEqual([path, true]);
    }
  });
});
