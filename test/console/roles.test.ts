// Operator roles at the console: permissions, personal data, and audit events (decision 030).
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import type { Permission } from '../../src/platform/http/permission.rules.ts';
import { setOperatorDisabled, setOperatorRole } from '../../src/sessions/change-operator.ts';
import { type OperatorRole, operatorRoles, permissionsOf } from '../../src/sessions/operator.rules.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, postAsBuyer, postLead, problem, problemFacts } from '../support/api-client.ts';
import { inside } from '../support/ask-inside.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type RegisteredRoute, routesRegisteredBy } from '../support/routes.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

/** Personal data that occurs nowhere else in the marketplace. */
const CANARIES = ['Zephyrine', 'Quillfeather', 'zq.canary', '5550177', '198.51.100.77', 'Canary Lane', 'Canary Bakery'];
const LEAD = {
  external_id: 'CRM-1',
  full_name: 'Zephyrine Quillfeather',
  email: 'zq.canary@example.com',
  phone: '+12025550177',
  business_name: 'Canary Bakery',
  state: 'CA',
  debt_amount: '24500',
  lead_ip: '198.51.100.77',
  consent_timestamp: '2026-11-20T17:03:11Z',
  street: '7 Canary Lane',
};

let market: TestMarketplace;
let routes: readonly RegisteredRoute[];
const people: Partial<Record<OperatorRole, SignedIn>> = {};
let leadId: string;
let deliveryId: string;
let claimId: string;

const as = (role: OperatorRole): SignedIn => {
  const person = people[role];
  if (person === undefined) throw new Error(`nobody is signed in as ${role}`);
  return person;
};
const change = { actor: commandLineActor } as const;
const giveRole = (name: string, role: OperatorRole) =>
  market.database.tx((tx) => setOperatorRole(tx, { ...change, name, role }, new Date()));

beforeAll(async () => {
  const registered = await routesRegisteredBy(() => startTestMarketplace({ yaml: marketYaml() }));
  market = registered.built;
  routes = registered.routes.filter(
    ({ path, config }) => path.startsWith('/console/api/') && config?.permission !== undefined,
  );
  await signIn();
  const key = await market.supplierKey('acme-media');
  const posted = await postLead(market.url, key, LEAD);
  if (posted.status !== 202) throw new Error(posted.text);
  leadId = posted.json.lead_id as string;
  const token = await market.buyerToken('summit');
  const buyer = await market.signedIn.buyer('summit');
  deliveryId = await eventually('the lead is delivered', async () => {
    const { json } = await buyer.get('/portal/api/v1/buyer/leads?status=Confirmed');
    return (json.data[0]?.deliveryId as string | undefined) ?? null;
  });
  const proof = 'Zephyrine (zq.canary@example.com, +12025550177) says she never asked.';
  const filed = await postAsBuyer(market.url, token, '/api/v1/buyer/returns', {
    body: { deliveryId, reason: 'duplicate', proof },
  });
  if (filed.status !== 201) throw new Error(filed.text);
  claimId = filed.json.returnId as string;
});
afterAll(() => market.close());

const addressOf = (path: string): string =>
  path
    .replace('/leads/:leadId', `/leads/${leadId}`)
    .replace('/claims/:id', `/claims/${claimId}`)
    .replace(':deliveryId', deliveryId)
    .replace('/partners/:ownerKey', '/partners/summit')
    .replace(':partnerKey', 'summit')
    .replace(':partner', 'summit')
    .replace('/suppliers/:ownerKey', '/suppliers/acme-media')
    .replace(':supplierKey', 'acme-media')
    .replace(':offerKey', 'summit-west')
    .replaceAll(/:\w+/g, 'nothing');

async function ask(role: OperatorRole, { method, path }: { method: string; path: string }): Promise<ApiResponse> {
  const session = inside(market.runtime.app, as(role));
  const response = await (method === 'GET'
    ? session.get(addressOf(path))
    : session.send(method, addressOf(path), method === 'POST' ? {} : undefined));
  // It would say nothing about the route.
  if (response.status === 429) throw new Error(`${method} ${path}: the session has sent too many requests`);
  return response;
}

/** A session may send a limited number of requests, and all routes are many. */
async function signIn(): Promise<void> {
  for (const role of operatorRoles) people[role] = await market.signedIn.operator(role, role);
}

describe('every route of the console', () => {
  beforeEach(signIn);

  it('declares a permission', () => {
    expect(routes.length).toBeGreaterThan(50);
  });

  it.each(operatorRoles)('allows the role %s exactly its permissions', async (role) => {
    const allowed: readonly Permission[] = permissionsOf(role);
    const wrong: string[] = [];
    for (const route of routes) {
      const permission = route.config?.permission;
      if (permission === undefined || route.path.endsWith('/stream')) continue;
      // Allowed requests are minimal here; their effects are tested elsewhere.
      if (allowed.includes(permission) && route.method !== 'GET') continue;
      const { status, json } = await ask(role, route);
      const isRefused = status === 403 && json.code === 'role_not_allowed';
      if (isRefused === allowed.includes(permission)) wrong.push(`${route.method} ${route.path}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('of work is open to the roles that do it', async () => {
    const post = async (role: OperatorRole, path: string, body: object): Promise<number> =>
      (await as(role).send('POST', `/console/api${path}`, body)).status;
    expect(await post('support', `/claims/${claimId}/start-review`, {})).toBe(200);
    expect(await post('finance', `/claims/${claimId}/start-review`, {})).toBe(403);
    const entry = { partner: 'summit', type: 'nothing' };
    expect(await post('finance', '/ledger/entries', entry)).not.toBe(403);
    expect(await post('support', '/ledger/entries', entry)).toBe(403);
    expect(await post('support', '/partners/summit/secret/show', {})).toBe(403);
    expect(await post('read-only', '/jobs/retry', {})).toBe(403);
    expect(await post('support', '/jobs/retry', {})).toBe(200);
  });

  it('allows only administrators to search and erase persons', () => {
    const named = routes.filter(({ config }) => config?.permission === 'persons').map(({ path }) => path);
    expect(named).toEqual(
      expect.arrayContaining(['/console/api/erasure/search', '/console/api/erasure/leads/:leadId']),
    );
    for (const role of operatorRoles) expect(permissionsOf(role).includes('persons')).toBe(role === 'admin');
  });
});

describe('personal data in the console', () => {
  beforeEach(signIn);

  const shownIn = (text: string): string[] =>
    CANARIES.filter((canary) => text.toLowerCase().includes(canary.toLowerCase()));

  it.each(operatorRoles.filter((role) => role !== 'admin'))('is in no response to the role %s', async (role) => {
    const seen: string[] = [];
    for (const route of routes) {
      if (route.method !== 'GET' || route.path.endsWith('/stream')) continue;
      const { text } = await ask(role, route);
      for (const canary of shownIn(text)) seen.push(`${route.path}: ${canary}`);
    }
    const { text } = await as(role).get('/console/api/leads', { 'x-search': 'CRM-1' });
    expect([...seen, ...shownIn(text)]).toEqual([]);
    expect(text).toContain(leadId);
  });

  it('is shown to administrators only by routes that declare it', async () => {
    const silent: string[] = [];
    for (const route of routes) {
      if (route.method !== 'GET' || route.path.endsWith('/stream') || route.config?.reveals !== undefined) continue;
      for (const canary of shownIn((await ask('admin', route)).text)) silent.push(`${route.path}: ${canary}`);
    }
    expect(silent).toEqual([]);
    const { json } = await as('admin').get(`/console/api/leads/${leadId}`);
    expect(json.lead.fields).toMatchObject({ fullName: LEAD.full_name, email: LEAD.email });
  });

  it.each(['zq.canary@example.com', '+12025550177', 'Quillfeather', '0177'])(
    'are not found by %s without the permission',
    async (text) => {
      const found = async (role: OperatorRole) =>
        (await as(role).get('/console/api/leads', { 'x-search': encodeURIComponent(text) })).json.data as unknown[];
      expect(await found('support')).toEqual([]);
      expect(await found('admin')).toHaveLength(1);
    },
  );

  it('is replaced without changing the shape of a response', async () => {
    const { json } = await as('support').get(`/console/api/claims/${claimId}`);
    expect(json.lead).toMatchObject({ leadId, fields: { fullName: '•••', email: '•••', state: 'CA', extra: {} } });
    expect(json.statement).toBe('••• (•••, •••) says she never asked.');
    const list = (await as('read-only').get('/console/api/leads')).json;
    expect(list.data[0]).toMatchObject({ leadId, externalId: 'CRM-1', supplierName: 'Acme Media', name: '•••' });
  });
});

type Event = { readonly action: string; readonly target: string; readonly name: string; readonly ip: string | null };

async function eventsOf(name: string, action: string): Promise<Event[]> {
  const rows = await select<Event & { actorType: string; buyer: string | null }>(
    market.database,
    `SELECT action, target, actor_name AS name, ip, actor_type AS "actorType", buyer_key AS buyer
     FROM audit_event WHERE actor_name = '${name}' AND action = '${action}' ORDER BY audit_id`,
  );
  for (const { actorType, buyer } of rows) expect([actorType, buyer]).toEqual(['operator', null]);
  return rows.map(({ action: what, target, name: who, ip }) => ({ action: what, target, name: who, ip }));
}

describe('the audit event of an access to personal data', () => {
  it('records operator, person, time and address, once for a page that refetches', async () => {
    const eve = await market.signedIn.operator('eve');
    expect(await eventsOf('eve', 'person.viewed')).toEqual([]);
    for (let look = 0; look < 3; look += 1) await eve.get(`/console/api/leads/${leadId}`);
    await eve.get(`/console/api/claims/${claimId}`);
    const event = { action: 'person.viewed', target: leadId, name: 'eve', ip: '127.0.0.1' };
    expect(await eventsOf('eve', 'person.viewed')).toEqual([event]);
    const again = await market.signedIn.operator('eve');
    await again.get('/console/api/leads');
    expect(await eventsOf('eve', 'person.viewed')).toEqual([event, event]);
  });

  it('names all leads of one list in one event', async () => {
    const key = await market.supplierKey('rival-media');
    for (const serial of [1, 2, 3]) {
      await postLead(market.url, key, { full_name: 'Jo Doe', email: `jo${serial}@example.com`, state: 'TX' });
    }
    const mel = await market.signedIn.operator('mel');
    const { json } = await mel.get('/console/api/leads');
    expect(await eventsOf('mel', 'person.viewed')).toMatchObject([{ target: `${json.data.length} leads` }]);
  });

  it('records searches, with and without results', async () => {
    await as('admin').send('POST', '/console/api/erasure/search', { email: 'nobody@example.com' });
    await as('admin').send('POST', '/console/api/erasure/search', { email: LEAD.email });
    expect((await eventsOf('admin', 'person.searched')).map(({ target }) => target)).toEqual(['0 leads', leadId]);
  });

  it('is not written if no personal data was shown', async () => {
    expect(await eventsOf('support', 'person.viewed')).toEqual([]);
  });

  it('is written for a signing secret as well', async () => {
    await as('admin').send('POST', '/console/api/partners/summit/secret/show', {});
    expect(await eventsOf('admin', 'secret.shown')).toMatchObject([{ target: 'summit', ip: '127.0.0.1' }]);
  });
});

describe('a role change', () => {
  it('takes effect on open sessions and is audited', async () => {
    const kim = await market.signedIn.operator('kim');
    expect((await kim.get('/console/api/configuration/export')).status).toBe(200);
    expect((await giveRole('kim', 'read-only')).ok).toBe(true);
    await eventually('the new role is in force', async () =>
      (await kim.get('/console/api/configuration/export')).status === 403 ? true : null,
    );
    expect(problemFacts(await kim.get('/console/api/configuration/export'))).toEqual(problem(403, 'role_not_allowed'));
    expect((await kim.get('/console/api/session')).json.session).toMatchObject({
      role: 'read-only',
      permissions: ['own', 'read'],
      secondFactor: 'none',
    });
    const [event] = await select<{ changes: unknown }>(
      market.database,
      `SELECT changes FROM audit_event WHERE action = 'operator.role_changed' AND target = 'kim'`,
    );
    expect(event?.changes).toEqual({ role: { from: 'admin', to: 'read-only' } });
  });

  it('is refused for the last administrator, like disabling the account', async () => {
    const admins = await select<{ name: string }>(market.database, `SELECT name FROM operator WHERE role = 'admin'`);
    for (const { name } of admins) if (name !== 'admin') expect((await giveRole(name, 'support')).ok).toBe(true);
    expect(await giveRole('admin', 'support')).toMatchObject({ ok: false, code: 'last_admin' });
    const disabling = { ...change, name: 'admin', disabled: true };
    expect(await market.database.tx((tx) => setOperatorDisabled(tx, disabling, new Date()))).toMatchObject({
      ok: false,
      code: 'last_admin',
    });
    expect((await giveRole('eve', 'admin')).ok).toBe(true);
    // Both at once: one administrator must remain.
    const both = await Promise.all([giveRole('admin', 'support'), giveRole('eve', 'support')]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe('a required second factor', () => {
  let strict: TestMarketplace;
  beforeAll(async () => {
    strict = await startTestMarketplace({ yaml: marketYaml(), role: 'api', requireTotp: true });
  });
  afterAll(() => strict.close());

  it('allows an operator without one only to set it up', async () => {
    const ana = await strict.signedIn.operator('ana');
    const facts = async (): Promise<Json> => (await ana.get('/console/api/session')).json.session;
    expect(await facts()).toMatchObject({ secondFactor: 'required' });
    expect(problemFacts(await ana.get('/console/api/leads'))).toEqual(problem(403, 'second_factor_required'));
    expect((await ana.get('/console/api/sessions')).status).toBe(200);
    const begun = (await ana.send('POST', '/console/api/second-factor')).json as { secret: string; uri: string };
    expect(begun.uri).toContain(`secret=${begun.secret}`);
    const confirm = (code: string): Promise<ApiResponse> =>
      ana.send('POST', '/console/api/second-factor/confirm', { code });
    const wrong = await confirm('000 000');
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, 'code']);
    const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate();
    expect((await confirm(`${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(204);
    expect(await facts()).toMatchObject({ secondFactor: 'set' });
    expect((await ana.get('/console/api/leads')).status).toBe(200);
    expect(problemFacts(await ana.send('POST', '/console/api/second-factor'))).toEqual(
      problem(409, 'second_factor_set'),
    );
    const [event] = await select<{ target: string; ip: string; changes: string }>(
      strict.database,
      `SELECT target, ip, changes::text FROM audit_event WHERE action = 'operator.second_factor_added'`,
    );
    expect(event).toMatchObject({ target: 'ana', ip: '127.0.0.1' });
    expect(event?.changes).not.toContain(begun.secret);
  });
});
