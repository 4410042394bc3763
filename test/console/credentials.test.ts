// Keys, tokens and signing secrets at the console: issue, list, revoke, show, rotate (contract 2, 5.9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { select } from '../support/ledger-faults.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const yaml = `
suppliers: [{ key: acme, name: Acme, status: approved }]
partners: [{ key: summit, name: Summit }, { key: valley, name: Valley }]
`;

let market: TestMarketplace;
let anna: SignedIn;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml });
  anna = await market.signedIn.operator('anna');
});
afterAll(() => market.close());

const account = (token: string) =>
  fetch(`${market.url}/api/v1/buyer/account`, { headers: { authorization: `Bearer ${token}` } });
const post = (key: string, serial: number) =>
  fetch(`${market.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(leadBody(serial)),
  });

describe('credentials at the console', () => {
  it('shows a token once, lists it, and revokes it', async () => {
    const issued = await anna.send('POST', '/console/api/partners/summit/credentials', { label: 'CRM import' });
    expect(issued.status).toBe(201);
    const { id, secret } = issued.json as { id: string; secret: string };
    expect(secret).toMatch(/^lmb_/);
    expect((await account(secret)).status).toBe(200);
    const list = await anna.get('/console/api/partners/summit/credentials');
    expect(list.json.data[0]).toMatchObject({
      ...{ id, label: 'CRM import', last4: secret.slice(-4) },
      ...{ expiresAt: null, revokedAt: null },
    });
    expect(list.text).not.toContain(secret);
    expect((await anna.get('/console/api/partners/valley/credentials')).json.data).toEqual([]);
    const revoked = await anna.send('POST', `/console/api/credentials/${id}/revoke`);
    expect(revoked.json).toMatchObject({ id, revokedAt: expect.any(String) as string });
    expect((await anna.get('/console/api/partners/summit/credentials')).json.data[0].revokedAt).not.toBeNull();
  });

  it('issues a key that can post leads', async () => {
    const { json } = await anna.send('POST', '/console/api/suppliers/acme/credentials', {});
    expect((await post(json.secret, 1)).status).toBe(202);
    expect((await anna.get('/console/api/suppliers/acme/credentials')).json.data[0]).toMatchObject({ label: null });
  });

  it('does not return the secret again to a repeated request', async () => {
    const path = '/console/api/partners/valley/credentials';
    const first = await anna.send('POST', path, { label: 'twice' }, { 'idempotency-key': 'twice' });
    const again = await anna.send('POST', path, { label: 'twice' }, { 'idempotency-key': 'twice' });
    expect(again.json).toEqual({ id: first.json.id, secret: null });
    expect((await anna.get(path)).json.data).toHaveLength(1);
    const kept = await select<{ body: string }>(market.database, 'SELECT body FROM idempotency_key');
    expect(kept.map(({ body }) => body).join()).not.toContain(first.json.secret);
  });

  it('refuses an expiry in the past', async () => {
    const path = '/console/api/partners/valley/credentials';
    const past = await anna.send('POST', path, { expiresAt: '2020-01-01T00:00:00Z' });
    expect(past).toMatchObject({ status: 422, json: { errors: [{ field: 'expiresAt' }] } });
    const future = await anna.send('POST', path, { expiresAt: '2199-01-01T00:00:00Z' });
    expect(future.status).toBe(201);
    expect((await anna.get(path)).json.data[0].expiresAt).toBe('2199-01-01T00:00:00.000Z');
  });

  it('responds 404 to unknown credentials and to operators’ tokens', async () => {
    for (const path of [
      'partners/nobody/credentials',
      'suppliers/summit/credentials',
      'partners/nobody/secret/rotate',
    ]) {
      expect((await anna.send('POST', `/console/api/${path}`, {})).status).toBe(404);
    }
    expect((await anna.send('POST', '/console/api/partners/nobody/secret/show')).status).toBe(404);
    expect((await anna.send('POST', '/console/api/credentials/tok_01jd0000000000000000000000/revoke')).status).toBe(
      404,
    );
  });

  it('shows a signing secret with an audit event, and rotates it once for repeated requests', async () => {
    const show = async () => (await anna.send('POST', '/console/api/partners/summit/secret/show')).json;
    const before = (await show()) as { secret: string };
    expect(before).toEqual({ secret: await market.secretOf('summit'), previous: null });
    const path = '/console/api/partners/summit/secret/rotate';
    const first = await anna.send('POST', path, undefined, { 'idempotency-key': 'rotate' });
    const again = await anna.send('POST', path, undefined, { 'idempotency-key': 'rotate' });
    expect(again.text).toBe(first.text);
    expect(first.text).not.toContain('whsec_');
    const after = (await show()) as { secret: string; previous: { secret: string } };
    expect(after.secret).not.toBe(before.secret);
    expect(after.previous.secret).toBe(before.secret);
    const shown = await select<{ actor_name: string; buyer_key: string | null }>(
      market.database,
      `SELECT actor_name, buyer_key FROM audit_event WHERE action = 'secret.shown' AND target = 'summit'`,
    );
    expect(shown).toEqual([
      { actor_name: 'anna', buyer_key: null },
      { actor_name: 'anna', buyer_key: null },
    ]);
  });
});
