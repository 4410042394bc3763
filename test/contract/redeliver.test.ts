// Tests POST redeliver: the same message is sent again, and nothing else changes (contract 6.4).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type DeliveryId, newUuid, typeId, uuidOf } from '../../src/base/ids.ts';
import {
  type ApiResponse,
  call,
  getAsBuyer,
  postAsBuyer,
  postLead,
  problem,
  problemFacts,
} from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { plantDeliveries, type Seed } from '../deliveries/plant-deliveries.ts';
import { betaMarketYaml } from './beta-market.ts';
import { sampleLead } from './market.ts';

let market: TestMarketplace;
let receiver: Receiver;
let key: string;
let summit: string;
let harbor: string;
let serial = 0;
/** The next status codes of the receiver. */
const plan: number[] = [];

beforeAll(async () => {
  receiver = await startReceiver({ respond: () => ({ status: plan.shift() ?? 200 }) });
  market = await startTestMarketplace({ yaml: betaMarketYaml(receiver), allowTargets: [receiver.origin] });
  key = await market.supplierKey('acme-media');
  [summit, harbor] = [await market.buyerToken('summit'), await market.buyerToken('harbor')];
});
beforeEach(() => {
  plan.length = 0;
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

const pathOf = (id: string): string => `/api/v1/buyer/leads/${id}/redeliver`;
const redeliver = (
  id: string,
  sent: { body?: object | string; headers?: Record<string, string> } = {},
  token = summit,
) => postAsBuyer(market.url, token, pathOf(id), sent);
const sendings = (id: string) => receiver.requests.filter(({ headers }) => headers['webhook-id'] === id);

async function sold(): Promise<Json> {
  const list = async (): Promise<Json> => (await getAsBuyer(market.url, summit, '/api/v1/buyer/leads')).json;
  const before = (await list()).total;
  expect((await postLead(market.url, key, sampleLead((serial += 1)))).status).toBe(202);
  return eventually('the lead is decided', async () => {
    const { total, data } = await list();
    return total > before && data[0].status !== 'Pending' ? data[0] : null;
  });
}

async function planted(seed: Omit<Seed, 'at'>, buyerKey = 'summit'): Promise<string> {
  const [one] = await plantDeliveries(market.database, buyerKey, [
    { at: new Date('2026-11-19T12:00:00.000Z'), ...seed },
  ]);
  return typeId('delivery', (one?.deliveryId ?? '') as DeliveryId);
}

const books = async (): Promise<unknown> =>
  (
    await market.database.pool.query(
      `SELECT (SELECT count(*)::int FROM transfer) AS transfers, (SELECT json_agg(a ORDER BY a) FROM account a) AS accounts,
              (SELECT json_agg(d.status ORDER BY d.delivery_id) FROM delivery d) AS statuses`,
    )
  ).rows;

describe('A delivery', () => {
  it('that was confirmed is sent again: same id, not billed, status unchanged', async () => {
    const { deliveryId, deliveryRef } = await sold();
    const before = await books();
    const { status, json } = await redeliver(deliveryId);
    expect([status, json]).toEqual([202, { deliveryId, deliveryRef, status: 'Confirmed', queued: true }]);
    await eventually('it came twice', () => sendings(deliveryId).length === 2);
    const [first, second] = sendings(deliveryId).map(({ body }) => body);
    expect(second).toBe(first);
    const [event] = (await getAsBuyer(market.url, summit, '/api/v1/buyer/events')).json.data.slice(-1);
    expect(JSON.stringify({ type: event.type, timestamp: event.timestamp, data: event.data })).toBe(first);
    await eventually('the job is over', async () => {
      const { rows } = await market.database.pool.query('SELECT FROM send_job');
      return rows.length === 0;
    });
    expect(await books()).toEqual(before);
  });

  it('that failed is sent again, with retries and the same body, and is confirmed and billed once it is accepted', async () => {
    plan.push(400, 400, 400, 503);
    const { deliveryId, status } = await sold();
    expect(status).toBe('Failed');
    expect((await redeliver(deliveryId)).json).toMatchObject({ status: 'Pending', queued: true });
    await eventually('the job is over', async () => {
      const { rows } = await market.database.pool.query('SELECT FROM send_job');
      return rows.length === 0;
    });
    expect(sendings(deliveryId)).toHaveLength(5);
    expect(new Set(sendings(deliveryId).map(({ body }) => body)).size).toBe(1);
    const charges = `SELECT FROM transfer WHERE type = 'charge' AND delivery_id = $1`;
    expect((await market.database.pool.query(charges, [uuidOf('delivery', deliveryId)])).rows).toHaveLength(1);
    const { data } = (await getAsBuyer(market.url, summit, '/api/v1/buyer/leads')).json;
    expect(data[0]).toMatchObject({ deliveryId, status: 'Confirmed' });
  });

  it('leaves an audit event of the partner', async () => {
    const { deliveryId } = await sold();
    const response = await redeliver(deliveryId);
    const { rows } = await market.database.pool.query(
      `SELECT action, actor_type, actor_name, buyer_key, supplier_key, changes, request_id FROM audit_event WHERE target = $1`,
      [deliveryId],
    );
    expect(rows).toEqual([
      {
        action: 'delivery.redelivery_requested',
        actor_type: 'buyer',
        actor_name: 'summit',
        buyer_key: 'summit',
        supplier_key: null,
        changes: {},
        request_id: response.headers.get('x-request-id'),
      },
    ]);
  });

  it('that waits to be sent again is made due, and has one job', async () => {
    const id = await planted({ status: 'Confirmed' });
    const job = [uuidOf('delivery', id)];
    await market.database.pool.query(
      `INSERT INTO send_job (delivery_id, channel, buyer_key, due_at, purpose, attempts, steps)
       VALUES ($1, 'webhook', 'summit', '2100-01-01', 'replay', 2, 2)`,
      job,
    );
    expect((await redeliver(id)).status).toBe(202);
    await eventually('it came', () => sendings(id).length === 1);
  });
});

describe('The body of a redelivery request', () => {
  it.each<readonly [string, { body?: object | string; headers?: Record<string, string> }, number, string | undefined]>([
    ['none', {}, 202, undefined],
    ['none, but a type', { headers: { 'content-type': 'application/json' } }, 202, undefined],
    ['an empty object', { body: {} }, 202, undefined],
    ['another type', { body: '{}', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['a list', { body: '[]', headers: { 'content-type': 'application/json' } }, 400, 'invalid_json'],
    ['half an object', { body: '{', headers: { 'content-type': 'application/json' } }, 400, 'invalid_json'],
    ['an unknown member', { body: { force: true } }, 422, 'validation_failed'],
  ])('%s', async (_, sent, status, code) => {
    const id = await planted({ status: 'Confirmed' });
    const response = await redeliver(id, sent);
    expect([response.status, response.json.code]).toEqual([status, code]);
    if (code === 'validation_failed')
      expect(response.json.errors).toEqual([{ field: 'force', code: 'unknown_field', message: expect.any(String) }]);
    const { rows } = await market.database.pool.query(`SELECT FROM audit_event WHERE target = $1`, [id]);
    expect(rows).toHaveLength(status === 202 ? 1 : 0);
  });

  it('is checked after the id and the delivery', async () => {
    const returned = await planted({ status: 'Returned' });
    const [unknown, refused] = [
      await redeliver(typeId('delivery', newUuid()), { body: { force: true } }),
      await redeliver(returned, { body: { force: true } }),
    ];
    expect([unknown.json.code, refused.json.code]).toEqual(['delivery_not_found', 'delivery_not_redeliverable']);
  });
});

describe('A redelivery is rejected for', () => {
  it.each(['Pending', 'Returned'] as const)('a delivery that is %s', async (status) => {
    const response = await redeliver(await planted({ status }));
    expect(problemFacts(response)).toEqual(problem(409, 'delivery_not_redeliverable'));
  });

  it('a delivery that was not sent by webhook', async () => {
    const id = await planted({ status: 'Confirmed' });
    for (const channel of ['email', null]) {
      await market.database.pool.query('UPDATE delivery SET channel = $2 WHERE delivery_id = $1', [
        uuidOf('delivery', id),
        channel,
      ]);
      expect((await redeliver(id)).json.code).toBe('delivery_not_redeliverable');
    }
  });

  it('a partner without a webhook URL, and a disabled endpoint', async () => {
    const id = await planted({ status: 'Confirmed' }, 'harbor');
    const { database } = market;
    await database.pool.query(`UPDATE buyer SET endpoint_disabled_at = '2026-11-20' WHERE buyer_key = 'harbor'`);
    expect(problemFacts(await redeliver(id, {}, harbor))).toEqual(problem(409, 'endpoint_disabled'));
    await database.pool.query(`UPDATE buyer SET webhook_url = NULL WHERE buyer_key = 'harbor'`);
    expect(problemFacts(await redeliver(id, {}, harbor))).toEqual(problem(409, 'webhook_not_configured'));
    await database.pool.query(
      `UPDATE buyer SET webhook_url = $1, endpoint_disabled_at = NULL WHERE buyer_key = 'harbor'`,
      [`${receiver.origin}/harbor`],
    );
    expect((await redeliver(id, {}, harbor)).status).toBe(202);
  });

  it('another partner’s, an unknown and a malformed id with the same error', async () => {
    const id = await planted({ status: 'Confirmed' });
    const bodies = new Set<string>();
    for (const one of [
      id,
      typeId('delivery', newUuid()),
      id.replace('dlv_', 'lead_'),
      `${id}0`,
      '1',
      'x'.repeat(3000),
    ]) {
      const response = await redeliver(one, {}, harbor);
      expect(problemFacts(response)).toEqual(problem(404, 'delivery_not_found'));
      bodies.add(response.text.replace(response.json.requestId, ''));
    }
    expect(bodies.size).toBe(1);
    const { rows } = await market.database.pool.query(`SELECT FROM audit_event WHERE target = $1`, [id]);
    expect(rows).toEqual([]);
  });

  it('an unknown credential, and another method', async () => {
    const path = market.url + pathOf(await planted({ status: 'Confirmed' }));
    const [unknown, get] = [await call(path, { method: 'POST' }), await call(path)];
    expect([unknown.status, get.status, get.headers.get('allow')]).toEqual([401, 405, 'POST']);
  });
});

describe('Idempotency-Key', () => {
  const once = async (id: string, name: string, body?: object): Promise<ApiResponse> =>
    redeliver(id, { headers: { 'idempotency-key': name }, ...(body === undefined ? {} : { body }) });

  it('queues once and repeats the response byte for byte', async () => {
    const id = await planted({ status: 'Confirmed' });
    const [first, second] = [await once(id, 'again'), await once(id, 'again')];
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([202, first.text, 'true']);
    const { rows } = await market.database.pool.query(`SELECT FROM audit_event WHERE target = $1`, [id]);
    expect(rows).toHaveLength(1);
  });

  it('belongs to one delivery and one body', async () => {
    const [one, other] = [await planted({ status: 'Confirmed' }), await planted({ status: 'Confirmed' })];
    await once(one, 'mine');
    for (const response of [await once(other, 'mine'), await once(one, 'mine', {})])
      expect([response.status, response.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('keeps errors, too', async () => {
    const id = await planted({ status: 'Pending' });
    for (const [target, status] of [
      [id, 409],
      [typeId('delivery', newUuid()), 404],
    ] as const) {
      const [first, second] = [await once(target, `kept-${status}`), await once(target, `kept-${status}`)];
      expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([
        status,
        first.text,
        'true',
      ]);
    }
  });
});
