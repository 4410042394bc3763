// The users of partners and suppliers managed at the console, from the first one on (contract 7.12).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { statement } from '../../src/platform/database/database.ts';
import { listKeptMails, readKeptMail } from '../../src/platform/outbound/mail/kept-mail.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { asBrowser, type SignedIn } from '../support/signed-in.ts';

const PASSWORD = 'correct horse battery staple';
const SUMMIT = '/console/api/partners/summit/users';
const HARBOR = '/console/api/partners/harbor/users';
const ACME = '/console/api/suppliers/acme-media/users';
const NONE = '/console/api/partners/nobody/users';
const clock = handClock('2026-11-20T15:00:00Z');
let market: TestMarketplace;
let admin: SignedIn;

beforeAll(async () => {
  const yaml = marketYaml().replace(
    'name: Summit Debt Relief\n',
    'name: Summit Debt Relief\n    betaTools: [audit-log]\n',
  );
  market = await startTestMarketplace({ yaml, clock });
  admin = await market.signedIn.operator('alex');
});
// So that the limit on sign-ins of one address counts each test alone.
beforeEach(() => clock.advance(60_000));
afterAll(() => market.close());

const own = (path: string, body: object): Promise<ApiResponse> =>
  call(`${market.url}/portal/api${path}`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body });
const invite = (path: string, email: string, roles: readonly string[] = []): Promise<ApiResponse> =>
  admin.send('POST', `${path}/invitations`, { email, name: 'Dana Ito', roles });
const listed = async (path: string): Promise<Json> => (await admin.get(path)).json;

async function mailTo(address: string): Promise<{ readonly text: string; readonly secret: string }> {
  const [head] = await listKeptMails(market.database, { address, after: null, limit: 1 });
  const mail = head === undefined ? null : await readKeptMail(market.database, head.mailId);
  const text = mail?.text ?? '';
  return { text, secret: /\/portal\/invitation#invitation=([\w-]{43})\s/.exec(text)?.[1] ?? '' };
}

const accept = (secret: string): Promise<ApiResponse> => own('/invitation/accept', { secret, password: PASSWORD });
const signIn = (email: string): Promise<ApiResponse> => own('/session/password', { email, password: PASSWORD });

/** Invited by the operator, with the account opened, and signed in. */
async function userOf(path: string, email: string, roles: readonly string[] = []): Promise<SignedIn> {
  expect((await invite(path, email, roles)).status).toBe(200);
  expect((await accept((await mailTo(email)).secret)).status).toBe(204);
  const response = await signIn(email);
  expect(response.status).toBe(200);
  return asBrowser(market.url, response.headers.get('set-cookie')?.split(';', 1)[0] ?? '');
}

const userOn = async (path: string, email: string): Promise<Json> =>
  ((await listed(path)).data as Json[]).find((user) => user.email === email) ?? {};

const eventsAbout = (target: string): Promise<unknown[]> =>
  market.database.query(
    statement<{ target: string }, unknown>(
      'test.audit-of-managed-users',
      `SELECT action, actor_type AS type, actor_name AS name, buyer_key AS buyer, supplier_key AS supplier
       FROM audit_event WHERE target = $target ORDER BY audit_id`,
    ),
    { target },
  );

describe('the users of a partner at the console', () => {
  it('begin with one that an operator invites, who then signs in with the roles of the invitation', async () => {
    expect(await listed(SUMMIT)).toEqual({ data: [], invitations: [] });
    const sent = await invite(SUMMIT, 'Dana@Summit.example', ['settings']);
    expect([sent.status, sent.json]).toEqual([200, { mail: { state: 'kept', error: null } }]);
    expect(await listed(SUMMIT)).toMatchObject({
      data: [],
      invitations: [{ email: 'dana@summit.example', name: 'Dana Ito', roles: ['view', 'settings'] }],
    });
    const mail = await mailTo('dana@summit.example');
    expect(mail.text).toMatch(/Lead Marketplace has invited you to the account of Summit/);
    expect((await accept(mail.secret)).status).toBe(204);
    const signedIn = await signIn('dana@summit.example');
    expect(signedIn.json.session).toMatchObject({ kind: 'buyer', ownerKey: 'summit', rights: ['view', 'settings'] });
    expect(await listed(SUMMIT)).toMatchObject({
      data: [{ email: 'dana@summit.example', hasSecondFactor: false, isYou: false }],
      invitations: [],
    });
  });

  it('are in the audit log as the act of the operator, whose name the partner does not learn', async () => {
    expect((await invite(SUMMIT, 'seen@summit.example')).status).toBe(200);
    expect(await eventsAbout('seen@summit.example')).toEqual([
      { action: 'user.invited', type: 'operator', name: 'alex', buyer: 'summit', supplier: null },
    ]);
    const summit = await market.signedIn.buyer('summit');
    const log = (await summit.get('/portal/api/v1/buyer/audit-log')).json.data as Json[];
    expect(log.find(({ target }) => target === 'seen@summit.example')).toMatchObject({
      action: 'user.invited',
      actor: { type: 'operator', name: 'operator' },
      ip: null,
    });
    const { invitations } = (await summit.get('/portal/api/users')).json;
    expect((invitations as Json[]).map(({ invitedBy }) => invitedBy as string)).toEqual(['operator']);
    expect((await mailTo('seen@summit.example')).text).not.toContain('alex');
  });

  it('have invitations that are sent again and withdrawn', async () => {
    await invite(SUMMIT, 'again@summit.example');
    const first = await mailTo('again@summit.example');
    const { invitations } = await listed(SUMMIT);
    const { invitationId } = (invitations as Json[]).find(({ email }) => email === 'again@summit.example') ?? {};
    const path = `${SUMMIT}/invitations/${invitationId as string}`;
    clock.advance(300_000);
    expect((await admin.send('POST', `${path}/resend`)).status).toBe(200);
    expect((await own('/invitation', { secret: first.secret })).status).toBe(410);
    const second = await mailTo('again@summit.example');
    expect((await own('/invitation', { secret: second.secret })).status).toBe(200);
    expect((await admin.send('POST', `${path}/withdraw`)).status).toBe(204);
    expect((await own('/invitation', { secret: second.secret })).status).toBe(410);
    expect((await admin.send('POST', `${path}/withdraw`)).status).toBe(404);
  });

  it('get other roles, a link to a new password, and are removed with their sessions', async () => {
    const lee = await userOf(SUMMIT, 'lee@summit.example');
    const { userId } = await userOn(SUMMIT, 'lee@summit.example');
    const path = `${SUMMIT}/${userId as string}`;
    expect((await lee.get('/portal/api/users')).status).toBe(403);
    expect((await admin.send('POST', `${path}/roles`, { roles: ['settings'] })).status).toBe(204);
    expect((await lee.get('/portal/api/users')).status).toBe(200);
    expect((await admin.send('POST', `${path}/send-password-link`)).json).toEqual({
      mail: { state: 'kept', error: null },
    });
    expect((await mailTo('lee@summit.example')).text).toContain('Lead Marketplace has sent you a link');
    expect((await admin.send('POST', `${path}/remove`)).status).toBe(204);
    expect((await lee.get('/portal/api/users')).status).toBe(401);
    expect((await signIn('lee@summit.example')).status).toBe(401);
    expect((await admin.send('POST', `${path}/remove`)).status).toBe(404);
  });

  it('lose their one-time codes and sessions when an operator resets them', async () => {
    const kim = await userOf(SUMMIT, 'kim@summit.example');
    const { userId } = await userOn(SUMMIT, 'kim@summit.example');
    await market.database.query(
      statement<{ email: string }>(
        'test.set-second-factor',
        `UPDATE portal_user SET totp_secret = 'JBSWY3DPEHPK3PXP' WHERE email = $email`,
      ),
      { email: 'kim@summit.example' },
    );
    expect(problemFacts(await signIn('kim@summit.example'))).toEqual(problem(401, 'totp_required'));
    expect((await admin.send('POST', `${SUMMIT}/${userId as string}/reset-second-factor`)).status).toBe(204);
    expect((await kim.get('/portal/api/sessions')).status).toBe(401);
    expect((await signIn('kim@summit.example')).status).toBe(200);
  });

  it('are invited once: an address with an account there is refused', async () => {
    await userOf(SUMMIT, 'twice@summit.example');
    expect(problemFacts(await invite(SUMMIT, 'TWICE@summit.example'))).toEqual(problem(409, 'account_exists'));
    // The account of another partner is not told about; only the reader of the link is.
    expect((await invite(HARBOR, 'twice@summit.example')).status).toBe(200);
    expect((await accept((await mailTo('twice@summit.example')).secret)).status).toBe(409);
  });

  it('are reached only below their own partner', async () => {
    await userOf(SUMMIT, 'max@summit.example');
    await invite(SUMMIT, 'open@summit.example');
    const { userId } = await userOn(SUMMIT, 'max@summit.example');
    const { invitations } = await listed(SUMMIT);
    const { invitationId } = (invitations as Json[]).find(({ email }) => email === 'open@summit.example') ?? {};
    for (const other of [HARBOR, ACME, NONE]) {
      for (const path of [
        `${other}/invitations/${invitationId as string}/resend`,
        `${other}/invitations/${invitationId as string}/withdraw`,
        `${other}/${userId as string}/remove`,
        `${other}/${userId as string}/reset-second-factor`,
        `${other}/${userId as string}/send-password-link`,
      ])
        expect([path, (await admin.send('POST', path)).status]).toEqual([path, 404]);
      const roles = await admin.send('POST', `${other}/${userId as string}/roles`, { roles: ['settings'] });
      expect(roles.status).toBe(404);
    }
    expect(await userOn(SUMMIT, 'max@summit.example')).toMatchObject({ roles: ['view'] });
    expect((await own('/invitation', { secret: (await mailTo('open@summit.example')).secret })).status).toBe(200);
  });

  it('are refused to an unknown partner, with garbage, and without the permission', async () => {
    expect((await admin.get(NONE)).status).toBe(404);
    expect((await invite(NONE, 'a@nobody.example')).status).toBe(404);
    expect((await admin.get('/console/api/partners/%00/users')).status).toBe(404);
    const bodies = [
      {},
      { email: 'no address', name: 'Dana', roles: [] },
      { email: 'a@b.example', name: ' ', roles: [] },
      { email: 'a@b.example', name: 'Dana\u0000', roles: [] },
      { email: 'a@b.example', name: 'Dana', roles: ['admin'] },
      { email: 'a@b.example', name: 'Dana', roles: [], ownerKey: 'harbor' },
      { email: `${'a'.repeat(300)}@b.example`, name: 'Dana', roles: [] },
    ];
    for (const body of bodies) {
      expect([body, (await admin.send('POST', `${SUMMIT}/invitations`, body)).status]).toEqual([body, 422]);
    }
    for (const id of ['nothing', 'usr_0', '%00', 'z'.repeat(300)]) {
      expect([id, (await admin.send('POST', `${SUMMIT}/${id}/remove`)).status]).toEqual([id, 404]);
    }
    for (const role of ['finance', 'support', 'read-only'] as const) {
      const operator = await market.signedIn.operator(`of-${role}`, role);
      expect(problemFacts(await operator.get(SUMMIT))).toEqual(problem(403, 'role_not_allowed'));
      const body = { email: 'a@b.example', name: 'Dana', roles: [] };
      expect((await operator.send('POST', `${SUMMIT}/invitations`, body)).status).toBe(403);
    }
    expect((await call(`${market.url}${SUMMIT}`)).status).toBe(401);
  });
});

describe('the users of a supplier at the console', () => {
  it('begin with one that an operator invites, who sees the pages of that supplier only', async () => {
    const eve = await userOf(ACME, 'eve@acme.example', ['money']);
    expect((await eve.get('/portal/api/session')).json.session).toMatchObject({
      ...{ kind: 'supplier', ownerKey: 'acme-media', rights: ['view', 'money'] },
    });
    expect((await eve.get('/portal/api/v1/buyer/leads')).status).toBe(401);
    expect(await eventsAbout('eve@acme.example')).toMatchObject([
      { action: 'user.invited', type: 'operator', name: 'alex', buyer: null, supplier: 'acme-media' },
      { action: 'user.added', type: 'supplier', name: 'eve@acme.example', supplier: 'acme-media' },
    ]);
    expect(await userOn(SUMMIT, 'eve@acme.example')).toEqual({});
  });
});
