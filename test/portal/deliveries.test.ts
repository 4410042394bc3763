// The portal's overview and delivery pages, as far as they go beyond the public routes.
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type DeliveryId, typeId, uuidOf } from '../../src/base/ids.ts';
import { deliveryStatuses } from '../../src/deliveries/delivery.ts';
import { BOOKING, type ClaimMarket, NOW, startClaimMarket } from '../claims/claim-market.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { select } from '../support/ledger-faults.ts';
import type { Json } from '../support/scope-app.ts';

const OVERVIEW = '/portal/api/buyer/overview';

let home: ClaimMarket;

beforeAll(async () => {
  home = await startClaimMarket();
});
afterAll(() => home.close());
afterEach(() => home.clock.set(NOW));

const get = async (partner: string, path: string, headers?: Readonly<Record<string, string>>): Promise<Json> =>
  (await (await home.market.signedIn.buyer(partner)).get(path, headers)).json;

describe('the portal’s overview', () => {
  it('has zeros and the periods of the partner’s zone without deliveries', async () => {
    const zeros = { deliveries: 0, confirmed: 0, pending: 0, failed: 0, returned: 0, revenue: 0, revenuePending: 0 };
    expect(await get('tight', OVERVIEW)).toEqual({
      timeZone: 'America/Los_Angeles',
      currency: 'USD',
      today: { from: '2026-11-20T08:00:00.000Z', until: '2026-11-21T08:00:00.000Z', ...zeros },
      month: { from: '2026-11-01T07:00:00.000Z', until: '2026-12-01T08:00:00.000Z', ...zeros },
      days: Array.from({ length: 15 }, (_, index) => ({
        date: `2026-11-${String(6 + index).padStart(2, '0')}`,
        ...{ deliveries: 0, revenue: 0 },
      })),
    });
  });

  it('counts today and this month in the partner’s zone, by current status', async () => {
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

  it('has charts by days and months of the partner’s zone that agree with the list', async () => {
    const times = Array.from(
      { length: 60 },
      (_, index) => new Date(Date.parse('2026-10-29T01:30:00Z') + index * 9 * 3_600_000),
    );
    await home.plant(
      'tight',
      times.map((at, index) => ({ at, status: deliveryStatuses[index % 4] ?? 'Pending' })),
    );
    const dayOf = (at: Date): string => at.toLocaleDateString('en-CA', { timeZone: 'America/Los_Angeles' });
    for (const [period, length, count] of [
      ['7d', 10, 7],
      ['30d', 10, 30],
      ['90d', 10, 90],
      ['12m', 7, 12],
    ] as const) {
      const stats = await get('tight', `/portal/api/buyer/stats?period=${period}`);
      const nameOf = (date: string): string => date.slice(0, length);
      const shown = (stats.byDay as Json[]).map(({ date, deliveries }) => [nameOf(date as string), deliveries]);
      expect([stats.timeZone, stats.unit, shown.length]).toEqual([
        'America/Los_Angeles',
        period === '12m' ? 'month' : 'day',
        count,
      ]);
      const inside = times.map(dayOf).map(nameOf);
      expect(shown).toEqual(shown.map(([name]) => [name, inside.filter((one) => one === name).length]));
      expect(stats.totals.deliveries).toBe(shown.reduce((sum, [, deliveries]) => sum + (deliveries as number), 0));
    }
    const year = await get('tight', '/portal/api/buyer/stats?period=12m');
    expect(year.totals).toEqual({ deliveries: 60, confirmed: 15, pending: 15, failed: 15, returned: 15 });
    expect((await get('tight', '/portal/api/buyer/stats?period=30d')).byDay.at(-1).date).toBe('2026-11-20');
  });

  it('contains only the partner’s own deliveries', async () => {
    await home.plant('harbor', [{}]);
    expect((await get('none', OVERVIEW)).month.deliveries).toBe(0);
    expect((await fetch(`${home.market.url}${OVERVIEW}`)).status).toBe(401);
  });
});

describe('the delivery list and its CSV export', () => {
  const LIST = '/portal/api/buyer/deliveries';
  type Filter = Readonly<Record<string, string>>;

  const listed = async (partner: string, { search, ...filter }: Filter): Promise<string[]> => {
    const { data, total } = await get(
      partner,
      `${LIST}?${new URLSearchParams({ ...filter, pageSize: '100' }).toString()}`,
      search === undefined ? {} : { 'x-search': search },
    );
    expect(total).toBe(data.length);
    return data.map(({ deliveryId }: Json) => deliveryId as string);
  };
  const rowsOf = async (partner: string, { search, ...filter }: Filter, path: string): Promise<Json> =>
    get(
      partner,
      `${path}?${new URLSearchParams(filter).toString()}`,
      search === undefined ? {} : { 'x-search': search },
    );
  const sumsOf = (partner: string, filter: Filter): Promise<Json> => rowsOf(partner, filter, `${LIST}/sums`);
  const sumsOfRows = async (partner: string, filter: Filter): Promise<Json> => {
    const rows = (await rowsOf(partner, { ...filter, pageSize: '100' }, LIST)).data as Json[];
    const confirmed = rows.filter(({ status }) => status === 'Confirmed');
    const amount = confirmed.reduce((sum, { payout }) => sum + payout, 0);
    return { rows: rows.length, isAll: true, counts: {}, amounts: { spent: amount }, currency: 'USD' };
  };
  const exported = async (partner: string, filter: Filter) => {
    const response = await (await home.market.signedIn.buyer(partner)).send('POST', `${LIST}/export`, filter);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const rows = parse(response.text, { columns: true }) as Array<Record<string, string>>;
    return {
      ids: rows.map(({ deliveryId }) => deliveryId),
      name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1],
    };
  };

  it('use days of the partner’s zone, also when daylight saving time changes', async () => {
    // Midnights in Los Angeles; the clocks go back on November 1.
    const midnights = ['2026-10-31T07:00:00Z', '2026-11-01T07:00:00Z', '2026-11-02T08:00:00Z', '2026-11-03T08:00:00Z'];
    const times = midnights.flatMap((midnight) => [-1, 0].map((ms) => new Date(Date.parse(midnight) + ms)));
    const planted = await home.plant(
      'share',
      times.map((at) => ({ at })),
    );
    const between = (first: number, end: number): string[] => planted.slice(first, end).toReversed();
    const days: ReadonlyArray<readonly [Filter, string[]]> = [
      [{ from: '2026-10-31', to: '2026-10-31' }, between(1, 3)],
      [{ from: '2026-11-01', to: '2026-11-01' }, between(3, 5)],
      [{ from: '2026-11-01', to: '2026-11-02' }, between(3, 7)],
      [{ from: '2026-11-03' }, between(7, 8)],
      [{ to: '2026-10-30' }, between(0, 1)],
      [{ from: '2026-11-04' }, []],
    ];
    for (const [filter, wanted] of days) {
      expect([filter, await listed('share', filter)]).toEqual([filter, wanted]);
      expect([filter, (await exported('share', filter)).ids]).toEqual([filter, wanted]);
    }
    // The public API counts in UTC.
    const utc = await get('share', '/portal/api/v1/buyer/leads?from=2026-11-01&to=2026-11-01');
    expect(utc.data.map(({ deliveryId }: Json) => deliveryId)).toEqual(between(2, 4));
  });

  it('have the same rows under every filter and search, named in the file name', async () => {
    const names = ['Quinn Ash', 'Quinn Birch', 'Rowan Ash', 'Rowan Birch'];
    const seeds = names.flatMap((fullName, index) =>
      deliveryStatuses.map((status, hour) => ({
        at: new Date(Date.parse('2026-11-10T02:00:00Z') + (index * 9 + hour) * 3_600_000),
        status,
        fields: { fullName },
        ...(index % 2 === 0 ? BOOKING : {}),
      })),
    );
    await home.plant('none', seeds);
    // A search by name does not find failed deliveries.
    const filters: ReadonlyArray<readonly [Filter, string]> = [
      [{}, 'deliveries_until_2026-11-20_16-rows.csv'],
      [{ search: 'quinn' }, 'deliveries_until_2026-11-20_search_6-rows.csv'],
      [
        { search: 'ash', eventType: 'Calendar Assigned' },
        'deliveries_until_2026-11-20_calendar-assigned_search_6-rows.csv',
      ],
      [{ eventType: 'Lead Sale' }, 'deliveries_until_2026-11-20_lead-sale_8-rows.csv'],
      [{ eventType: 'Lead Sale', status: 'Failed' }, 'deliveries_until_2026-11-20_failed_lead-sale_2-rows.csv'],
      [
        { search: 'birch', status: 'Returned', from: '2026-11-10' },
        'deliveries_2026-11-10_2026-11-20_returned_search_2-rows.csv',
      ],
      [{ search: '12' }, 'deliveries_until_2026-11-20_search_0-rows.csv'],
      [{ search: 'nobody' }, 'deliveries_until_2026-11-20_search_0-rows.csv'],
    ];
    for (const [filter, name] of filters) {
      const file = await exported('none', filter);
      expect([filter, file.ids]).toEqual([filter, await listed('none', filter)]);
      expect([filter, file.name]).toEqual([filter, name]);
      expect([filter, await sumsOf('none', filter)]).toEqual([filter, await sumsOfRows('none', filter)]);
    }
    expect(await sumsOf('harbor', { search: 'quinn' })).toMatchObject({ rows: 0, amounts: { spent: 0 } });
    expect((await exported('harbor', { search: 'quinn' })).ids).toEqual([]);
  });

  it('filter by source, US state, offer and claim alike, and together with each other, a status and a search', async () => {
    const at = (index: number): Date => new Date(Date.parse('2026-11-18T02:00:00Z') + index * 60_000);
    const facts = [
      ['web "a"', 'CA', 'west'],
      ['web "a"', 'TX', 'west'],
      ['web', 'CA', 'east'],
      [null, null, 'east'],
      ['web', 'TX', 'west'],
      ['web', 'NY', 'west'],
    ] as const;
    const seeds = facts.map(([source, state, offerKey], index) => ({
      at: at(index),
      offerKey,
      fields: { fullName: `Filter Case${index}`, source, state, extra: { source: 'web', state: 'WY' } },
    }));
    const ids = await home.plant('harbor', [
      ...seeds,
      { at: at(6), status: 'Failed', offerKey: 'west', fields: { source: 'web', state: 'CA' } },
    ]);
    await home.plant('summit', [{ at: at(0), offerKey: 'west', fields: { source: 'web', state: 'CA' } }]);
    const claimOf = async (index: number): Promise<string> => {
      const body = { deliveryId: ids[index], reason: 'invalid_phone' };
      const { status, json } = await home.file('harbor', 'return', body);
      expect([status, json]).toEqual([201, json]);
      return json.returnId as string;
    };
    await claimOf(0);
    await home.review(await claimOf(1), 'approve');
    await home.review(await claimOf(2), 'deny', 'The number answers.');
    const of = (...indexes: number[]): Array<string | undefined> => indexes.map((index) => ids[index]);
    const filters: ReadonlyArray<readonly [Filter, Array<string | undefined>]> = [
      [{ source: 'web' }, of(5, 4, 2)],
      [{ source: 'web "a"' }, of(1, 0)],
      [{ source: 'we' }, []],
      [{ source: String.raw`web\u0000"%_` }, []],
      // The state and source of a failed delivery are hidden from its partner; its offer is not.
      [{ state: 'ca' }, of(2, 0)],
      [{ state: 'CA', status: 'Failed' }, []],
      [{ state: 'WY' }, []],
      [{ offer: 'west' }, of(6, 5, 4, 1, 0)],
      [{ offer: 'nobodys' }, []],
      [{ claim: 'open' }, of(0)],
      [{ claim: 'approved' }, of(1)],
      [{ claim: 'denied' }, of(2)],
      [{ claim: 'withdrawn' }, []],
      [{ claim: 'none' }, of(6, 5, 4, 3)],
      [{ claim: 'none', status: 'Confirmed' }, of(5, 4, 3)],
      [{ claim: 'open', state: 'TX' }, []],
      [{ claim: 'approved', status: 'Returned', offer: 'west', state: 'TX', source: 'web "a"' }, of(1)],
      [{ claim: 'denied', from: '2026-11-18', to: '2026-11-18' }, []],
      [{ search: 'filter', state: 'TX' }, of(4, 1)],
      [{ search: 'filter', offer: 'east', claim: 'denied' }, of(2)],
      [{ search: ids[0] ?? '', offer: 'east' }, []],
    ];
    for (const [one, wanted] of filters) {
      const filter = { from: '2026-11-17', to: '2026-11-17', ...one };
      expect([filter, await listed('harbor', filter)]).toEqual([filter, wanted]);
      const oldestFirst = await listed('harbor', { ...filter, sort: 'deliveredAt' });
      expect([filter, oldestFirst]).toEqual([filter, wanted.toReversed()]);
      expect([filter, (await exported('harbor', filter)).ids]).toEqual([filter, wanted]);
      expect([filter, await sumsOf('harbor', filter)]).toEqual([filter, await sumsOfRows('harbor', filter)]);
    }
    const { name } = await exported('harbor', { offer: 'west', claim: 'none', state: 'CA', source: 'web/../"' });
    expect(name).toBe('deliveries_until_2026-11-20_source_ca_west_claim-none_0-rows.csv');
    const harbor = await home.market.signedIn.buyer('harbor');
    const table = await harbor.get('/portal/api/buyer/exports/deliveries?query=state%3DTX&columns=name');
    expect([table.status, table.text]).toEqual([200, expect.stringContaining('Filter Case4')]);
    expect(table.text).not.toContain('Filter Case5');
  });

  it('refuse filters that are none', async () => {
    const summit = await home.market.signedIn.buyer('summit');
    const garbage = { source: ['', 'x'.repeat(201)], state: ['C', 'CAL', '1A', ''], offer: ['', "west' --", 'a\0'] };
    for (const [field, values] of Object.entries({ ...garbage, claim: ['', 'Open', 'submitted'] })) {
      for (const value of values) {
        const query = new URLSearchParams({ [field]: value }).toString();
        for (const path of [LIST, `${LIST}/sums`]) {
          const { status, json } = await summit.get(`${path}?${query}`);
          expect([path, query, status, json.errors?.[0]?.field]).toEqual([path, query, 400, field]);
        }
        expect((await summit.send('POST', `${LIST}/export`, { [field]: value })).status).toBeGreaterThanOrEqual(400);
      }
    }
    expect((await summit.send('POST', `${LIST}/export`, { claim: { $ne: 1 } })).status).toBeGreaterThanOrEqual(400);
  });

  it('refuses days that are none, and members that it does not have', async () => {
    const summit = await home.market.signedIn.buyer('summit');
    const post = async (body: object) => (await summit.send('POST', `${LIST}/export`, body)).status;
    expect(await post({ from: '2026-11-31' })).toBeGreaterThanOrEqual(400);
    expect(await post({ from: '2026-11-20', to: '2026-11-19' })).toBe(400);
    expect(await post({ partner: 'harbor' })).toBeGreaterThanOrEqual(400);
    expect((await fetch(`${home.market.url}${LIST}/export`, { method: 'POST' })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('the page of a delivery', () => {
  it('has the public object, consent, origin, and whether it can be sent again', async () => {
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
      vertical: null,
      ownFields: [],
      consent: {
        given: true,
        at: '2026-11-20T17:03:11.000Z',
        version: 'v7',
        leadIp: '203.0.113.24',
        sourceUrl: 'https://forms.example.com/debt?utm_source=search',
      },
      campaign: { source: 'search', medium: 'cpc', campaign: 'west', term: null, content: null },
      // Planted without a history of the offer.
      purchase: { offerKey: 'west', offerName: null, sale: null, score: 70, filters: [] },
      redelivery: { allowed: false, code: 'webhook_not_configured' },
    });
    expect(JSON.stringify(detail)).not.toMatch(/acme|cert\.example|secret/i);
    // Only what the partner got it for names the offer and the score.
    expect(JSON.stringify({ ...detail, purchase: null })).not.toMatch(/score|west-offer/i);
  });

  it('contains no personal data of an erased person', async () => {
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
      // Unknown, which differs from not given.
      consent: { given: null, at: null, version: null, leadIp: null, sourceUrl: null },
      redelivery: { allowed: false, code: 'delivery_not_redeliverable' },
    });
    const facts = { tcpaConsent: true, consentTimestamp: '2026-11-20T17:03:11.000Z', consentVersion: 'v7' };
    await select(home.market.database, `UPDATE delivery SET erased_consent = $2 WHERE delivery_id = $1`, [
      uuidOf('delivery', id),
      JSON.stringify(facts),
    ]);
    expect(await get('summit', `/portal/api/buyer/deliveries/${id}`)).toMatchObject({
      isErased: true,
      delivery: { lead: { fullName: '[erased]', tcpaConsent: true, consentTimestamp: facts.consentTimestamp } },
      consent: { given: true, at: facts.consentTimestamp, version: 'v7', leadIp: null, sourceUrl: null },
    });
  });

  it('responds 404 to other partners and for unknown ids', async () => {
    const [id = ''] = await home.plant('summit', [{}]);
    const harbor = await home.market.signedIn.buyer('harbor');
    const unknown = typeId('delivery', '019f1d54-1a2b-7c3d-8e4f-5a6b7c8d9e0f' as DeliveryId);
    const responses = await Promise.all([id, unknown].map((one) => harbor.get(`/portal/api/buyer/deliveries/${one}`)));
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    const [one, other] = responses.map(({ json }) => ({ ...json, requestId: '' }));
    expect(one).toEqual(other);
    for (const path of ['timeline', 'redeliver']) {
      const method = path === 'redeliver' ? 'POST' : 'GET';
      const response = await harbor.send(method, `/portal/api/v1/buyer/leads/${id}/${path}`);
      expect([path, [403, 404].includes(response.status)]).toEqual([path, true]);
    }
  });
});
