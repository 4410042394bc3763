// Tests signing secrets by self-service: GET and POST …/rotate of a partner's webhook secret and of a supplier's callback secret (contract
// 5.9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const DAY_MS = 86_400_000;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const WIDE = 'rateLimit: { perSecond: 100000, burst: 100000 }';
const yaml = `
suppliers:
  - { key: acme-media, name: Acme Media, status: approved, ${WIDE} }
  - { key: halted, name: Halted, status: suspended, ${WIDE} }
partners:
  - { key: summit, name: Summit, channels: [], betaTools: [audit-log], ${WIDE} }
  - { key: harbor, name: Harbor, channels: [], ${WIDE} }
  - { key: fixed, name: Fixed, channels: [], editableFields: [webhookUrl], ${WIDE} }
`;

const clock = handClock('2026-11-20T18:00:00.000Z');
let market: TestMarketplace;
let credentials: Record<string, string>;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, role: 'api', clock });
  const partners = ['summit', 'harbor', 'fixed'].map(async (key) => [key, await market.buyerToken(key)]);
  const suppliers = ['acme-media', 'halted'].map(async (key) => [key, await market.supplierKey(key)]);
  credentials = Object.fromEntries(await Promise.all([...partners, ...suppliers]));
});
afterAll(() => market.close());

const isSupplier = (owner: string): boolean => owner === 'acme-media' || owner === 'halted';

function ask(
  owner: string,
  { rotate = false, headers = {}, body }: { rotate?: boolean; headers?: Record<string, string>; body?: object } = {},
): Promise<ApiResponse> {
  const path = isSupplier(owner) ? '/api/v1/supplier/callback-secret' : '/api/v1/buyer/webhook-secret';
  const secret = credentials[owner] ?? '';
  const credential: Record<string, string> = isSupplier(owner)
    ? { 'x-api-key': secret }
    : { authorization: `Bearer ${secret}` };
  return call(market.url + path + (rotate ? '/rotate' : ''), {
    method: rotate ? 'POST' : 'GET',
    headers: { ...credential, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

describe.each(['summit', 'acme-media', 'halted'])('The signing secret of %s', (owner) => {
  it('is read by its owner, and is the same at the next reading', async () => {
    const first = await ask(owner);
    expect([first.status, first.headers.get('cache-control'), Object.keys(first.json)]).toEqual([
      200,
      'no-store',
      ['secret', 'previous'],
    ]);
    expect([first.json.secret, first.json.previous]).toEqual([expect.stringMatching(SECRET), null]);
    expect((await ask(owner)).text).toBe(first.text);
    if (!isSupplier(owner)) expect(first.json.secret).toBe(await market.secretOf(owner));
  });

  it('is rotated, and the previous one stays valid for 24 hours', async () => {
    const before = (await ask(owner)).json.secret;
    const rotated = await ask(owner, { rotate: true });
    const validUntil = new Date(clock.now().getTime() + DAY_MS).toISOString();
    expect([rotated.status, rotated.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(rotated.json).toEqual({
      secret: expect.stringMatching(SECRET),
      previous: { secret: before, validUntil },
    });
    expect(rotated.json.secret).not.toBe(before);
    expect((await ask(owner)).json).toEqual(rotated.json);
    clock.advance(DAY_MS - 1);
    expect((await ask(owner)).json.previous).toEqual({ secret: before, validUntil });
    clock.advance(1);
    expect((await ask(owner)).json).toEqual({ secret: rotated.json.secret, previous: null });
  });

  it('is rotated once under one Idempotency-Key, and an empty object is accepted as body', async () => {
    const once = { rotate: true, headers: { 'idempotency-key': `rotation-${clock.now().getTime()}` }, body: {} };
    const first = await ask(owner, once);
    const again = await ask(owner, once);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await ask(owner)).json.secret).toBe(first.json.secret);
  });

  it('is not rotated by a request with other members', async () => {
    const before = (await ask(owner)).text;
    const refused = await ask(owner, { rotate: true, body: { secret: 'whsec_mine' } });
    expect(problemFacts(refused)).toEqual(problem(422, 'validation_failed', 'errors'));
    expect((await ask(owner)).text).toBe(before);
  });
});

describe('Access to signing secrets', () => {
  it('is limited to the owner’s own secret', async () => {
    const secrets = await Promise.all(['summit', 'harbor', 'acme-media', 'halted'].map((owner) => ask(owner)));
    expect(new Set(secrets.map(({ json }) => json.secret)).size).toBe(4);
  });

  it('is refused to a partner that may not change its secret, for reading and for rotation', async () => {
    for (const rotate of [false, true]) {
      expect(problemFacts(await ask('fixed', { rotate }))).toEqual(problem(403, 'setting_not_editable'));
    }
    const account = await call(`${market.url}/api/v1/buyer/account`, {
      headers: { authorization: `Bearer ${credentials['fixed']}` },
    });
    expect(account.json.editableFields).toEqual(['webhookUrl']);
  });

  it('is given to a partner unless the operator forbids it, and PATCH does not change the secret', async () => {
    const headers = { authorization: `Bearer ${credentials['harbor']}` };
    const account = await call(`${market.url}/api/v1/buyer/account`, { headers });
    expect(account.json.editableFields).toContain('webhookSecret');
    const body = { webhookSecret: 'whsec_mine' };
    const refused = await call(`${market.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body });
    expect(problemFacts(refused)).toEqual(problem(422, 'validation_failed', 'errors'));
    expect(refused.json.errors).toEqual([
      {
        field: 'webhookSecret',
        code: 'field_not_editable',
        message: 'is replaced by POST /api/v1/buyer/webhook-secret/rotate',
      },
    ]);
  });

  it('is recorded with its actor, without the secret', async () => {
    await ask('summit');
    await ask('summit', { rotate: true });
    await ask('acme-media');
    const { json, text } = await call(`${market.url}/api/v1/buyer/audit-log?limit=2`, {
      headers: { authorization: `Bearer ${credentials['summit']}` },
    });
    expect(json.data).toMatchObject([
      { action: 'secret.rotated', target: 'summit', actor: { type: 'buyer', name: expect.stringMatching(/^tok_/) } },
      { action: 'secret.shown', target: 'summit', actor: { type: 'buyer', name: expect.stringMatching(/^tok_/) } },
    ]);
    expect(text).not.toContain('whsec_');
    const events = await market.database.pool.query(
      `SELECT action, actor_type, supplier_key, buyer_key FROM audit_event WHERE target = 'acme-media' AND action LIKE 'secret.%'
     ORDER BY audit_id DESC LIMIT 1`,
    );
    expect(events.rows).toEqual([
      { action: 'secret.shown', actor_type: 'supplier', supplier_key: 'acme-media', buyer_key: null },
    ]);
  });
});
