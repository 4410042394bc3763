// Tests the list of deliveries over HTTP: pages, filters and the OpenAPI document, through its route alone (contract 6.2).
import { Errors } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { typeId } from '../../src/base/ids.ts';
import { usualReturnPolicy } from '../support/offers.ts';
import { readClaimStatuses } from '../../src/claims/read-claim-statuses.ts';
import { registerBuyerLeads } from '../../src/deliveries/buyer-leads.route.ts';
import { DeliverySchema } from '../../src/deliveries/delivery.schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Json, openScopeApp, type ScopeApp } from '../support/scope-app.ts';
import { plantDeliveries, type Planted } from '../deliveries/plant-deliveries.ts';

const now = new Date('2026-11-20T18:00:00.000Z');
const PATH = '/api/v1/buyer/leads';

let home: TestDatabase;
let app: ScopeApp;
/** Oldest first: two a day from 1 to 15 November, the second with the odd status. */
let planted: Planted[];

beforeAll(async () => {
  home = await createTestDatabase();
  app = await openScopeApp({
    name: 'buyer',
    now,
    routes: (scope) =>
      registerBuyerLeads(scope, {
        database: home.database,
        clock: { now: () => now },
        buyerOf: (buyerKey) => ({ buyerKey, returnPolicy: usualReturnPolicy, timeZone: 'America/Los_Angeles' }),
        claimStatusesOf: readClaimStatuses,
      }),
  });
  const odd = ['Pending', 'Failed', 'Returned'] as const;
  planted = await plantDeliveries(
    home.database,
    'summit',
    Array.from({ length: 15 }, (_, index) => index).flatMap((index) => [
      { at: new Date(Date.UTC(2026, 10, 1 + index, 0, 0, 0, 0)) },
      { at: new Date(Date.UTC(2026, 10, 1 + index, 23, 59, 59, 999)), status: odd[index % 3] ?? 'Pending' },
    ]),
  );
  await plantDeliveries(home.database, 'rival', [{ at: new Date('2026-11-10T00:00:00Z') }]);
});
afterAll(async () => {
  await app.close();
  await home.drop();
});

const get = (query: string) => app.get('summit', `${PATH}${query}`);
const idsOf = (data: ReadonlyArray<{ deliveryId: string }>) => data.map((delivery) => delivery.deliveryId);
const newestFirst = () => planted.map(({ deliveryId }) => typeId('delivery', deliveryId)).toReversed();

describe('GET buyer/leads', () => {
  it('responds with the first 25 of all deliveries', async () => {
    const { status, headers, json } = await get('');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(Object.keys(json)).toEqual(['page', 'pageSize', 'total', 'totalPages', 'data']);
    expect({ ...json, data: idsOf(json.data) }).toEqual({
      page: 1,
      pageSize: 25,
      total: 30,
      totalPages: 2,
      data: newestFirst().slice(0, 25),
    });
    expect(headers['link']).toBe(
      `<${PATH}?page=1>; rel="first", <${PATH}?page=2>; rel="next", <${PATH}?page=2>; rel="last"`,
    );
  });

  it('shows every delivery as the schema describes', async () => {
    const { json } = await get('?pageSize=100');
    expect(json.data).toHaveLength(30);
    expect(json.data.flatMap((delivery: unknown) => [...Errors(DeliverySchema, delivery)])).toEqual([]);
    expect(json.data[29]).toEqual({
      deliveryId: newestFirst().at(-1),
      deliveryRef: expect.stringMatching(/^LS-\d{6}$/),
      eventType: 'Lead Sale',
      status: 'Confirmed',
      payout: 45,
      deliveredAt: '2026-11-01T00:00:00.000Z',
      returned: false,
      lead: {
        fullName: 'Jordan Rivera',
        email: 'jordan.rivera@example.com',
        phone: '+15555550123',
        state: 'CA',
        debtAmount: 24_500,
        tcpaConsent: true,
        consentTimestamp: '2026-11-20T17:03:11.000Z',
        leadIp: '203.0.113.24',
        utmSource: 'search',
        sourceUrl: 'https://forms.example.com/debt?utm_source=search',
      },
      confirmedAt: '2026-11-01T00:00:00.000Z',
      claim: null,
      // In Los Angeles it was still Saturday, 31 October.
      returnable: { until: '2026-11-07T07:59:59.000Z', reason: 'return_window_closed' },
    });
  });

  it('links from page to page and keeps the query', async () => {
    const seen: string[] = [];
    let url: string | undefined = `${PATH}?pageSize=7&from=2026-11-02&to=2026-11-13`;
    while (url !== undefined) {
      const { headers, json } = await app.get('summit', url);
      expect(json.total).toBe(24);
      seen.push(...idsOf(json.data));
      url = /<([^>]*)>; rel="next"/.exec(String(headers['link']))?.[1];
    }
    expect(seen).toEqual(newestFirst().slice(4, 28));
  });

  it('responds to a page past the end with no data and links back', async () => {
    const { status, headers, json } = await get('?page=4&pageSize=20');
    expect([status, json]).toEqual([200, { page: 4, pageSize: 20, total: 30, totalPages: 2, data: [] }]);
    expect(headers['link']).toContain('page=2&pageSize=20>; rel="prev"');
    expect(headers['link']).not.toContain('rel="next"');
    expect((await get('?page=999999999999999')).json.data).toEqual([]);
  });

  it('responds with 0 pages to a partner without deliveries', async () => {
    const { json } = await app.get('nobody-yet', PATH);
    expect(json).toEqual({ page: 1, pageSize: 25, total: 0, totalPages: 0, data: [] });
  });

  it('shows a partner only its own deliveries', async () => {
    const { json } = await app.get('rival', `${PATH}?pageSize=100`);
    expect(json.total).toBe(1);
    expect(newestFirst()).not.toContain(json.data[0].deliveryId);
  });

  it.each([
    ['status=Confirmed', 15],
    ['status=confirmed', 15],
    ['status=PENDING', 5],
    ['status=fAiLeD', 5],
    ['status=returned', 5],
    ['from=2026-11-15', 2],
    ['to=2026-11-01', 2],
    ['from=2026-11-10&to=2026-11-10', 2],
    ['from=2026-11-16', 0],
    ['to=2026-10-31', 0],
    ['from=0001-01-01&to=9999-12-31', 30],
    ['status=pending&from=2026-11-01&to=2026-11-07', 3],
    ['unknown=parameter', 30],
  ])('finds with %s %i deliveries', async (query, total) => {
    const { status, json } = await get(`?${query}&pageSize=100`);
    expect([status, json.total, json.data.length]).toEqual([200, total, total]);
  });

  it.each([
    ['page=0', [['page', 'out_of_range']]],
    ['page=-1', [['page', 'out_of_range']]],
    ['page=1.5', [['page', 'wrong_type']]],
    ['page=1e3', [['page', 'wrong_type']]],
    ['page=two', [['page', 'wrong_type']]],
    ['page=1&page=2', [['page', 'repeated']]],
    ['page=', [['page', 'empty']]],
    ['pageSize=0', [['pageSize', 'out_of_range']]],
    ['pageSize=101', [['pageSize', 'out_of_range']]],
    [
      'page=0&pageSize=101',
      [
        ['page', 'out_of_range'],
        ['pageSize', 'out_of_range'],
      ],
    ],
    ['status=Confirmedx', [['status', 'not_allowed_value']]],
    ['status=', [['status', 'empty']]],
    ['status=Confirmed&status=Failed', [['status', 'repeated']]],
    ['from=2026-11-31', [['from', 'invalid_format']]],
    ['from=2026-1-1', [['from', 'invalid_format']]],
    ['from=20261101', [['from', 'invalid_format']]],
    ['from=0000-01-01', [['from', 'invalid_format']]],
    ['from=2026-11-01T00:00:00Z', [['from', 'invalid_format']]],
    ['to=today', [['to', 'invalid_format']]],
    ['to=', [['to', 'empty']]],
    ['from=2026-11-02&to=2026-11-01', [['from', 'out_of_range']]],
    [
      'from=2026-11-02&to=2026-11-01&status=sold',
      [
        ['status', 'not_allowed_value'],
        ['from', 'out_of_range'],
      ],
    ],
  ])('rejects %s', async (query, faults) => {
    const { status, headers, json } = await get(`?${query}`);
    expect([status, headers['content-type'], json.code]).toEqual([400, 'application/problem+json', 'invalid_query']);
    expect(json.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual(faults);
  });

  it('rejects requests without a token', async () => {
    expect((await app.get(null, PATH)).json).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('The OpenAPI document of buyer/leads', () => {
  let document: Json;
  beforeEach(async () => {
    document = await app.openapi();
  });

  it('lists the operation, its parameters and its responses', () => {
    const operation = document['paths'][PATH].get;
    expect(operation.operationId).toBe('listBuyerLeads');
    expect(operation.parameters.map(({ name, required }: Json) => [name, required === true])).toEqual([
      ['page', false],
      ['pageSize', false],
      ['status', false],
      ['from', false],
      ['to', false],
    ]);
    expect(Object.keys(operation.responses)).toEqual(['200', '400', '401', '403', '429', '503', 'default']);
  });

  it('has components for the delivery and the page', () => {
    const { schemas } = document['components'];
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Delivery', 'DeliveryPage', 'Problem']));
    expect(schemas.DeliveryPage.properties.data.items).toEqual({ $ref: '#/components/schemas/Delivery' });
    expect(schemas.Delivery.required).not.toContain('appointmentAt');
    expect(schemas.DeliveryPage.examples[0].data).toHaveLength(2);
  });
});
