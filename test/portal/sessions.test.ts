// Portal sessions: sign-in, use, expiry, and sign-out (decision 022).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { accentShades } from '../../src/base/accent-shades.ts';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type CredentialId, uuidOf } from '../../src/base/ids.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import { revokeCredential } from '../../src/credentials/revoke-credential.ts';
import { statement } from '../../src/platform/database/database.ts';
import { setBuyerStatus } from '../../src/buyers/save-buyers.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { asBrowser, type SignedIn } from '../support/signed-in.ts';

const HERE = { 'sec-fetch-site': 'same-origin' };
const HOUR = 3_600_000;
const BRAND = { name: 'Lead Marketplace', shades: accentShades('#0b6b62'), logo: null, helpEmail: null };
const clock = handClock('2026-11-20T15:00:00Z');
/** With the default rate limit of partners. */
const yaml = marketYaml({ summitRate: '{ perSecond: 10, burst: 20 }' });
let market: TestMarketplace;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, clock });
});
// So that no test is limited by requests of the previous one.
beforeEach(() => clock.advance(5 * 60_000));
afterAll(() => market.close());

const post = (body: object | string, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> =>
  call(`${market.url}/portal/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...HERE, ...headers },
    body,
  });

/** The Cookie header that a browser would send. */
function cookieOf(response: ApiResponse): string {
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

async function signInWith(credential: string): Promise<SignedIn> {
  return asBrowser(market.url, cookieOf(await post({ credential })));
}

const whoami = async (who: SignedIn): Promise<unknown> => (await who.get('/portal/api/session')).json.session;

async function lastEvents(count: number): Promise<unknown[]> {
  return market.database.query(
    statement<{ count: number }, unknown>(
      'test.audit',
      `SELECT action, target, actor_type AS "actor", actor_name AS "name", buyer_key AS "buyer", supplier_key AS "supplier", ip
       FROM audit_event WHERE action LIKE 'session.%' ORDER BY audit_id DESC LIMIT $count`,
    ),
    { count },
  );
}

describe('the sign-in to the portal', () => {
  it('gives a partner a session for its token', async () => {
    const token = await market.buyerToken('summit');
    const response = await post({ credential: token });
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      session: {
        id: expect.stringMatching(/^ses_/) as string,
        kind: 'buyer',
        ownerKey: 'summit',
        name: 'Summit Debt Relief',
        status: 'active',
        timeZone: 'America/Los_Angeles',
        betaTools: [],
        currency: 'USD',
        user: null,
        rights: ['view', 'claims', 'money', 'settings'],
      },
      isDemo: false,
      mailsPasswordLinks: false,
      brand: BRAND,
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^sid=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    const buyer = asBrowser(market.url, cookieOf(response));
    expect((await buyer.get('/portal/api/session')).json).toEqual(response.json);
    const account = await buyer.get('/portal/api/v1/buyer/account');
    expect([account.status, account.json.name]).toEqual([200, 'Summit Debt Relief']);
  });

  it.each(['acme-media', 'newcomer', 'halted'])('gives the supplier %s a session for its key', async (key) => {
    const supplier = await signInWith(await market.supplierKey(key));
    expect(await whoami(supplier)).toMatchObject({ kind: 'supplier', ownerKey: key });
    expect((await supplier.get('/portal/api/v1/supplier/stats')).json.supplierKey).toBe(key);
    expect((await supplier.get('/portal/api/v1/buyer/leads')).status).toBe(401);
  });

  it('accepts a paused partner and refuses a suspended one', async () => {
    expect((await post({ credential: await market.buyerToken('resting') })).json.session.status).toBe('paused');
    const refused = await post({ credential: await market.buyerToken('frozen') });
    expect(problemFacts(refused)).toEqual(problem(403, 'partner_suspended'));
    expect(refused.headers.get('set-cookie')).toBeNull();
  });

  it.each([
    'nonsense',
    'lmb_',
    `lmb_${'A'.repeat(38)}`,
    // Well-formed but never issued.
    'lmo_00000000000000000000000000000000000000',
    ' ',
    "' OR 1=1 --",
  ])('responds to %j with a generic 401', async (credential) => {
    const response = await post({ credential });
    expect([400, 401]).toContain(response.status);
    expect(response.headers.get('set-cookie')).toBeNull();
    if (response.status !== 401) return;
    expect(problemFacts(response)).toEqual(problem(401, 'unauthorized'));
    expect(response.headers.get('www-authenticate')).toBe('Session realm="lead-marketplace"');
  });

  it.each([
    {},
    { credential: 3 },
    { credential: '' },
    { credential: 'a'.repeat(257) },
    { credential: 'x', more: 1 },
    { credential: '\u0000' },
    { credential: '\ud800' },
  ])('refuses %j without checking it', async (body) => {
    expect((await post(body)).status).toBe(422);
  });

  it.each(['', '[]', 'null', '{', '"x"'])('refuses the body %j', async (body) => {
    expect((await post(body)).status).toBe(400);
  });

  it('never returns the credential, and audits attempts with a revoked one', async () => {
    const token = await market.buyerToken('summit');
    const buyer = await signInWith(token);
    const [{ id }] = (await buyer.get('/portal/api/buyer/tokens')).json.data;
    expect((await buyer.send('DELETE', `/portal/api/buyer/tokens/${id}`)).status).toBe(200);
    clock.advance(2000);
    const response = await post({ credential: token });
    expect(response.status).toBe(401);
    expect(response.text).not.toContain(token.slice(4));
    expect(await lastEvents(1)).toEqual([
      {
        action: 'session.refused',
        target: id,
        actor: 'system',
        name: 'portal',
        buyer: 'summit',
        supplier: null,
        ip: '127.0.0.1',
      },
    ]);
  });

  it('allows one address twenty attempts a minute', async () => {
    for (let time = 0; time < 20; time += 1) await post({ credential: 'nonsense' });
    const response = await post({ credential: await market.buyerToken('summit') });
    expect(problemFacts(response)).toEqual(problem(429, 'sign_in_delayed'));
    expect(response.headers.get('retry-after')).toBe('3');
    clock.advance(3000);
    expect((await post({ credential: await market.buyerToken('summit') })).status).toBe(200);
  });
});

describe('a portal session', () => {
  it('is new at each sign-in, and the previous one ends', async () => {
    const token = await market.buyerToken('summit');
    const before = await signInWith(token);
    const response = await post({ credential: token }, { cookie: before.cookie });
    expect(response.status).toBe(200);
    expect(cookieOf(response)).not.toBe(before.cookie);
    expect(await whoami(before)).toBeNull();
    expect(await lastEvents(2)).toMatchObject([
      { action: 'session.opened', actor: 'buyer', name: 'summit', buyer: 'summit', ip: '127.0.0.1' },
      { action: 'session.ended', buyer: 'summit' },
    ]);
  });

  it('does not reuse a session that was planted in the browser', async () => {
    const planted = `sid=${'A'.repeat(43)}`;
    const response = await post({ credential: await market.buyerToken('summit') }, { cookie: planted });
    expect(cookieOf(response)).not.toBe(planted);
    expect(await whoami(asBrowser(market.url, planted))).toBeNull();
  });

  it('is invalid after sign-out, also for a copied cookie', async () => {
    const buyer = await signInWith(await market.buyerToken('summit'));
    expect(await whoami(buyer)).not.toBeNull();
    const out = await buyer.send('DELETE', '/portal/api/session');
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      'sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    ]);
    expect(await whoami(buyer)).toBeNull();
    expect(problemFacts(await buyer.get('/portal/api/v1/buyer/leads'))).toEqual(problem(401, 'unauthorized'));
    expect((await buyer.send('DELETE', '/portal/api/session')).status).toBe(204);
  });

  it('ends in other processes within two seconds', async () => {
    const other = await startTestMarketplace({ yaml, clock, on: market.testDatabase });
    try {
      const buyer = await signInWith(await market.buyerToken('summit'));
      const there = asBrowser(other.url, buyer.cookie);
      expect(await whoami(there)).not.toBeNull();
      await buyer.send('DELETE', '/portal/api/session');
      clock.advance(2000);
      expect(await whoami(there)).toBeNull();
    } finally {
      await other.close();
    }
  });

  it('ends when its token is revoked', async () => {
    const buyer = await market.signedIn.buyer('summit');
    const [{ id }] = (await buyer.get('/portal/api/buyer/tokens')).json.data;
    const credentialId = uuidOf('token', id) ?? ('' as CredentialId);
    const revocation = { kinds: ['buyer_token'], credentialId, actor: commandLineActor } as const;
    await market.database.tx((tx) => revokeCredential(tx, revocation, clock.now()));
    clock.advance(2000);
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(401);
    expect(await whoami(buyer)).toBeNull();
  });

  it('ends when its token expires', async () => {
    const buyer = await market.signedIn.buyer('summit');
    const [{ id }] = (await buyer.get('/portal/api/buyer/tokens')).json.data;
    await market.database.query(
      statement<{ credentialId: CredentialId | null; expiresAt: Date }>(
        'test.expire',
        'UPDATE credential SET expires_at = $expiresAt WHERE credential_id = $credentialId',
      ),
      { credentialId: uuidOf('token', id), expiresAt: new Date(clock.now().getTime() + 60_000) },
    );
    clock.advance(59_999);
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(200);
    clock.advance(1);
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(401);
  });

  it('ends after twelve hours without use; background requests of a page do not count', async () => {
    const used = await market.signedIn.buyer('summit');
    const left = await market.signedIn.buyer('summit');
    for (let hour = 0; hour < 3; hour += 1) {
      clock.advance(4 * HOUR - 1000);
      expect((await used.get('/portal/api/v1/buyer/leads')).status).toBe(200);
      expect((await left.get('/portal/api/v1/buyer/leads', { 'x-unattended': '1' })).status).toBe(200);
    }
    clock.advance(3000);
    expect((await left.get('/portal/api/v1/buyer/leads')).status).toBe(401);
    expect((await used.get('/portal/api/v1/buyer/leads')).status).toBe(200);
  });

  it('ends after seven days, regardless of use', async () => {
    const buyer = await market.signedIn.buyer('summit');
    for (let half = 0; half < 14; half += 1) {
      expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(200);
      clock.advance(12 * HOUR - 1);
    }
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(200);
    clock.advance(14);
    expect((await buyer.get('/portal/api/v1/buyer/leads')).status).toBe(401);
  });

  it('shows a suspended partner its status and nothing else', async () => {
    const buyer = await market.signedIn.buyer('harbor');
    const set = (status: 'suspended' | 'active') =>
      market.database.tx((tx) =>
        setBuyerStatus(tx, { buyerKey: 'harbor', status, actor: commandLineActor }, clock.now()),
      );
    await set('suspended');
    await market.runtime.refresh();
    expect(await whoami(buyer)).toMatchObject({ ownerKey: 'harbor', status: 'suspended' });
    for (const path of ['/portal/api/v1/buyer/leads', '/portal/api/buyer/tokens', '/portal/api/sessions']) {
      expect(problemFacts(await buyer.get(path))).toEqual(problem(403, 'partner_suspended'));
    }
    await set('active');
    await market.runtime.refresh();
  });

  it.each([
    '',
    'sid=',
    'sid=short',
    `sid=${'A'.repeat(43)}`,
    `sid=${'A'.repeat(44)}`,
    `SID=${'A'.repeat(43)}`,
    `__Host-sid=${'A'.repeat(43)}`,
    'sid; sid; sid',
    `sid="${'A'.repeat(43)}"`,
    `sid=${'%41'.repeat(43)}`,
    ';;;=;=;',
    'a=b; constructor=1; __proto__=2',
  ])('is not opened by the cookie %j', async (cookie) => {
    const nobody = asBrowser(market.url, cookie);
    expect((await nobody.get('/portal/api/session')).json).toEqual({
      ...{ session: null, isDemo: false, mailsPasswordLinks: false, brand: BRAND },
    });
    expect(problemFacts(await nobody.get('/portal/api/v1/buyer/leads'))).toEqual(problem(401, 'unauthorized'));
  });

  it('is ignored if two cookies of its name are sent', async () => {
    const buyer = await market.signedIn.buyer('summit');
    expect(await whoami(asBrowser(market.url, `${buyer.cookie}; sid=x`))).toBeNull();
    expect(await whoami(asBrowser(market.url, `a=b; ${buyer.cookie}; c=d`))).not.toBeNull();
  });

  it('does not open the API, and a token does not open the portal', async () => {
    const buyer = await market.signedIn.buyer('summit');
    expect((await buyer.get('/api/v1/buyer/leads')).status).toBe(401);
    const authorization = `Bearer ${await market.buyerToken('summit')}`;
    const response = await call(`${market.url}/portal/api/v1/buyer/leads`, { headers: { ...HERE, authorization } });
    expect(response.status).toBe(401);
  });

  it('of the console does not open the portal, nor the reverse', async () => {
    const operator = await market.signedIn.operator();
    const buyer = await market.signedIn.buyer('summit');
    const asPortal = operator.cookie.replace('console=', 'sid=');
    const asConsole = buyer.cookie.replace('sid=', 'console=');
    expect(await whoami(asBrowser(market.url, asPortal))).toBeNull();
    expect((await asBrowser(market.url, asPortal).get('/portal/api/v1/buyer/leads')).status).toBe(401);
    expect((await asBrowser(market.url, asConsole).get('/console/api/session')).json.session).toBeNull();
    expect((await asBrowser(market.url, asConsole).get('/console/api/sessions')).status).toBe(401);
  });

  it('shares one rate limit with the partner’s other sessions, separate from tokens', async () => {
    const one = await market.signedIn.buyer('summit');
    const response = await one.get('/portal/api/v1/buyer/leads');
    expect([response.headers.get('ratelimit-limit'), response.headers.get('ratelimit-remaining')]).toEqual([
      '200',
      '199',
    ]);
    for (let time = 0; time < 199; time += 1) await one.get('/portal/api/sessions');
    expect(problemFacts(await one.get('/portal/api/sessions'))).toEqual(problem(429, 'rate_limited'));
    const second = await market.signedIn.buyer('summit');
    expect((await second.get('/portal/api/sessions')).status).toBe(429);
    const other = await market.signedIn.buyer('harbor');
    expect((await other.get('/portal/api/sessions')).status).toBe(200);
  });
});

describe('the user’s own sessions and credentials', () => {
  it('are listed with distinguishing marks, and can be ended', async () => {
    const token = await market.buyerToken('resting');
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const phone = asBrowser(market.url, cookieOf(await post({ credential: token }, { 'user-agent': agent })));
    clock.advance(1000);
    const here = await signInWith(token);
    const { data } = (await here.get('/portal/api/sessions')).json;
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^ses_/) as string,
        label: 'Unknown browser',
        userEmail: null,
        createdAt: clock.now().toISOString(),
        lastUsedAt: clock.now().toISOString(),
        expiresAt: new Date(clock.now().getTime() + 7 * 24 * HOUR).toISOString(),
        isThisSession: true,
      },
      expect.objectContaining({ label: 'Firefox on Linux', isThisSession: false }) as object,
    ]);
    expect((await here.send('DELETE', `/portal/api/sessions/${data[1].id}`)).status).toBe(204);
    expect(await whoami(phone)).toBeNull();
    expect((await here.get('/portal/api/sessions')).json.data).toHaveLength(1);
    expect(await whoami(here)).not.toBeNull();
  });

  it.each([
    ['buyer', '/portal/api/buyer/tokens', /^lmb_/],
    ['supplier', '/portal/api/supplier/keys', /^lms_/],
  ] as const)('are created by a %s with a label and an end, and shown once', async (kind, path, secretLike) => {
    const owner = kind === 'buyer' ? 'harbor' : 'acme-media';
    const who = kind === 'buyer' ? await market.signedIn.buyer(owner) : await market.signedIn.supplier(owner);
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString();
    const again = { 'idempotency-key': `create-${kind}` };
    const created = await who.send('POST', path, { label: 'CRM import', expiresAt }, again);
    expect(created.json).toEqual({
      id: expect.any(String) as string,
      secret: expect.stringMatching(secretLike) as string,
    });
    const repeated = await who.send('POST', path, { label: 'CRM import', expiresAt }, again);
    expect([repeated.status, repeated.json]).toEqual([201, { id: created.json.id, secret: null }]);
    const [listed] = (await who.get(path)).json.data;
    expect(listed).toMatchObject({ id: created.json.id, label: 'CRM import', expiresAt, revokedAt: null });
    const next = await signInWith(created.json.secret);
    expect(await whoami(next)).toMatchObject({ kind, ownerKey: owner });

    // It cannot live on in one of its own making.
    const later = new Date(clock.now().getTime() + 2 * HOUR).toISOString();
    for (const until of [null, later]) {
      const refused = await next.send('POST', path, { label: 'Longer', expiresAt: until });
      expect([refused.status, refused.json.errors[0].field]).toEqual([422, 'expiresAt']);
    }
    expect((await next.send('POST', path, { label: 'As long', expiresAt })).status).toBe(201);
    // Nor after so many others that the list does not show it any more.
    const later200 = { kind: kind === 'buyer' ? 'buyer_token' : 'supplier_key', ownerKey: owner, label: null } as const;
    await market.database.tx(async (tx) => {
      for (let made = 0; made < 201; made += 1)
        await issueCredential(
          tx,
          { ...later200, expiresAt: new Date(clock.now().getTime() - 1), actor: commandLineActor },
          clock.now(),
        );
    });
    expect((await next.send('POST', path, { label: 'Longer', expiresAt: null })).status).toBe(422);
  });

  it.each([
    [{ label: '  ' }, 'label'],
    [{}, 'label'],
    [{ label: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ label: 'x'.repeat(101) }, 'label'],
    [{ label: 'x', scopes: ['read'] }, 'scopes'],
  ])('are not created from %j', async (body, field) => {
    const buyer = await market.signedIn.buyer('harbor');
    const count = async (): Promise<number> => (await buyer.get('/portal/api/buyer/tokens')).json.data.length;
    const before = await count();
    const refused = await buyer.send('POST', '/portal/api/buyer/tokens', body);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.text).toContain(field);
    expect(await count()).toBe(before);
  });

  it('are at most fifty at a time, also of several requests at the same moment', async () => {
    const buyer = await market.signedIn.buyer('resting');
    const create = async () => (await buyer.send('POST', '/portal/api/buyer/tokens', { label: 'One of many' })).status;
    const before = (await buyer.get('/portal/api/buyer/tokens')).json.data.length as number;
    const statuses: number[] = [];
    while (statuses.length < 60) statuses.push(...(await Promise.all([create(), create(), create(), create()])));
    expect(statuses.filter((status) => status === 201)).toHaveLength(50 - before);
    expect(new Set(statuses)).toEqual(new Set([201, 422]));
  });

  it('respond 404 for those of others', async () => {
    const buyer = await market.signedIn.buyer('summit');
    const other = await market.signedIn.buyer('harbor');
    const supplier = await market.signedIn.supplier('acme-media');
    const idOf = async (who: SignedIn): Promise<string> => (await who.get('/portal/api/session')).json.session.id;
    const foreign = [await idOf(other), await idOf(supplier), 'ses_01m7wyk0h2emp81qch4dvtyn6a', 'x', '%00'];
    for (const id of foreign) {
      const response = await buyer.send('DELETE', `/portal/api/sessions/${id}`);
      expect(problemFacts(response)).toEqual(problem(404, 'not_found'));
    }
    expect(await whoami(other)).not.toBeNull();
    const [theirs] = (await other.get('/portal/api/buyer/tokens')).json.data;
    const [key] = (await supplier.get('/portal/api/supplier/keys')).json.data;
    for (const id of [theirs.id, key.id, key.id.replace('key_', 'tok_'), 'tok_01m7wyk0h2emp81qch4dvtyn6a', 'x']) {
      expect((await buyer.send('DELETE', `/portal/api/buyer/tokens/${id}`)).status).toBe(404);
    }
    expect((await supplier.send('DELETE', `/portal/api/supplier/keys/${theirs.id}`)).status).toBe(404);
    expect((await buyer.get('/portal/api/supplier/keys')).status).toBe(401);
    clock.advance(2000);
    expect((await other.get('/portal/api/buyer/tokens')).json.data[0].revokedAt).toBeNull();
  });

  it('list tokens without secrets, and revoking one ends its sessions', async () => {
    const token = await market.buyerToken('summit');
    const buyer = await signInWith(token);
    const listed = await buyer.get('/portal/api/buyer/tokens');
    expect(listed.json.data[0]).toEqual({
      id: expect.stringMatching(/^tok_/) as string,
      label: null,
      last4: token.slice(-4),
      createdAt: clock.now().toISOString(),
      // Uses are recorded some seconds later.
      lastUsedAt: expect.toBeOneOf([null, clock.now().toISOString()]) as string | null,
      expiresAt: null,
      revokedAt: null,
      isThisSession: true,
    });
    expect(listed.json.data.filter((one: { isThisSession: boolean }) => one.isThisSession)).toHaveLength(1);
    const { id } = listed.json.data[0];
    const revoked = await buyer.send('DELETE', `/portal/api/buyer/tokens/${id}`);
    expect(revoked.json).toEqual({ id, revokedAt: clock.now().toISOString(), endsThisSession: true });
    expect(await whoami(buyer)).toBeNull();
    expect((await buyer.get('/portal/api/buyer/tokens')).status).toBe(401);
  });

  it('let a supplier revoke a key that did not open this session', async () => {
    const supplier = await market.signedIn.supplier('rival-media');
    await market.supplierKey('rival-media');
    const [spare] = (await supplier.get('/portal/api/supplier/keys')).json.data;
    const response = await supplier.send('DELETE', `/portal/api/supplier/keys/${spare.id}`);
    expect([response.status, response.json.endsThisSession]).toEqual([200, false]);
    expect((await supplier.get('/portal/api/supplier/keys')).json.data[0].revokedAt).not.toBeNull();
  });
});
