// Tests POST test-delivery: a test is a real message without a sale (contract 6.14, 5.7).
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { type ApiResponse, getAsBuyer, postAsBuyer, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, type ReceivedRequest, type Reply, startReceiver } from '../support/receiver.ts';
import { betaMarketYaml } from './beta-market.ts';

const PATH = '/api/v1/buyer/test-delivery';
const LOGS = '/api/v1/buyer/delivery-logs';
const ATTEMPT_ID = expect.stringMatching(/^att_[0-7][0-9a-hjkmnp-tv-z]{25}$/);

let market: TestMarketplace;
let receiver: Receiver;
let summit: string;
let respond: (request: ReceivedRequest) => Reply | Promise<Reply>;

beforeAll(async () => {
  receiver = await startReceiver({ respond: (request) => respond(request) });
  market = await startTestMarketplace({
    yaml: betaMarketYaml(receiver),
    role: 'api',
    allowTargets: [receiver.origin],
  });
  summit = await market.buyerToken('summit');
});
beforeEach(() => {
  respond = () => ({ status: 200, body: '{"ok":true}' });
  receiver.requests.length = 0;
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

const send = (body: object | string, headers: Record<string, string> = {}, token = summit): Promise<ApiResponse> =>
  postAsBuyer(market.url, token, PATH, { body, headers: { 'content-type': 'application/json', ...headers } });
const log = async (token = summit): Promise<ApiResponse['json']> =>
  (await getAsBuyer(market.url, token, LOGS)).json.data;

describe('A preview', () => {
  it('is the message that would be sent, and is not sent', async () => {
    const before = await log();
    const { status, json } = await send({ target: 'preview' });
    expect([status, Object.keys(json)]).toEqual([200, ['target', 'test', 'billable', 'payload']]);
    expect([json.target, json.test, json.billable]).toEqual(['preview', true, false]);
    expect(Object.keys(json.payload)).toEqual(['type', 'timestamp', 'data']);
    expect(json.payload).toMatchObject({
      type: 'lead.test',
      data: {
        deliveryId: expect.stringMatching(/^dlv_/),
        deliveryRef: expect.stringMatching(/^LS-\d{6}$/),
        eventType: 'Lead Sale',
        status: 'Pending',
        payout: 45,
        returned: false,
        lead: { fullName: expect.any(String), phone: expect.stringMatching(/^\+1/), tcpaConsent: true },
        test: true,
      },
    });
    expect(json.payload.data.deliveredAt).toBe(json.payload.timestamp);
    expect([receiver.requests.length, await log()]).toEqual([0, before]);
  });

  it('has the members of a sent message, in their order', async () => {
    const { json } = await send({ target: 'preview' });
    await send({ target: 'webhook' });
    const sent = JSON.parse(receiver.requests[0]?.body ?? '');
    expect([Object.keys(sent), Object.keys(sent.data), Object.keys(sent.data.lead)]).toEqual([
      Object.keys(json.payload),
      Object.keys(json.payload.data),
      Object.keys(json.payload.data.lead),
    ]);
  });

  it('needs no webhook', async () => {
    expect((await send({ target: 'preview' }, {}, await market.buyerToken('quiet'))).status).toBe(200);
  });
});

describe('A test that is sent', () => {
  it('is signed like a live message, and its result is returned', async () => {
    const { status, json } = await send({ target: 'webhook' });
    expect([status, json]).toEqual([
      200,
      {
        target: 'webhook',
        test: true,
        billable: false,
        delivered: true,
        responseCode: 200,
        responseSnippet: '{"ok":true}',
        latencyMs: expect.any(Number),
        error: null,
        attemptId: ATTEMPT_ID,
      },
    ]);
    expect(Number.isInteger(json.latencyMs)).toBe(true);
    const [request] = receiver.requests;
    expect(receiver.requests).toHaveLength(1);
    const body = new Webhook(await market.secretOf('summit')).verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    );
    expect(body).toMatchObject({ type: 'lead.test', data: { test: true } });
    expect([request?.method, request?.path, request?.headers['webhook-id'], request?.headers['content-type']]).toEqual([
      'POST',
      '/summit?token=hidden-token',
      json.attemptId,
      'application/json',
    ]);
  });

  it('is in the log as a test without a delivery', async () => {
    const { json } = await send({ target: 'webhook' });
    expect((await log())[0]).toEqual({
      attemptId: json.attemptId,
      deliveryId: null,
      deliveryRef: null,
      channel: 'webhook',
      target: `${receiver.origin}/…`,
      attempt: 1,
      state: 'succeeded',
      responseCode: 200,
      responseSnippet: '{"ok":true}',
      latencyMs: json.latencyMs,
      error: null,
      test: true,
      at: expect.any(String),
      nextAttemptAt: null,
    });
  });

  it.each<readonly [string, Reply, object, string]>([
    ['500', { status: 500, body: 'down' }, { responseCode: 500, responseSnippet: 'down', error: null }, 'failed'],
    ['404', { status: 404 }, { responseCode: 404, responseSnippet: null, error: null }, 'failed'],
    ['410', { status: 410 }, { responseCode: 410, responseSnippet: null, error: null }, 'failed'],
    ['a redirect', { status: 302, headers: { location: '/summit' } }, { responseCode: 302, error: null }, 'failed'],
    ['a cut line', 'reset', { responseCode: null, responseSnippet: null, error: expect.any(String) }, 'failed'],
  ])('reports the response %s, and is not repeated', async (_, reply, facts, state) => {
    respond = () => reply;
    const { status, json } = await send({ target: 'webhook' });
    expect([status, json]).toMatchObject([200, { delivered: false, ...facts }]);
    expect((await log())[0]).toMatchObject({ attemptId: json.attemptId, state, ...facts, nextAttemptAt: null });
    expect(receiver.requests).toHaveLength(1);
    const { rows } = await market.database.pool.query(
      `SELECT (SELECT count(*)::int FROM endpoint_health) AS ill, (SELECT count(*)::int FROM buyer WHERE endpoint_disabled_at IS NOT NULL) AS gone,
              (SELECT count(*)::int FROM delivery) AS sold, (SELECT count(*)::int FROM transfer) AS moved`,
    );
    expect(rows).toEqual([{ ill: 0, gone: 0, sold: 0, moved: 0 }]);
  });

  it('is in the log while it is running, without an open transaction', async () => {
    let open: readonly unknown[] = [];
    let seen: unknown = null;
    respond = async () => {
      seen = (await log())[0];
      const { rows } = await market.database.pool.query(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      open = rows;
      return { status: 204 };
    };
    const { json } = await send({ target: 'webhook' });
    expect(seen).toMatchObject({ attemptId: json.attemptId, state: 'scheduled', responseCode: null, latencyMs: null });
    expect(open).toEqual([]);
  });

  it('is sent to a disabled endpoint as well', async () => {
    await market.database.pool.query(`UPDATE buyer SET endpoint_disabled_at = '2026-11-20' WHERE buyer_key = 'harbor'`);
    const { json } = await send({ target: 'webhook' }, {}, await market.buyerToken('harbor'));
    expect(json).toMatchObject({ delivered: true, responseCode: 200 });
    const { rows } = await market.database.pool.query(
      `SELECT endpoint_disabled_at IS NOT NULL AS disabled FROM buyer WHERE buyer_key = 'harbor'`,
    );
    expect(rows).toEqual([{ disabled: true }]);
  });

  it('counts as failed if its process died', async () => {
    await market.database.pool.query(
      `INSERT INTO attempt (attempt_id, buyer_key, channel, target, attempt, state, is_test, at)
       VALUES ($1, 'quiet', 'webhook', 'https://x.example/', 1, 'scheduled', true, '2020-01-01')`,
      [newUuid()],
    );
    expect(await log(await market.buyerToken('quiet'))).toMatchObject([{ state: 'failed', error: 'interrupted' }]);
  });
});

describe('A test delivery is rejected', () => {
  it('without a webhook URL', async () => {
    const response = await send({ target: 'webhook' }, {}, await market.buyerToken('quiet'));
    expect(problemFacts(response)).toEqual(problem(409, 'webhook_not_configured'));
  });

  it.each([
    'http://crm.example/in',
    'https://127.0.0.1/in',
    'https://[::1]/in',
    'https://169.254.169.254/latest',
    'https://10.0.0.8:8443/in',
    'https://localhost/in',
    'https://crm.local/in',
    'https://user@crm.example/in',
    'https://crm.example:22/in',
  ])('if the URL is blocked: %s', async (url) => {
    await market.database.pool.query(`UPDATE buyer SET webhook_url = $1 WHERE buyer_key = 'quiet'`, [url]);
    const quiet = await market.buyerToken('quiet');
    const response = await send({ target: 'webhook' }, {}, quiet);
    expect(problemFacts(response)).toEqual(problem(422, 'webhook_url_blocked'));
    expect((await log(quiet))[0]).toMatchObject({ state: 'failed', test: true, error: response.json.detail });
    await market.database.pool.query(`UPDATE buyer SET webhook_url = NULL WHERE buyer_key = 'quiet'`);
  });

  it.each<readonly [string, object, ReadonlyArray<readonly [field: string, code: string]>]>([
    ['nothing', {}, [['target', 'required']]],
    ['another target', { target: 'email' }, [['target', 'not_allowed_value']]],
    ['a target in capitals', { target: 'Webhook' }, [['target', 'not_allowed_value']]],
    ['null', { target: null }, [['target', 'not_allowed_value']]],
    ['a list', { target: ['webhook'] }, [['target', 'not_allowed_value']]],
    ['an unknown member', { target: 'preview', url: 'https://a.example' }, [['url', 'unknown_field']]],
    [
      'unknown members only',
      { targets: 'preview', Target: 'preview' },
      [
        ['Target', 'unknown_field'],
        ['target', 'required'],
        ['targets', 'unknown_field'],
      ],
    ],
  ])('for %s in the body', async (_, body, faults) => {
    const response = await send(body);
    expect(problemFacts(response)).toEqual(problem(422, 'validation_failed', 'errors'));
    const shown = response.json.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
    expect(new Set(shown)).toEqual(new Set(faults.map((fault) => fault.join(' '))));
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ['', 400, 'invalid_json'],
    ['{', 400, 'invalid_json'],
    ['[]', 400, 'invalid_json'],
    ['null', 400, 'invalid_json'],
  ])('for the body %j', async (body, status, code) => {
    const response = await send(body);
    expect([response.status, response.json.code]).toEqual([status, code]);
  });
});

describe('Idempotency-Key', () => {
  it('sends once and repeats the response byte for byte', async () => {
    const key = { 'idempotency-key': 'send-once' };
    const [first, second] = [await send({ target: 'webhook' }, key), await send({ target: 'webhook' }, key)];
    expect([second.text, second.status, second.headers.get('idempotent-replayed')]).toEqual([first.text, 200, 'true']);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(receiver.requests).toHaveLength(1);
  });

  it('gets a conflict while the test is running', async () => {
    const key = { 'idempotency-key': 'under-way' };
    let release: (reply: Reply) => void = () => undefined;
    const responded = new Promise<Reply>((resolve) => (release = resolve));
    respond = () => responded;
    const first = send({ target: 'webhook' }, key);
    await eventually('the test is on its way', () => receiver.requests.length === 1);
    const second = await send({ target: 'webhook' }, key);
    const other = await send({ target: 'preview' }, key);
    expect([second.status, second.json.code, second.headers.get('retry-after')]).toEqual([
      409,
      'idempotency_in_progress',
      '1',
    ]);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    release({ status: 200, body: 'done' });
    expect((await first).json).toMatchObject({ delivered: true, responseSnippet: 'done' });
    const third = await send({ target: 'webhook' }, key);
    expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([(await first).text, 'true']);
    expect(receiver.requests).toHaveLength(1);
  });

  it('takes over a test of a process that died', async () => {
    const key = { 'idempotency-key': 'left-behind' };
    await send({ target: 'webhook' }, key);
    await market.database.pool.query(
      `UPDATE idempotency_key SET status = 102, body = '', created_at = created_at - interval '2 minutes' WHERE idempotency_key = 'left-behind'`,
    );
    const again = await send({ target: 'webhook' }, key);
    expect([again.status, again.json.delivered, again.headers.get('idempotent-replayed')]).toEqual([200, true, null]);
    expect(receiver.requests).toHaveLength(2);
  });

  it('keeps errors, too', async () => {
    const quiet = await market.buyerToken('quiet');
    for (const [name, body, status] of [
      ['no-webhook', { target: 'webhook' }, 409],
      ['bad-body', {}, 422],
    ] as const) {
      const key = { 'idempotency-key': name };
      const [first, second] = [await send(body, key, quiet), await send(body, key, quiet)];
      expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([
        status,
        first.text,
        'true',
      ]);
    }
  });
});
