// Tests GET /api/v1/buyer/audit-log of the running service: the changes of a partner with their actors, and nothing of other partners
// (contract 6.15).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appendAudit } from '../../src/audit/append-audit.ts';
import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { uuidOf } from '../../src/base/ids.ts';
import { setBuyerStatus } from '../../src/buyers/save-buyers.ts';
import { disableEndpoints, enableEndpoint } from '../../src/buyers/set-endpoint.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import { revokeCredential } from '../../src/credentials/revoke-credential.ts';
import { rotateSigningSecret } from '../../src/credentials/signing-secrets.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { type ApiResponse, call, getAsBuyer, problem, problemFacts } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const PATH = '/api/v1/buyer/audit-log';
const WIDE = 'rateLimit: { perSecond: 100000, burst: 100000 }';
const TARGETS = ['https://crm.summit.example'];

const yaml = (payout = 45, timeZone = 'America/Los_Angeles', more = '') => `
suppliers: [{ key: acme-media, name: Acme Media, status: approved }]
partners:
  - { key: summit, name: Summit, timeZone: ${timeZone}, channels: [webhook], betaTools: [audit-log], editableFields: [webhookUrl], ${WIDE},
      settings: { webhookUrl: "https://crm.summit.example/leads" },
      offers: [{ key: summit-west, name: West, eventType: Lead Sale, payout: ${payout}, priority: 2, filters: { states: [CA], suppliersNot: [acme-media], sourcesNot: [acme-label] }${more} }] }
  - { key: harbor, name: Harbor, channels: [], betaTools: [audit-log], ${WIDE}, offers: [{ key: harbor-east, name: East, eventType: Lead Sale, payout: 40 }] }
  - { key: plain, name: Plain, channels: [], betaTools: [timeline], ${WIDE} }
  - { key: frozen, name: Frozen, status: suspended, channels: [], betaTools: [audit-log], ${WIDE} }
`;

let market: TestMarketplace;
let token: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: yaml(), role: 'api', allowTargets: TARGETS });
  token = await market.buyerToken('summit');
});
afterAll(() => market.close());

const get = (query = '', as = token): Promise<ApiResponse> => getAsBuyer(market.url, as, `${PATH}${query}`);
/** The events after this many. */
const since = async (count: number): Promise<Json[]> => {
  const { data } = (await get('?limit=200')).json;
  return data.slice(0, data.length - count);
};
const count = async (): Promise<number> => (await get('?limit=200')).json.data.length;

describe('The audit log', () => {
  it('has every member of an event, and begins with the creation of the partner', async () => {
    const { status, json, headers } = await get();
    expect([status, headers.get('cache-control'), Object.keys(json)]).toEqual([200, 'no-store', ['data']]);
    expect(json.data.map(({ action, target }: Json) => `${action} ${target.replace(/_.*/, '')}`)).toEqual([
      'token.issued tok',
      'offer.created summit-west',
      'partner.created summit',
    ]);
    const [issued] = json.data;
    expect(Object.keys(issued)).toEqual(['id', 'at', 'actor', 'action', 'target', 'changes', 'ip', 'requestId']);
    expect(issued).toMatchObject({
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: { type: 'operator', name: 'operator' },
      ip: null,
      requestId: null,
    });
  });

  it('shows what an applied file changed in the partner and its offers, before and after', async () => {
    const before = await count();
    await market.apply(yaml(50, 'America/New_York', ', caps: { daily: 5 }'));
    const events = await since(before);
    expect(events.map(({ action, target, changes }) => ({ action, target, changes }))).toEqual([
      {
        action: 'offer.updated',
        target: 'summit-west',
        changes: { payout: { from: 45, to: 50 }, 'caps.daily': { from: null, to: 5 } },
      },
      {
        action: 'partner.updated',
        target: 'summit',
        changes: { timeZone: { from: 'America/Los_Angeles', to: 'America/New_York' } },
      },
    ]);
    // Removed from the file, and closed by that.
    const parsed = parseFile(yaml(50, 'America/New_York').replaceAll('summit-west', 'summit-east'), {
      allowTargets: TARGETS,
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const pruning = { dryRun: false, prune: true, actor: commandLineActor };
    await market.database.tx((tx) => applyFile(tx, parsed.file, pruning, new Date()));
    const closed = (await since(before + 2)).filter(({ target }) => target === 'summit-west');
    expect(closed.map(({ action, changes }) => [action, changes])).toEqual([
      ['offer.closed', { status: { from: 'active', to: 'closed' } }],
    ]);
  });

  it('shows token, address and request of the partner’s own changes', async () => {
    const before = await count();
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'order-1001' };
    const body = { webhookUrl: 'https://crm.summit.example/new' };
    expect((await call(`${market.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body })).status).toBe(200);
    const [event] = await since(before);
    const { data } = (await get('?limit=200')).json;
    const issued = data.find(({ action }: Json) => action === 'token.issued');
    expect(event).toMatchObject({
      actor: { type: 'buyer', name: issued.target },
      action: 'account.updated',
      target: 'summit',
      changes: { webhookUrl: { from: 'https://crm.summit.example/leads', to: 'https://crm.summit.example/new' } },
      ip: '127.0.0.1',
      requestId: 'order-1001',
    });
  });

  it('shows events of credentials, the status and the endpoint', async () => {
    const before = await count();
    const now = new Date();
    const actor = commandLineActor;
    const { database } = market;
    const input = { kind: 'buyer_token', ownerKey: 'summit', label: 'desk', expiresAt: null, actor } as const;
    const { credentialId } = await database.tx((tx) => issueCredential(tx, input, now));
    await database.tx((tx) => revokeCredential(tx, { kinds: ['buyer_token'], credentialId, actor }, now));
    await database.tx((tx) => rotateSigningSecret(tx, { owner: { kind: 'buyer', key: 'summit' }, actor }, now));
    await database.tx((tx) => setBuyerStatus(tx, { buyerKey: 'summit', status: 'paused', actor }, now));
    const bad = {
      buyerKey: 'summit',
      webhookUrl: 'https://crm.summit.example/new',
      reason: 'gone',
      since: now,
      waiting: 0,
    } as const;
    await database.tx((tx) => disableEndpoints(tx, [bad], now));
    await database.tx((tx) => enableEndpoint(tx, { buyerKey: 'summit', actor }, now));
    await market.runtime.refresh();
    const events = await since(before);
    expect(events.map(({ action, actor: by }) => `${action} by ${by.type} ${by.name}`)).toEqual([
      'endpoint.enabled by operator operator',
      'endpoint.disabled by system delivery',
      'partner.status_set by operator operator',
      'secret.rotated by operator operator',
      'token.revoked by operator operator',
      'token.issued by operator operator',
    ]);
    expect(uuidOf('token', events[5]?.target)).toBe(credentialId);
  });

  it('contains no secret, and nothing of suppliers, other partners and the ranking of buyers', async () => {
    const { text } = await get('?limit=200');
    for (const secret of ['whsec_', 'lmb_', 'acme', 'harbor', 'priority', 'weight', 'command line']) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
    const harbor = await get('', await market.buyerToken('harbor'));
    expect(harbor.json.data).toHaveLength(3);
    expect(harbor.text).not.toContain('summit');
  });

  it('returns the latest events, 50 by default and 200 at most', async () => {
    const event = {
      at: new Date(),
      actor: commandLineActor,
      supplierKey: null,
      action: 'note',
      changes: {},
      ...noOrigin,
    };
    await market.database.tx((tx) =>
      appendAudit(
        tx,
        Array.from({ length: 250 }, (_, n) => ({ ...event, buyerKey: 'summit', target: String(n) })),
      ),
    );
    for (const [query, expected] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=200', 200],
    ] as const) {
      const { json } = await get(query);
      const targets = json.data.map(({ target }: Json) => target);
      expect(targets).toEqual(Array.from({ length: expected }, (_, n) => String(249 - n)));
    }
  });

  it.each([
    ['0', 'out_of_range'],
    ['201', 'out_of_range'],
    ['-1', 'out_of_range'],
    ['1.5', 'wrong_type'],
    ['ten', 'wrong_type'],
    ['', 'empty'],
    ['5&limit=5', 'repeated'],
  ])('rejects limit=%s', async (limit, code) => {
    const response = await get(`?limit=${limit}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect(response.json.errors).toEqual([{ field: 'limit', code, message: expect.any(String) }]);
  });

  it('is available only to partners with this tool, for any query', async () => {
    const plain = await market.buyerToken('plain');
    for (const query of ['', '?limit=0']) {
      expect(problemFacts(await get(query, plain))).toEqual(problem(403, 'beta_not_enabled'));
    }
    expect(problemFacts(await get('', await market.buyerToken('frozen')))).toEqual(problem(403, 'partner_suspended'));
    expect(problemFacts(await call(market.url + PATH))).toEqual(problem(401, 'unauthorized'));
  });
});
