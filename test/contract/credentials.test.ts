// Tests keys and tokens: their issue, use, revocation and expiry (contract 2).
import type { CredentialId } from '../../src/base/ids.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import type { CredentialKind } from '../../src/credentials/credential.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import { listCredentials } from '../../src/credentials/find-credentials.ts';
import { revokeCredential } from '../../src/credentials/revoke-credential.ts';
import { newSecret } from '../../src/credentials/secret-text.ts';
import { type ApiResponse, call, ingestProblem, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { marketYaml } from './market.ts';

const INGEST = '/api/v1/ingest';
const STATS = '/api/v1/supplier/stats';
const LEADS = '/api/v1/buyer/leads';
const clock = handClock('2026-11-20T18:00:00.000Z');

let market: TestMarketplace;
let key: string;
let token: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock });
  key = await market.supplierKey('acme-media');
  token = await market.buyerToken('summit');
});
afterAll(() => market.close());

const get = (path: string, headers: Record<string, string>): Promise<ApiResponse> =>
  call(market.url + path, { headers });
const post = (headers: Record<string, string>): Promise<ApiResponse> =>
  call(market.url + INGEST, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });

function issue(kind: CredentialKind, ownerKey: string, expiresAt: Date | null = null) {
  const input = { kind, ownerKey, label: null, expiresAt, actor: commandLineActor };
  return market.database.tx((tx) => issueCredential(tx, input, clock.now()));
}

async function revoke(credentialId: CredentialId): Promise<void> {
  const revocation = { kinds: ['supplier_key', 'buyer_token'], credentialId, actor: commandLineActor } as const;
  await market.database.tx((tx) => revokeCredential(tx, revocation, clock.now()));
}

const flipped = (secret: string): string => secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');

describe('A secret', () => {
  it('names its kind in its prefix, and never repeats', async () => {
    const secrets = [key, await market.supplierKey('acme-media'), token, await market.buyerToken('summit')];
    expect(secrets.map((secret) => secret.slice(0, 4))).toEqual(['lms_', 'lms_', 'lmb_', 'lmb_']);
    expect(new Set(secrets).size).toBe(4);
  });

  it('is nowhere in the database', async () => {
    const tables = await market.database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const parts = [key.slice(4, 20), token.slice(4, 20)];
    for (const { name } of tables.rows) {
      const { rows } = await market.database.pool.query(`SELECT 1 FROM "${name}" t WHERE t::text LIKE ANY ($1)`, [
        parts.map((part) => `%${part}%`),
      ]);
      expect([name, rows.length]).toEqual([name, 0]);
    }
  });
});

describe('The same error without a reason is returned for', () => {
  const strangers: ReadonlyArray<readonly [string, () => string]> = [
    ['a word', () => 'secret'],
    ['a prefix alone', () => 'lms_'],
    ['a key with another last character', () => flipped(key)],
    ['a key in capitals', () => key.toUpperCase()],
    ['a key cut short', () => key.slice(0, -1)],
    ['a key with something behind it', () => `${key}0`],
    ['a well-formed key that was never issued', () => newSecret('supplier_key')],
    ['a key in quotes', () => `"${key}"`],
    ['two keys in one header', () => `${key}, ${key}`],
    ['a buyer’s token', () => token],
    ['an operator’s token', () => newSecret('operator_token')],
    ['a thousand characters', () => 'x'.repeat(1000)],
    ['SQL', () => `' OR 1=1 --`],
  ];

  it.each(strangers)('%s in x-api-key', async (_, secret) => {
    const response = await post({ 'x-api-key': secret() });
    expect(problemFacts(response)).toEqual(ingestProblem(401, 'unauthorized'));
    expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="lead-marketplace"');
    expect(response.headers.get('ratelimit-limit')).toBeNull();
    const { requestId: _r, processingTime: _p, ...seen } = response.json;
    const { requestId: _q, processingTime: _t, ...missing } = (await post({})).json;
    expect(seen).toEqual(missing);
  });

  it.each<readonly [string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['a token without a scheme', () => ({ authorization: token })],
    ['the scheme without a token', () => ({ authorization: 'Bearer' })],
    ['the scheme without a blank', () => ({ authorization: `Bearer${token}` })],
    ['another scheme', () => ({ authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` })],
    ['a token in x-api-key', () => ({ 'x-api-key': token })],
    ['a supplier’s key as a bearer', () => ({ authorization: `Bearer ${key}` })],
    ['two tokens in one header', () => ({ authorization: `Bearer ${token}, Bearer ${token}` })],
    ['a token with another last character', () => ({ authorization: `Bearer ${flipped(token)}` })],
    ['a token in a cookie', () => ({ cookie: `token=${token}` })],
  ])('%s on a buyer’s route', async (_, headers) => {
    const response = await get(LEADS, headers());
    expect(problemFacts(response)).toEqual(problem(401, 'unauthorized'));
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="lead-marketplace"');
    const { requestId: _r, ...seen } = response.json;
    const { requestId: _q, ...missing } = (await get(LEADS, {})).json;
    expect(seen).toEqual(missing);
  });

  it('a credential in the query', async () => {
    expect((await get(`${LEADS}?access_token=${token}&token=${token}`, {})).status).toBe(401);
    expect((await get(`${STATS}?x-api-key=${key}&api_key=${key}`, {})).status).toBe(401);
  });

  it('a header that is sent twice, even with the same credential', async () => {
    const port = Number(new URL(market.url).port);
    const twice = (name: string, value: string) => ({ [name]: `${value}\r\n${name}: ${value}` });
    const responses = [
      await exchange(port, requestText(`GET ${STATS}`, twice('X-Api-Key', key))),
      await exchange(port, requestText(`GET ${LEADS}`, twice('Authorization', `Bearer ${token}`))),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401]);
  });

  it('a suspended owner, except for its own code', async () => {
    const frozen = await market.buyerToken('frozen');
    expect(problemFacts(await get(LEADS, { authorization: `Bearer ${frozen}` }))).toEqual(
      problem(403, 'partner_suspended'),
    );
    for (const supplier of ['newcomer', 'halted']) {
      const theirs = await market.supplierKey(supplier);
      expect(problemFacts(await post({ 'x-api-key': theirs }))).toEqual(ingestProblem(403, 'supplier_not_approved'));
    }
  });
});

describe('The API accepts', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('a token after %s', async (scheme) => {
    expect((await get(LEADS, { authorization: `${scheme} ${token}` })).status).toBe(200);
  });

  it('a token after more than one blank', async () => {
    expect((await get(LEADS, { authorization: `Bearer   ${token}` })).status).toBe(200);
  });

  it('a key in a header of any case', async () => {
    const { port } = new URL(market.url);
    const response = await exchange(Number(port), requestText(`GET ${STATS}`, { 'X-API-KEY': key }));
    expect(response.status).toBe(200);
  });

  it('the right credential, for any value of the other header', async () => {
    expect((await get(STATS, { 'x-api-key': key, authorization: 'Basic eDp5' })).status).toBe(200);
    expect((await get(LEADS, { 'x-api-key': 'x', authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('each of several credentials of an owner, also a new one', async () => {
    const keys = [key, await market.supplierKey('acme-media'), await market.supplierKey('acme-media')];
    const statuses = await Promise.all(keys.map(async (one) => (await get(STATS, { 'x-api-key': one })).status));
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('a key that was tried before it was issued to a new supplier', async () => {
    const yaml = marketYaml().replace(
      '  - { key: newcomer,',
      '  - { key: late, name: Late, status: approved }\n  - { key: newcomer,',
    );
    await market.apply(yaml);
    expect((await get(STATS, { 'x-api-key': await market.supplierKey('late') })).json.supplierKey).toBe('late');
  });

  it('a supplier of every status for its statistics, and a paused partner for its leads', async () => {
    for (const supplier of ['newcomer', 'halted']) {
      const response = await get(STATS, { 'x-api-key': await market.supplierKey(supplier) });
      expect([response.status, response.json.supplierKey]).toEqual([200, supplier]);
    }
    const resting = await market.buyerToken('resting');
    expect((await get(LEADS, { authorization: `Bearer ${resting}` })).status).toBe(200);
  });
});

describe('A credential that ends', () => {
  it('by revocation is rejected within 5 seconds, and no other one with it', async () => {
    const { credentialId, secret } = await issue('supplier_key', 'acme-media');
    expect((await get(STATS, { 'x-api-key': secret })).status).toBe(200);
    await revoke(credentialId);
    clock.advance(4999);
    expect(problemFacts(await post({ 'x-api-key': secret }))).toEqual(ingestProblem(401, 'unauthorized'));
    expect((await get(STATS, { 'x-api-key': key })).status).toBe(200);
  });

  it('by revocation is rejected by every process', async () => {
    const sibling = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock, on: market.testDatabase });
    const { credentialId, secret } = await issue('buyer_token', 'summit');
    const headers = { authorization: `Bearer ${secret}` };
    const before = await call(sibling.url + LEADS, { headers });
    await revoke(credentialId);
    clock.advance(4999);
    const after = await call(sibling.url + LEADS, { headers });
    await sibling.close();
    expect([before.status, after.status]).toEqual([200, 401]);
  });

  it('by its expiry is rejected from that millisecond on', async () => {
    const expiresAt = new Date(clock.now().getTime() + 1500);
    const { secret } = await issue('buyer_token', 'summit', expiresAt);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await get(LEADS, headers)).status).toBe(200);
    clock.advance(1499);
    expect((await get(LEADS, headers)).status).toBe(200);
    clock.advance(1);
    expect(problemFacts(await get(LEADS, headers))).toEqual(problem(401, 'unauthorized'));
  });

  it('before its first use is rejected from the start', async () => {
    const { secret } = await issue('supplier_key', 'acme-media', new Date(clock.now().getTime()));
    expect((await get(STATS, { 'x-api-key': secret })).status).toBe(401);
  });
});

describe('The last use', () => {
  it('of a credential is shown to the operator once it is written', async () => {
    const other = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock });
    const used = await other.supplierKey('acme-media');
    await other.supplierKey('acme-media');
    await call(other.url + STATS, { headers: { 'x-api-key': used } });
    // Draining writes what is still in memory.
    await other.runtime.drain();
    const owner = { kinds: ['supplier_key'], ownerKey: 'acme-media' } as const;
    const listed = await other.database.tx((tx) => listCredentials(tx, owner));
    await other.testDatabase.drop();
    expect(listed.map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, clock.now()]);
  });
});
