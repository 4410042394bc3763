// Users of partners and suppliers: invitations, sign-in by password, roles, removal (contract 7.12; decision 078).
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { readTokenLabels } from '../../src/credentials/find-credentials.ts';
import { statement } from '../../src/platform/database/database.ts';
import { type PortalRight, type UserRole, userRoles } from '../../src/platform/http/permission.rules.ts';
import { listKeptMails, readKeptMail } from '../../src/platform/outbound/mail/kept-mail.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, postLead, problem, problemFacts } from '../support/api-client.ts';
import { inside } from '../support/ask-inside.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type RegisteredRoute, routesRegisteredBy } from '../support/routes.ts';
import type { Json } from '../support/scope-app.ts';
import { asBrowser, type SignedIn } from '../support/signed-in.ts';

const PASSWORD = 'correct horse battery staple';
const clock = handClock('2026-11-20T15:00:00Z');
let market: TestMarketplace;
let routes: readonly RegisteredRoute[];
/** Sessions that tokens and a key have opened. */
let summit: SignedIn;
let harbor: SignedIn;
let supplier: SignedIn;

beforeAll(async () => {
  const registered = await routesRegisteredBy(() => startTestMarketplace({ yaml: marketYaml(), clock }));
  market = registered.built;
  routes = registered.routes.filter(
    ({ path, config }) => path.startsWith('/portal/api/') && config?.right !== undefined,
  );
  summit = await market.signedIn.buyer('summit');
  harbor = await market.signedIn.buyer('harbor');
  supplier = await market.signedIn.supplier('acme-media');
});
// So that the limit on sign-ins of one address counts each test alone.
beforeEach(() => clock.advance(60_000));
afterAll(() => market.close());

const own = (path: string, body: object): Promise<ApiResponse> =>
  call(`${market.url}/portal/api${path}`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body });
const accept = (secret: string, password = PASSWORD): Promise<ApiResponse> =>
  own('/invitation/accept', { secret, password });
type Typed = { readonly password?: string; readonly code?: string };
const signIn = (email: string, typed: Typed = {}): Promise<ApiResponse> =>
  own('/session/password', { email, password: PASSWORD, ...typed });
const cookieOf = (response: ApiResponse): string => response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
const users = async (who: SignedIn): Promise<Json> => (await who.get('/portal/api/users')).json;

async function secretFor(address: string): Promise<string> {
  const [head] = await listKeptMails(market.database, { address, after: null, limit: 1 });
  const mail = head === undefined ? null : await readKeptMail(market.database, head.mailId);
  return /\/portal\/invitation#invitation=([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? '';
}

const invite = (by: SignedIn, email: string, roles: readonly UserRole[] = []): Promise<ApiResponse> =>
  by.send('POST', '/portal/api/users/invitations', { email, name: 'Dana Ito', roles });

/** Invited, with the account opened, and signed in. */
async function userOf(by: SignedIn, email: string, roles: readonly UserRole[] = []): Promise<SignedIn> {
  expect((await invite(by, email, roles)).status).toBe(200);
  expect((await accept(await secretFor(email))).status).toBe(204);
  const response = await signIn(email);
  expect(response.status).toBe(200);
  return asBrowser(market.url, cookieOf(response));
}

async function idOf(by: SignedIn, email: string): Promise<string> {
  return (await users(by)).data.find((user: Json) => user.email === email).userId as string;
}

const lastEvent = async (action: string): Promise<unknown> => {
  const [event] = await market.database.query(
    statement<{ action: string }, object>(
      'test.audit-of-users',
      `SELECT actor_type AS type, actor_name AS name, buyer_key AS buyer, supplier_key AS supplier, target
       FROM audit_event WHERE action = $action ORDER BY audit_id DESC LIMIT 1`,
    ),
    { action },
  );
  return event;
};

describe('a user of a partner', () => {
  it('is invited by email, chooses a password, and signs in with it', async () => {
    expect((await invite(summit, 'Dana@Summit.example', ['claims'])).json).toEqual({
      mail: { state: 'kept', error: null },
    });
    expect(await lastEvent('user.invited')).toEqual({
      ...{ type: 'buyer', name: 'summit', buyer: 'summit', supplier: null, target: 'dana@summit.example' },
    });
    const secret = await secretFor('dana@summit.example');
    expect((await own('/invitation', { secret })).json).toMatchObject({
      account: expect.stringContaining('Summit') as string,
      signsInAs: 'dana@summit.example',
      isNewPassword: false,
    });
    expect((await accept(secret)).status).toBe(204);
    const response = await signIn(' Dana@summit.example ');
    expect(response.json.session).toMatchObject({
      ...{ kind: 'buyer', ownerKey: 'summit', rights: ['view', 'claims'] },
      user: { email: 'dana@summit.example', name: 'Dana Ito', hasSecondFactor: false },
    });
    // The release before there were users reads no cookie of this length.
    expect(response.headers.get('set-cookie')).toMatch(/^sid=u[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Strict$/);
    expect(await lastEvent('session.opened')).toMatchObject({ type: 'buyer', name: 'dana@summit.example' });
    const dana = asBrowser(market.url, cookieOf(response));
    expect((await dana.get('/portal/api/v1/buyer/leads')).status).toBe(200);
    expect((await dana.get('/portal/api/session')).json.session).toMatchObject({ rights: ['view', 'claims'] });
    expect((await accept(secret)).status).toBe(410);
  });

  it('is refused in one way, whatever is wrong, and nobody learns who has an account', async () => {
    const wrong = await signIn('dana@summit.example', { password: 'not the password' });
    const unknown = await signIn('nobody@summit.example');
    for (const response of [wrong, unknown]) {
      expect(problemFacts(response)).toEqual(problem(401, 'unauthorized'));
      expect(response.json.detail).toBe('The email address, password or code is wrong.');
    }
    expect(await lastEvent('session.refused')).toMatchObject({ buyer: 'summit', target: 'dana@summit.example' });
    // An address of another account is invited like any other; the link tells its reader, who has the mailbox.
    expect((await invite(harbor, 'dana@summit.example')).status).toBe(200);
    expect(problemFacts(await accept(await secretFor('dana@summit.example')))).toEqual(problem(409, 'account_exists'));
    expect(problemFacts(await invite(summit, 'dana@summit.example'))).toEqual(problem(409, 'account_exists'));
  });

  it('has to wait after five wrong passwords, and is not locked out elsewhere', async () => {
    await userOf(summit, 'slow@summit.example');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1)
      statuses.push((await signIn('slow@summit.example', { password: 'a wrong password' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await signIn('dana@summit.example')).status).toBe(200);
  });

  it('sees and ends only own sessions; a token sees all of its account', async () => {
    const dana = await userOf(summit, 'one@summit.example');
    const other = await userOf(summit, 'two@summit.example');
    const seen = (await dana.get('/portal/api/sessions')).json.data as Json[];
    expect(seen.map(({ userEmail }) => userEmail)).toEqual(['one@summit.example']);
    const all = (await summit.get('/portal/api/sessions')).json.data as Json[];
    const theirs = all.find(({ userEmail }) => userEmail === 'two@summit.example');
    expect((await dana.send('DELETE', `/portal/api/sessions/${theirs?.id}`)).status).toBe(404);
    expect((await summit.send('DELETE', `/portal/api/sessions/${theirs?.id}`)).status).toBe(204);
    expect((await other.get('/portal/api/sessions')).status).toBe(401);
  });

  it('is named in the audit log, and keeps repeated requests apart from others', async () => {
    const key = await market.supplierKey('acme-media');
    for (const phone of ['+12025550101', '+12025550102'])
      expect((await postLead(market.url, key, { full_name: 'Ann', phone, state: 'CA' })).status).toBe(202);
    const dana = await userOf(summit, 'filer@summit.example', ['claims']);
    const deliveryIds = await eventually('leads are delivered', async () => {
      const { json } = await dana.get('/portal/api/v1/buyer/leads?status=Confirmed');
      const ids = (json.data as Json[]).map(({ deliveryId }) => deliveryId as string);
      return ids.length >= 2 ? ids : null;
    });
    const file = (who: SignedIn, deliveryId: string | undefined): Promise<ApiResponse> =>
      who.send('POST', '/portal/api/v1/buyer/returns', { deliveryId, reason: 'bot' }, { 'idempotency-key': 'same' });
    const first = await file(dana, deliveryIds[0]);
    expect(first.status).toBe(201);
    expect((await file(dana, deliveryIds[0])).json).toEqual(first.json);
    expect(await lastEvent('return.filed')).toMatchObject({ type: 'buyer', name: 'filer@summit.example' });
    const crm = (await summit.send('POST', '/portal/api/buyer/tokens', { label: 'CRM' })).json;
    const asCrm = { authorization: `Bearer ${crm.secret as string}`, 'idempotency-key': 'by a program' };
    const second = await call(`${market.url}/api/v1/buyer/returns`, {
      ...{ method: 'POST', headers: asCrm, body: { deliveryId: deliveryIds[1], reason: 'bot' } },
    });
    expect(second.status).toBe(201);
    expect(await lastEvent('return.filed')).toMatchObject({ type: 'buyer', name: crm.id });
    const operator = await market.signedIn.operator();
    const filedBy = [{ step: 'filed', by: { party: 'partner', name: null, tokenLabel: 'CRM' } }];
    expect((await dana.get(`/portal/api/buyer/claims/${second.json.returnId}`)).json.timeline).toMatchObject(filedBy);
    expect((await operator.get(`/console/api/claims/${second.json.returnId}`)).json.timeline).toMatchObject(filedBy);
    // Labels are read of the partner's own tokens alone.
    const labels = await readTokenLabels(market.database, 'summit', [crm.id]);
    expect([...labels]).toEqual([[crm.id, 'CRM']]);
    expect((await readTokenLabels(market.database, 'harbor', [crm.id])).size).toBe(0);
    const { json } = await dana.send('DELETE', `/portal/api/v1/buyer/returns/${first.json.returnId}`);
    expect(json.status).toBe('withdrawn');
    expect(await lastEvent('return.withdrawn')).toMatchObject({ name: 'filer@summit.example' });
    const { timeline } = (await dana.get(`/portal/api/buyer/claims/${first.json.returnId}`)).json;
    const by = { party: 'partner', name: 'filer@summit.example', tokenLabel: null };
    expect(timeline).toMatchObject([
      { step: 'filed', by },
      { step: 'withdrawn', by },
    ]);
  });

  it('who is removed is signed out at once, cannot sign in, and can be invited again', async () => {
    const leaving = await userOf(summit, 'leaving@summit.example', ['settings']);
    await summit.send('POST', `/portal/api/users/${await idOf(summit, 'leaving@summit.example')}/send-password-link`);
    const link = await secretFor('leaving@summit.example');
    const path = `/portal/api/users/${await idOf(summit, 'leaving@summit.example')}/remove`;
    expect((await harbor.send('POST', path)).status).toBe(404);
    expect((await summit.send('POST', path)).status).toBe(204);
    expect((await leaving.get('/portal/api/users')).status).toBe(401);
    expect((await signIn('leaving@summit.example')).status).toBe(401);
    expect((await accept(link)).status).toBe(410);
    expect(await lastEvent('user.removed')).toMatchObject({ buyer: 'summit', target: 'leaving@summit.example' });
    await userOf(harbor, 'leaving@summit.example');
    expect((await users(harbor)).data).toHaveLength(1);
  });

  it('cannot be signed in while the sign-in races with the removal', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `race${round}@summit.example`;
      await userOf(summit, email);
      const path = `/portal/api/users/${await idOf(summit, email)}/remove`;
      const [signedIn] = await Promise.all([signIn(email), summit.send('POST', path)]);
      if (signedIn.status === 200) {
        const late = asBrowser(market.url, cookieOf(signedIn));
        expect((await late.get('/portal/api/sessions')).status).toBe(401);
      }
      clock.advance(60_000);
    }
  });

  it('gets other roles, with effect on open sessions', async () => {
    const dana = await userOf(summit, 'promoted@summit.example');
    expect((await dana.get('/portal/api/users')).status).toBe(403);
    const path = `/portal/api/users/${await idOf(summit, 'promoted@summit.example')}/roles`;
    expect((await harbor.send('POST', path, { roles: ['settings'] })).status).toBe(404);
    expect((await summit.send('POST', path, { roles: ['owner'] })).status).toBe(422);
    expect((await summit.send('POST', path, { roles: ['settings', 'view', 'settings'] })).status).toBe(204);
    expect((await dana.get('/portal/api/users')).status).toBe(200);
    expect((await dana.get('/portal/api/session')).json.session.rights).toEqual(['view', 'settings']);
  });

  it('sets up one-time codes, each of which works once, and has them reset', async () => {
    const dana = await userOf(summit, 'codes@summit.example');
    const { secret } = (await dana.send('POST', '/portal/api/second-factor')).json as { secret: string };
    const code = (): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
    const confirm = (typed: string): Promise<ApiResponse> =>
      dana.send('POST', '/portal/api/second-factor/confirm', { code: typed });
    expect((await confirm('000000')).status).toBe(422);
    expect((await confirm(code())).status).toBe(204);
    expect(problemFacts(await dana.send('POST', '/portal/api/second-factor'))).toEqual(
      problem(409, 'second_factor_set'),
    );
    expect(problemFacts(await signIn('codes@summit.example'))).toEqual(problem(401, 'totp_required'));
    expect(problemFacts(await signIn('codes@summit.example', { code: code() }))).toEqual(problem(401, 'unauthorized'));
    clock.advance(60_000);
    expect((await signIn('codes@summit.example', { code: code() })).status).toBe(200);
    expect((await signIn('codes@summit.example', { code: code() })).status).toBe(401);
    const path = `/portal/api/users/${await idOf(summit, 'codes@summit.example')}/reset-second-factor`;
    expect((await summit.send('POST', path)).status).toBe(204);
    expect((await dana.get('/portal/api/sessions')).status).toBe(401);
    expect((await signIn('codes@summit.example')).status).toBe(200);
    expect((await summit.send('POST', '/portal/api/second-factor')).status).toBe(404);
  });

  it('gets a link to a new password, which ends sessions', async () => {
    const dana = await userOf(summit, 'forgot@summit.example');
    const path = `/portal/api/users/${await idOf(summit, 'forgot@summit.example')}/send-password-link`;
    expect((await harbor.send('POST', path)).status).toBe(404);
    expect((await summit.send('POST', path)).status).toBe(200);
    expect((await accept(await secretFor('forgot@summit.example'), 'a new password of dana')).status).toBe(204);
    expect((await dana.get('/portal/api/sessions')).status).toBe(401);
    expect((await signIn('forgot@summit.example')).status).toBe(401);
    expect((await signIn('forgot@summit.example', { password: 'a new password of dana' })).status).toBe(200);
  });
});

describe('a user of a supplier', () => {
  it('is invited and signs in to the pages of suppliers only', async () => {
    const eve = await userOf(supplier, 'eve@acme.example', ['money']);
    expect((await eve.get('/portal/api/session')).json.session).toMatchObject({
      ...{ kind: 'supplier', ownerKey: 'acme-media', rights: ['view', 'money'] },
    });
    expect((await eve.get('/portal/api/v1/supplier/earnings')).status).toBe(200);
    expect((await eve.get('/portal/api/v1/buyer/leads')).status).toBe(401);
    expect((await users(summit)).data.some((user: Json) => user.email === 'eve@acme.example')).toBe(false);
    expect(await lastEvent('user.added')).toMatchObject({
      supplier: 'acme-media',
      buyer: null,
      name: 'eve@acme.example',
    });
  });
});

describe('every route of the portal behind a session', () => {
  it('declares a right', () => {
    expect(routes.length).toBeGreaterThan(80);
  });

  it.each([['buyer' as const], ['supplier' as const]])(
    'allows users of a %s exactly what their roles say',
    async (kind) => {
      const wrong: string[] = [];
      for (const role of userRoles) {
        const user = await userOf(kind === 'buyer' ? summit : supplier, `${role}@${kind}.example`, [role]);
        const who = inside(market.runtime.app, user);
        const allowed: readonly PortalRight[] = ['own', 'view', role];
        for (const { method, path, config } of routes) {
          const right = config?.right;
          if (right === undefined || path.endsWith('/stream')) continue;
          if ((kind === 'buyer' ? /\/supplier\// : /\/buyer\/|\/sheets-config$/).test(path)) continue;
          // Allowed requests that change something are tested elsewhere.
          if (allowed.includes(right) && method !== 'GET') continue;
          const body = method === 'GET' || method === 'DELETE' ? undefined : {};
          const { status, json } = await who.send(method, path.replaceAll(/:\w+/g, 'nothing'), body);
          const isRefused = status === 403 && json.code === 'role_not_allowed';
          if (isRefused === allowed.includes(right)) wrong.push(`${role}: ${method} ${path}: ${status}`);
        }
        clock.advance(60_000);
      }
      expect(wrong).toEqual([]);
    },
  );
});
