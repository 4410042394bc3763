// The configuration through the operator's API: the whole file, and one resource at a time, with ETag, If-Match and dry runs (contract 10.4).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

let market: TestMarketplace;
let token: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
});
// Each with its own allowance of requests.
beforeEach(async () => {
  token = await market.operatorToken(['configure']);
});
afterAll(() => market.close());

type Sent = { readonly method?: string; readonly body?: object; readonly headers?: Readonly<Record<string, string>> };

const ask = (path: string, { headers = {}, ...sent }: Sent = {}): Promise<ApiResponse> =>
  call(`${market.url}/api/v1/operator${path}`, { ...sent, headers: { authorization: `Bearer ${token}`, ...headers } });

const sendText = async (text: string, type: string, query = '', headers: Record<string, string> = {}) => {
  const response = await fetch(`${market.url}/api/v1/operator/marketplace-file${query}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': type, ...headers },
    body: text,
  });
  return {
    status: response.status,
    json: (await response.json()) as { [name: string]: never },
    headers: response.headers,
  };
};

describe('The marketplace file', () => {
  it('is read as YAML or JSON with its version as ETag, and applying it again changes nothing', async () => {
    const yaml = await ask('/marketplace-file');
    const json = await ask('/marketplace-file', { headers: { accept: 'application/json' } });
    expect([yaml.status, yaml.headers.get('content-type')]).toEqual([200, 'application/yaml; charset=utf-8']);
    expect(json.json).toMatchObject({ marketplace: {}, suppliers: expect.any(Array), partners: expect.any(Array) });
    const tag = yaml.headers.get('etag') ?? '';
    expect([json.headers.get('etag'), tag]).toEqual([tag, expect.stringMatching(/^"\d+"$/)]);
    const match = { 'if-match': tag };
    for (const [text, type] of [
      [yaml.text, 'application/yaml'],
      [json.text, 'application/json'],
    ] as const) {
      const applied = await sendText(text, type, '', match);
      expect([applied.status, applied.json]).toEqual([200, expect.objectContaining({ applied: true, changes: [] })]);
    }
  });

  it('answers a dry run with the difference, and errors with their paths and lines', async () => {
    const { text } = await ask('/marketplace-file');
    const changed = text.replace('name: Summit', 'name: Summit Two');
    expect(changed).not.toBe(text);
    const tried = await sendText(changed, 'application/yaml', '?dryRun=true');
    expect(tried.json).toMatchObject({
      applied: false,
      changes: [{ kind: 'partner', key: 'summit', action: 'update' }],
    });
    expect((await ask('/marketplace-file')).text).toBe(text);
    const faulty = await sendText(text.replace('key: summit', 'kee: summit'), 'application/yaml', '?dryRun=true');
    expect(faulty.status).toBe(422);
    expect(faulty.json).toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([
        expect.objectContaining({
          field: expect.stringContaining('partners'),
          message: expect.stringMatching(/^line \d+/),
        }),
      ]),
    });
  });

  it('is not applied over another version, as another type, or as anything but a file', async () => {
    const { text } = await ask('/marketplace-file');
    expect((await sendText(text, 'application/yaml', '', { 'if-match': '"999999"' })).status).toBe(412);
    expect((await sendText(text, 'text/plain')).status).toBe(415);
    for (const garbage of ['\u0000', '- - -', '"', '&a [*a]', '[]', 'null'])
      expect([garbage, (await sendText(garbage, 'application/yaml')).status]).toEqual([garbage, 422]);
    const bytes = await fetch(`${market.url}/api/v1/operator/marketplace-file`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/yaml' },
      body: Buffer.from([0xff, 0xfe, 0x00]),
    });
    expect(bytes.status).toBe(422);
    expect((await sendText('x'.repeat(5_000_001), 'application/yaml')).status).toBe(413);
  });
});

describe.each([
  ['/partners/summit', 'name'],
  ['/suppliers/acme-media', 'name'],
  ['/offers/summit-west', 'name'],
] as const)('The resource %s', (path, member) => {
  it('is patched with the ETag of what was read, once, and tried before', async () => {
    const before = await ask(path);
    const tag = before.headers.get('etag') ?? '';
    expect([before.status, tag]).toEqual([200, expect.stringMatching(/^"/)]);
    const change = { method: 'PATCH', body: { [member]: 'Another Name' }, headers: { 'if-match': tag } };
    const tried = await ask(`${path}?dryRun=true`, change);
    expect([tried.status, tried.json]).toEqual([200, expect.objectContaining({ applied: false })]);
    expect(tried.json.changes).toHaveLength(1);
    const applied = await ask(path, change);
    expect([applied.status, applied.json.applied, applied.json.changes.length]).toEqual([200, true, 1]);
    const after = await ask(path);
    expect(after.json).toEqual({ ...before.json, [member]: 'Another Name' });
    expect(applied.headers.get('etag')).toBe(after.headers.get('etag'));
    expect(problemFacts(await ask(path, change))).toEqual(problem(412, 'precondition_failed'));
  });

  it('is put back as it was read without any change', async () => {
    const { json } = await ask(path);
    const put = await ask(path, { method: 'PUT', body: json });
    expect([put.status, put.json.changes]).toEqual([200, []]);
    expect((await ask(path)).json).toEqual(json);
  });

  it('rejects a wrong member with its path, and another key', async () => {
    const wrong = await ask(path, { method: 'PATCH', body: { [member]: 5 } });
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, expect.stringContaining(member)]);
    const other = await ask(path, { method: 'PATCH', body: { key: 'other' } });
    expect([other.status, other.json.errors[0].field]).toEqual([422, 'key']);
  });
});

describe('A resource that does not exist', () => {
  it('is created by PUT, not by PATCH, and an offer must say whose it is', async () => {
    expect((await ask('/suppliers/new-media', { method: 'PATCH', body: { name: 'New' } })).status).toBe(404);
    expect((await ask('/suppliers/new-media')).status).toBe(404);
    const created = await ask('/suppliers/new-media', { method: 'PUT', body: { name: 'New Media' } });
    expect([created.status, created.json.changes]).toEqual([
      200,
      [expect.objectContaining({ kind: 'supplier', key: 'new-media', action: 'create' })],
    ]);
    expect((await ask('/suppliers/new-media')).json).toMatchObject({ key: 'new-media', name: 'New Media' });
    const offer = await ask('/offers/new-offer', { method: 'PUT', body: { name: 'x' } });
    expect([offer.status, offer.json.errors[0].field]).toEqual([422, 'partner']);
  });

  it('has the token as author of its creation', async () => {
    const [event] = await select<{ name: string }>(
      market.database,
      `SELECT actor_name AS name FROM audit_event WHERE target = 'new-media' AND actor_type = 'operator' LIMIT 1`,
    );
    expect(event?.name).toMatch(/^program \(tok_[0-9a-z]{26}\)$/);
  });
});

describe('A token that issues tokens', () => {
  it('gives only scopes that it has, shows the secret once, and revokes', async () => {
    const body = { name: 'deploy', scopes: ['configure', 'money'] };
    const tooMuch = await ask('/operator-tokens', { method: 'POST', body });
    expect([tooMuch.status, tooMuch.json.errors[0].field]).toEqual([422, 'scopes']);
    const sent = { method: 'POST', body: { ...body, scopes: ['configure'] }, headers: { 'idempotency-key': 'once' } };
    const issued = await ask('/operator-tokens', sent);
    expect([issued.status, issued.json.secret]).toEqual([201, expect.stringMatching(/^lmo_/)]);
    expect((await ask('/operator-tokens', sent)).json).toEqual({ tokenId: issued.json.tokenId, secret: null });
    const { tokenId } = issued.json;
    const { json } = await ask('/operator-tokens');
    expect(json.data[0]).toMatchObject({ tokenId, name: 'deploy', scopes: ['configure'], revokedAt: null });
    expect((await ask(`/operator-tokens/${tokenId}/revoke`, { method: 'POST' })).status).toBe(200);
    expect((await ask('/operator-tokens')).json.data[0].revokedAt).not.toBeNull();
  });
});
