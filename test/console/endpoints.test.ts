// The console's endpoints and their circuit breakers: list, health, queues, enabling and retrying (contract 4.12).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import { type ApiResponse, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';

const clock = handClock('2026-11-20T12:00:00.000Z');
const before = (minutes: number): Date => new Date(clock.now().getTime() - minutes * 60_000);
const yamlOf = (origin: string): string => `
marketplace: { currency: USD, retrySeconds: [0, 3600, 3600, 3600], breaker: { failures: 1, probeSeconds: 3600 } }
suppliers:
  - { key: acme, name: Acme Media, status: approved, callback: { url: "${origin}/hooks?token=hidden", events: [lead.routed] } }
  - { key: zeta, name: Zeta Forms, status: approved }
partners:
  - { key: summit, name: Summit Relief, channels: [webhook, email], billing: { mode: postpaid, creditLimit: 1000000 },
      settings: { webhookUrl: "${origin}/summit?token=hidden", notificationEmail: leads@summit.example },
      offers: [{ key: summit-ca, name: California, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] } }] }
  - { key: plain, name: Plain, channels: [] }
`;

let receiver: Receiver;
let respondsWith = 200;
let market: TestMarketplace;
beforeAll(async () => {
  receiver = await startReceiver({ respond: () => ({ status: respondsWith }) });
  market = await startTestMarketplace({
    yaml: yamlOf(receiver.origin),
    role: 'api',
    clock,
    allowTargets: [receiver.origin],
  });
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});
afterEach(async () => {
  for (const table of ['endpoint_health', 'endpoint_outage', 'send_job', 'message_job'])
    await sql(`DELETE FROM ${table}`);
  await sql('UPDATE buyer SET endpoint_disabled_at = NULL');
});

const sql = async (text: string, values: readonly unknown[] = []): Promise<Json[]> =>
  (await market.database.pool.query(text, [...values])).rows;
// A new session each time: with a frozen clock rate limits never refill.
const get = async (path: string): Promise<ApiResponse> => (await market.signedIn.operator('ada')).get(path);
const enable = async (endpoint: string): Promise<ApiResponse> =>
  (await market.signedIn.operator('ada')).send('POST', `/console/api/endpoints/${endpoint}/enable`);
const endpoints = async (query = ''): Promise<Json[]> =>
  (await get(`/console/api/endpoints${query}`)).json.data as Json[];

const ail = (kind: string, key: string, channel = 'webhook', { open = true } = {}): Promise<Json[]> =>
  sql(`INSERT INTO endpoint_health VALUES ($1, $2, $3, 7, $4, $5, 'HTTP 503', $6)`, [
    ...[kind, key, channel, open ? before(60) : null, open ? new Date(clock.now().getTime() + 900_000) : null],
    before(1),
  ]);
const wait = async (dueInMs: number): Promise<string> => {
  const [planted] = await plantDeliveries(market.database, 'summit', [{ status: 'Pending', at: before(30) }]);
  await sql(`INSERT INTO send_job (delivery_id, channel, buyer_key, due_at) VALUES ($1, 'webhook', 'summit', $2)`, [
    planted?.deliveryId,
    new Date(clock.now().getTime() + dueInMs),
  ]);
  return planted?.deliveryId ?? '';
};

describe('the list of endpoints', () => {
  it('has every endpoint with its shortened target', async () => {
    const response = await get('/console/api/endpoints');
    expect(response.json).toMatchObject({ next: null, outageDays: 7 });
    const { host } = new URL(receiver.origin);
    expect(
      (response.json.data as Json[]).map((row) => [row['ownerKind'], row['ownerKey'], row['channel'], row['target']]),
    ).toEqual([
      ['buyer', 'summit', 'email', 'l…@summit.example'],
      ['buyer', 'summit', 'webhook', `http://${host}/…`],
      ['supplier', 'acme', 'webhook', `http://${host}/…`],
    ]);
    expect(response.text).not.toContain('hidden');
    expect(response.json.data[1]).toMatchObject({
      name: 'Summit Relief',
      isPrimary: true,
      state: 'well',
      failures: 0,
      since: null,
      nextProbeAt: null,
      lastError: null,
      waiting: 0,
      outages: 0,
      outageSeconds: 0,
      hours: Array(24).fill(0),
    });
  });

  it('shows since when an endpoint fails, its next probe and its queue', async () => {
    await ail('buyer', 'summit');
    await wait(0);
    await wait(3_600_000);
    await sql(
      `INSERT INTO endpoint_outage VALUES ('buyer', 'summit', 'webhook', $1, NULL), ('buyer', 'summit', 'webhook', $2, $3),
               ('buyer', 'summit', 'webhook', $4, $5)`,
      [
        before(60),
        ...[before(300), before(290)],
        // One outage before the reported period, and one that reaches into it.
        ...[before(20 * 1440), before(7 * 1440 - 5)],
      ],
    );
    expect(await endpoints('?only=failing')).toEqual([
      expect.objectContaining({
        ownerKey: 'summit',
        channel: 'webhook',
        state: 'failing',
        failures: 7,
        since: before(60).toISOString(),
        nextProbeAt: new Date(clock.now().getTime() + 900_000).toISOString(),
        lastError: 'HTTP 503',
        lastFailedAt: before(1).toISOString(),
        waiting: 2,
        waitingIsMore: false,
        outages: 3,
        outageSeconds: (60 + 10 + 5) * 60,
        hours: [...Array<number>(18).fill(0), 0, 600, 0, 0, 0, 3600],
      }),
    ]);
  });

  it('distinguishes unsteady, failing and disabled endpoints', async () => {
    await ail('buyer', 'summit', 'email', { open: false });
    await ail('supplier', 'acme');
    await sql(`UPDATE buyer SET endpoint_disabled_at = $1 WHERE buyer_key = 'summit'`, [before(5)]);
    expect(
      (await endpoints('?only=failing')).map(({ ownerKey, channel, state }) => [ownerKey, channel, state]),
    ).toEqual([
      ['summit', 'webhook', 'disabled'],
      ['acme', 'webhook', 'failing'],
      ['summit', 'email', 'unsteady'],
    ]);
  });

  it('counts the time in which an endpoint was disabled as downtime, but not twice', async () => {
    await sql(`UPDATE buyer SET endpoint_disabled_at = $1 WHERE buyer_key = 'summit'`, [before(90)]);
    await sql(`INSERT INTO endpoint_outage VALUES ('buyer', 'summit', 'webhook', $1, NULL)`, [before(95)]);
    const [summit] = await endpoints('?only=failing');
    expect(summit?.['hours']).toEqual([...Array<number>(22).fill(0), 3600, 3600]);
  });

  it('lists endpoints with problems first, on all pages', async () => {
    await ail('supplier', 'acme');
    const names = (rows: Json[]): string[] => rows.map(({ ownerKey, channel }) => `${ownerKey} ${channel}`);
    expect(names(await endpoints())).toEqual(['acme webhook', 'summit email', 'summit webhook']);
    expect(names(await endpoints('?after=0.supplier.acme.webhook'))).toEqual(['summit email', 'summit webhook']);
  });

  it('includes endpoints of notices while they fail', async () => {
    await ail('buyer', 'plain', 'email');
    expect(await endpoints('?only=failing')).toMatchObject([{ ownerKey: 'plain', channel: 'email', isPrimary: false }]);
  });

  it('searches by key and name, and pages', async () => {
    expect((await endpoints('?search=SUMMIT')).length).toBe(2);
    expect((await endpoints('?search=media')).map(({ ownerKey }) => ownerKey)).toEqual(['acme']);
    expect((await endpoints('?after=2.buyer.summit.email')).map(({ ownerKey }) => ownerKey)).toEqual([
      'summit',
      'acme',
    ]);
    for (const after of [
      'nonsense',
      'buyer.summit.email',
      '3.buyer.summit.email',
      '2.person.summit.email',
      '2.buyer.summit.email.more',
    ])
      expect((await get(`/console/api/endpoints?after=${after}`)).status).toBe(400);
  });
});

describe('enabling or retrying an endpoint', () => {
  it('enables a disabled endpoint, visible to its partner', async () => {
    await sql(`UPDATE buyer SET endpoint_disabled_at = $1 WHERE buyer_key = 'summit'`, [before(5)]);
    const { status, json } = await enable('buyer/summit/webhook');
    expect([status, json]).toEqual([200, { result: 'enabled' }]);
    expect(await endpoints('?only=failing')).toEqual([]);
    expect(await sql(`SELECT actor_name, action FROM audit_event WHERE action = 'endpoint.enabled'`)).toEqual([
      { actor_name: 'ada', action: 'endpoint.enabled' },
    ]);
  });

  it('retries a failing endpoint at once with its oldest delivery', async () => {
    await ail('buyer', 'summit');
    await wait(3_600_000);
    const oldest = await wait(1_800_000);
    expect((await enable('buyer/summit/webhook')).json).toEqual({ result: 'asked' });
    expect(await sql('SELECT opened_at, next_probe_at FROM endpoint_health')).toEqual([
      { opened_at: before(60), next_probe_at: clock.now() },
    ]);
    expect(await sql('SELECT delivery_id FROM send_job WHERE due_at <= $1', [clock.now()])).toEqual([
      { delivery_id: oldest },
    ]);
    expect(await sql(`SELECT buyer_key, action FROM audit_event WHERE action = 'endpoint.probe_requested'`)).toEqual([
      { buyer_key: 'summit', action: 'endpoint.probe_requested' },
    ]);
  });

  it('leaves the retry to the next message if the queue is empty', async () => {
    await ail('buyer', 'summit');
    expect((await enable('buyer/summit/webhook')).json).toEqual({ result: 'asked_when_due' });
  });

  it('retries a supplier’s endpoint with its oldest callback', async () => {
    await ail('supplier', 'acme');
    await sql(
      `INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, occurred_at, due_at)
       VALUES ($1, 'supplier', 'acme', 'webhook', 'lead.routed', '{}', $2, $3)`,
      [newUuid(), before(5), new Date(clock.now().getTime() + 3_600_000)],
    );
    expect((await enable('supplier/acme/webhook')).json).toEqual({ result: 'asked' });
    expect(await sql('SELECT count(*)::int AS due FROM message_job WHERE due_at <= $1', [clock.now()])).toEqual([
      { due: 1 },
    ]);
  });

  it('changes nothing for a healthy endpoint', async () => {
    expect((await enable('buyer/summit/webhook')).json).toEqual({ result: 'was_well' });
  });

  it.each(['buyer/nobody/webhook', 'buyer/plain/webhook', 'supplier/zeta/webhook', 'nonsense/summit/webhook'])(
    'that there is not is not found: %s',
    async (endpoint) => {
      expect((await enable(endpoint)).status).toBe(404);
    },
  );

  it('is refused to partners and suppliers', async () => {
    await sql(`UPDATE buyer SET endpoint_disabled_at = $1 WHERE buyer_key = 'summit'`, [before(5)]);
    const buyer = await market.signedIn.buyer('summit');
    expect((await buyer.send('POST', '/console/api/endpoints/buyer/summit/webhook/enable')).status).toBe(401);
  });
});

describe('an endpoint that recovers', () => {
  it('closes its breaker and gets its queued deliveries', async () => {
    respondsWith = 503;
    const working = await startTestMarketplace({
      ...{ yaml: yamlOf(receiver.origin), role: 'worker', clock, on: market.testDatabase },
      allowTargets: [receiver.origin],
    });
    try {
      await postLead(market.url, await market.supplierKey('acme'), leadBody(1));
      await eventually('the breaker is open', async () =>
        (await endpoints('?only=failing')).some(({ ownerKey, state }) => ownerKey === 'summit' && state === 'failing'),
      );
      respondsWith = 200;
      expect((await enable('buyer/summit/webhook')).json).toEqual({ result: 'asked' });
      await eventually('the delivery is confirmed', async () => {
        const rows = await sql(`SELECT status FROM delivery WHERE status = 'Confirmed'`);
        return rows.length === 1;
      });
      await eventually('the breaker is closed', async () =>
        (await endpoints('?only=failing')).every(({ ownerKey }) => ownerKey !== 'summit'),
      );
    } finally {
      await working.close();
    }
  });
});
