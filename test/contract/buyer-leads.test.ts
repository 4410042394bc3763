// Tests GET /api/v1/buyer/leads of the running service: from a posted lead to the partner's list (contract 6.1, 6.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, getAsBuyer, postLead, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { marketYaml, sampleLead } from './market.ts';

const PATH = '/api/v1/buyer/leads';
const DAY_MS = 86_400_000;

const LEAD_MEMBERS = [
  'fullName',
  'email',
  'phone',
  'state',
  'debtAmount',
  'tcpaConsent',
  'consentTimestamp',
  'leadIp',
  'utmSource',
  'sourceUrl',
];
const DELIVERY_MEMBERS = [
  'deliveryId',
  'deliveryRef',
  'eventType',
  'status',
  'payout',
  'deliveredAt',
  'returned',
  'lead',
  'confirmedAt',
  'claim',
  'returnable',
];

describe('A lead that was sold', () => {
  let market: TestMarketplace;
  let key: string;
  let token: string;
  let serial = 0;

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml() });
    key = await market.supplierKey('acme-media');
    token = await market.buyerToken('summit');
  });
  afterAll(() => market.close());

  const list = async (query = ''): Promise<Json> => (await getAsBuyer(market.url, token, `${PATH}${query}`)).json;

  /** Posts a lead and returns its delivery once that is confirmed. */
  async function sold(body: object): Promise<Json> {
    const before = (await list()).total;
    expect((await postLead(market.url, key, body)).status).toBe(202);
    return eventually('the lead is sold', async () => {
      const { total, data } = await list();
      return total > before && data[0].status === 'Confirmed' ? data[0] : null;
    });
  }

  it('is shown with exactly the members of the contract', async () => {
    const before = Date.now();
    const delivery = await sold(
      sampleLead((serial += 1), { tcpa_consent: true, lead_ip: '203.0.113.24', phone: '+1 (555) 200-0001' }),
    );
    expect(Object.keys(delivery)).toEqual(DELIVERY_MEMBERS);
    expect(Object.keys(delivery.lead)).toEqual(LEAD_MEMBERS);
    expect(delivery).toEqual({
      deliveryId: expect.stringMatching(/^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      deliveryRef: expect.stringMatching(/^LS-\d{6}$/),
      eventType: 'Lead Sale',
      status: 'Confirmed',
      payout: 45,
      deliveredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      returned: false,
      lead: {
        fullName: 'Jordan Rivera',
        email: 'jordan.rivera.1@example.com',
        phone: '+15552000001',
        state: 'CA',
        debtAmount: 24_500,
        tcpaConsent: true,
        consentTimestamp: '2026-11-20T17:03:11.000Z',
        leadIp: '203.0.113.24',
        utmSource: 'search',
        sourceUrl: 'https://forms.example.com/debt?utm_source=search',
      },
      confirmedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      claim: null,
      returnable: { until: expect.stringMatching(/:59\.000Z$/), reason: null },
    });
    const [at, confirmedAt] = [Date.parse(delivery.deliveredAt), Date.parse(delivery.confirmedAt)];
    expect(at >= before - 1 && at <= confirmedAt && confirmedAt <= Date.now()).toBe(true);
  });

  it('is returned by its id as in the list', async () => {
    const delivery = await sold(sampleLead((serial += 1)));
    const one = await getAsBuyer(market.url, token, `${PATH}/${delivery.deliveryId}`);
    expect([one.status, one.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(one.text).toBe(JSON.stringify(delivery));
  });

  it('is returned by its own id only', async () => {
    const { deliveryId, deliveryRef } = await sold(sampleLead((serial += 1)));
    const others = ['dlv_01m7wyk0h2emp81qch4dvtyn6a', deliveryRef, deliveryId.slice(4), `${deliveryId}x`, 'x%2F..'];
    for (const id of others) {
      const refused = await getAsBuyer(market.url, token, `${PATH}/${id}`);
      expect([id, problemFacts(refused)]).toEqual([id, problem(404, 'delivery_not_found')]);
    }
  });

  it('is shown with null for missing values', async () => {
    const delivery = await sold({ full_name: 'Jo', email: 'jo@example.com', state: 'ca' });
    expect(delivery.lead).toEqual({
      fullName: 'Jo',
      email: 'jo@example.com',
      phone: null,
      state: 'CA',
      debtAmount: null,
      tcpaConsent: false,
      consentTimestamp: null,
      leadIp: null,
      utmSource: null,
      sourceUrl: null,
    });
  });

  it.each([
    ['letters of any script', 'Zoë Nuñez 李 علي 😀'],
    ['marks that HTML or SQL would take', `<b>O'Neil</b> "x" \\ ; -- & %00`],
    ['control and direction marks', 'a\u0001\u001b[31m\u202eb\u200bc\u2028d'],
    ['a formula', '=HYPERLINK("https://x.example","y")'],
    ['500 characters beyond the first plane', '😀'.repeat(500)],
  ])('shows a name with %s as it was sent', async (_, name) => {
    const delivery = await sold(sampleLead((serial += 1), { full_name: name }));
    expect(delivery.lead.fullName).toBe(name);
  });

  it('has money as a number with at most two decimals', async () => {
    const { text } = await getAsBuyer(market.url, token, PATH);
    for (const [, amount = ''] of text.matchAll(/"(?:payout|debtAmount)":([^,}]+)/g)) {
      expect(amount).toMatch(/^(?:null|\d+(?:\.\d{1,2})?)$/);
    }
    const delivery = await sold(sampleLead((serial += 1), { debt_amount: '999999999.99' }));
    expect(delivery.lead.debtAmount).toBe(999_999_999.99);
  });

  it('appears once in listings beside concurrent sales', async () => {
    const bodies = Array.from({ length: 60 }, () => sampleLead((serial += 1)));
    const before = (await list()).total;
    const posting = Promise.all(bodies.map((body) => postLead(market.url, key, body)));
    const faults: string[] = [];
    await eventually('all are sold', async () => {
      const { total, totalPages, data } = await list('?pageSize=100');
      if (data.length !== Math.min(total, 100)) faults.push(`${data.length} of ${total}`);
      if (totalPages !== Math.ceil(total / 100)) faults.push(`${totalPages} pages of ${total}`);
      if (new Set(data.map(({ deliveryId }: Json) => deliveryId)).size !== data.length) faults.push('one twice');
      const order = data.map(({ deliveredAt, deliveryId }: Json) => `${deliveredAt} ${deliveryId}`);
      if (JSON.stringify(order) !== JSON.stringify(order.toSorted().toReversed())) faults.push('in another order');
      return total === before + 60;
    });
    await posting;
    expect(faults).toEqual([]);
  });

  it('does not appear if it is a test', async () => {
    const before = (await list()).total;
    await postLead(market.url, key, sampleLead((serial += 1), { test: true }));
    await sold(sampleLead((serial += 1)));
    expect((await list()).total).toBe(before + 1);
  });
});

describe('The list of leads', () => {
  let market: TestMarketplace;
  let token: string;
  /** Ids, newest first. */
  let ids: string[];

  beforeAll(async () => {
    market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
    token = await market.buyerToken('summit');
    // Two a day over 20 days, at the first and last millisecond, and five at one instant; every fourth in another status.
    const statuses = ['Confirmed', 'Pending', 'Failed', 'Returned'] as const;
    const first = Date.UTC(2026, 9, 1);
    const seeds = Array.from({ length: 40 }, (_, at) => ({
      at: new Date(first + Math.floor(at / 2) * DAY_MS + (at % 2) * (DAY_MS - 1)),
      status: statuses[at % 4] ?? 'Confirmed',
    }));
    const same = Array.from({ length: 5 }, () => ({ at: new Date('2026-10-25T12:00:00.000Z') }));
    const booking = {
      at: new Date('2026-10-26T12:00:00.000Z'),
      eventType: 'Calendar Assigned',
      payoutCents: 12_000,
      appointmentAt: new Date('2026-10-28T17:30:00.000Z'),
    } as const;
    await plantDeliveries(market.database, 'summit', [...seeds, ...same, booking]);
    await plantDeliveries(market.database, 'harbor', [{ at: new Date('2026-10-05T12:00:00.000Z') }]);
    const { json } = await getAsBuyer(market.url, token, `${PATH}?pageSize=100`);
    ids = json.data.map(({ deliveryId }: Json) => deliveryId);
  });
  afterAll(() => market.close());

  const get = (query: string): Promise<ApiResponse> => getAsBuyer(market.url, token, `${PATH}${query}`);

  it('has exactly the members of the contract, and page 1 of 25 by default', async () => {
    const { status, json } = await get('');
    expect([status, Object.keys(json)]).toEqual([200, ['page', 'pageSize', 'total', 'totalPages', 'data']]);
    expect([json.page, json.pageSize, json.total, json.totalPages, json.data.length]).toEqual([1, 25, 46, 2, 25]);
  });

  it('shows no personal data of a failed delivery', async () => {
    const { json, text } = await get('?status=failed&pageSize=100');
    expect(json.total).toBe(10);
    for (const { lead } of json.data) {
      expect(lead).toEqual({
        fullName: '[not delivered]',
        ...{ email: null, phone: null, state: null, debtAmount: null, tcpaConsent: null, consentTimestamp: null },
        ...{ leadIp: null, utmSource: null, sourceUrl: null },
      });
    }
    expect(text).not.toMatch(/jordan|15555550123|203\.0\.113/i);
  });

  it('is sorted by deliveredAt, then by id, newest first', async () => {
    const { json } = await get('?pageSize=100');
    const order = json.data.map(({ deliveredAt, deliveryId }: Json) => `${deliveredAt} ${deliveryId}`);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(new Set(ids).size).toBe(46);
  });

  it('shows an appointment on bookings only', async () => {
    const { json } = await get('?pageSize=100');
    const bookings = json.data.filter((delivery: Json) => Object.hasOwn(delivery, 'appointmentAt'));
    expect(bookings).toHaveLength(1);
    expect(bookings[0]).toMatchObject({
      deliveryRef: expect.stringMatching(/^CA-\d{6}$/),
      eventType: 'Calendar Assigned',
      payout: 120,
      appointmentAt: '2026-10-28T17:30:00.000Z',
    });
    expect(Object.keys(bookings[0]).toSorted()).toEqual([...DELIVERY_MEMBERS, 'appointmentAt'].toSorted());
  });

  it('sets returned exactly if the status is Returned', async () => {
    const { json } = await get('?pageSize=100');
    for (const { status, returned } of json.data) expect(returned).toBe(status === 'Returned');
  });

  it.each([1, 2, 5, 7, 25, 45, 46, 47, 100])(
    'in pages of %i is the same list, followed by its own links',
    async (pageSize) => {
      const seen: string[] = [];
      let next: string | undefined = `${PATH}?pageSize=${pageSize}`;
      let pages = 0;
      while (next !== undefined) {
        const response = await getAsBuyer(market.url, token, next);
        pages += 1;
        expect(response.json).toMatchObject({ page: pages, pageSize, total: 46, totalPages: Math.ceil(46 / pageSize) });
        seen.push(...response.json.data.map(({ deliveryId }: Json) => deliveryId));
        next = linksOf(response)['next'];
      }
      expect(pages).toBe(Math.ceil(46 / pageSize));
      expect(seen).toEqual(ids);
    },
  );

  it('links to its first, previous, next and last page, and keeps the other parameters', async () => {
    const query = 'status=confirmed&pageSize=4&campaign=%C3%BC%20%26';
    const links = linksOf(await get(`?${query}&page=2`));
    const pageOf = (url: string | undefined) => new URL(url ?? '', market.url).searchParams.get('page');
    expect(Object.entries(links).map(([rel, url]) => [rel, pageOf(url)])).toEqual([
      ['first', '1'],
      ['prev', '1'],
      ['next', '3'],
      ['last', '4'],
    ]);
    for (const url of Object.values(links)) {
      const { pathname, searchParams } = new URL(url, market.url);
      expect([
        pathname,
        searchParams.get('status'),
        searchParams.get('pageSize'),
        searchParams.get('campaign'),
      ]).toEqual([PATH, 'confirmed', '4', 'ü &']);
    }
    expect(Object.keys(linksOf(await get('?page=1')))).toEqual(['first', 'next', 'last']);
    expect(Object.keys(linksOf(await get('?page=2')))).toEqual(['first', 'prev', 'last']);
    expect(Object.keys(linksOf(await get('?pageSize=100')))).toEqual(['first', 'last']);
  });

  it('past its end is empty, and leads back', async () => {
    for (const page of [3, 100, 999_999_999_999_999]) {
      const response = await get(`?page=${page}`);
      expect([response.status, response.json]).toEqual([
        200,
        { page, pageSize: 25, total: 46, totalPages: 2, data: [] },
      ]);
      expect(linksOf(response)['next']).toBeUndefined();
      expect(linksOf(response)['prev']).toContain('page=2');
    }
  });

  it('without a match has no pages', async () => {
    const { json } = await get('?from=2030-01-01');
    expect(json).toEqual({ page: 1, pageSize: 25, total: 0, totalPages: 0, data: [] });
  });

  it.each([
    ['status=Confirmed', 16],
    ['status=confirmed', 16],
    ['status=CONFIRMED', 16],
    ['status=pENDING', 10],
    ['status=failed', 10],
    ['status=Returned', 10],
    ['from=2026-10-01&to=2026-10-01', 2],
    ['from=2026-10-02&to=2026-10-03', 4],
    ['to=2026-10-01', 2],
    ['to=2026-09-30', 0],
    ['from=2026-10-20', 8],
    ['from=2026-10-27', 0],
    ['from=2026-10-25&to=2026-10-25', 5],
    ['from=2026-10-01&to=2026-10-04&status=returned', 2],
    ['from=0001-01-01&to=9999-12-31', 46],
    ['unknown=1&unknown=2&x=&Status=Failed&page[]=7', 46],
  ])('with %s has %i', async (query, total) => {
    const { status, json } = await get(`?${query}&pageSize=100`);
    expect([status, json.total, json.data.length]).toEqual([200, total, total]);
  });

  it.each<readonly [string, ReadonlyArray<readonly [field: string, code: string]>]>([
    ['page=0', [['page', 'out_of_range']]],
    ['page=-1', [['page', 'out_of_range']]],
    ['page=1.5', [['page', 'wrong_type']]],
    ['page=01', [['page', 'wrong_type']]],
    ['page=1%00', [['page', 'wrong_type']]],
    ['page=', [['page', 'empty']]],
    ['page', [['page', 'empty']]],
    ['page=1&page=1', [['page', 'repeated']]],
    ['pageSize=0', [['pageSize', 'out_of_range']]],
    ['pageSize=101', [['pageSize', 'out_of_range']]],
    ['pageSize=ten', [['pageSize', 'wrong_type']]],
    ['pageSize=', [['pageSize', 'empty']]],
    ['pageSize=10&pageSize=20', [['pageSize', 'repeated']]],
    ['status=', [['status', 'empty']]],
    ['status=Sold', [['status', 'not_allowed_value']]],
    ['status=confirmed%20', [['status', 'not_allowed_value']]],
    ['status=Confirmed,Failed', [['status', 'not_allowed_value']]],
    ['status=Failed&status=Failed', [['status', 'repeated']]],
    ['from=', [['from', 'empty']]],
    ['from=2026-02-30', [['from', 'invalid_format']]],
    ['from=2026-10-1', [['from', 'invalid_format']]],
    ['from=10/01/2026', [['from', 'invalid_format']]],
    ['from=2026-10-01T00:00:00Z', [['from', 'invalid_format']]],
    ['to=yesterday', [['to', 'invalid_format']]],
    ['to=2026-10-01&to=2026-10-02', [['to', 'repeated']]],
    ['from=2026-10-02&to=2026-10-01', [['from', 'out_of_range']]],
    [
      'status=Sold&page=0&from=2026-10-02&to=2026-10-01',
      [
        ['page', 'out_of_range'],
        ['status', 'not_allowed_value'],
        ['from', 'out_of_range'],
      ],
    ],
    [
      'status=Sold&from=0000-01-01&to=yesterday&pageSize=10&pageSize=20',
      [
        ['pageSize', 'repeated'],
        ['to', 'invalid_format'],
        ['status', 'not_allowed_value'],
        ['from', 'invalid_format'],
      ],
    ],
    [
      'page=0&pageSize=0&status=',
      [
        ['page', 'out_of_range'],
        ['pageSize', 'out_of_range'],
        ['status', 'empty'],
      ],
    ],
  ])('rejects %s', async (query, faults) => {
    const response = await get(`?${query}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    const shown = response.json.errors.map(({ field, code }: Json) => `${field} ${code}`);
    expect(new Set(shown)).toEqual(new Set(faults.map((fault) => fault.join(' '))));
    for (const { message } of response.json.errors) expect(typeof message).toBe('string');
  });
});

/** The URLs of a Link header by their relation. */
function linksOf({ headers }: ApiResponse): Record<string, string> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([a-z]+)"/g)];
  return Object.fromEntries(links.map(([, url = '', rel = '']) => [rel, url]));
}
