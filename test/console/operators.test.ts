// Operators managed at the console: invitations by email, roles, links to a new password (contract 7.12; decision 078).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { statement } from '../../src/platform/database/database.ts';
import { listKeptMails, readKeptMail } from '../../src/platform/outbound/mail/kept-mail.ts';
import type { KeptMail } from '../../src/platform/outbound/mail/kept-mail.sql.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PASSWORD = 'correct horse battery staple';
const DAY = 86_400_000;
const clock = handClock('2026-11-20T15:00:00Z');
let market: TestMarketplace;
let admin: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), clock });
  admin = await market.signedIn.operator('alex');
});
// So that the limit on sign-ins of one address counts each test alone.
beforeEach(() => clock.advance(60_000));
afterAll(() => market.close());

const own = (path: string, body: object): Promise<ApiResponse> =>
  call(`${market.url}/console/api${path}`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body });
const open = (secret: string): Promise<ApiResponse> => own('/invitation', { secret });
const accept = (secret: string, password = PASSWORD): Promise<ApiResponse> =>
  own('/invitation/accept', { secret, password });
const signIn = (name: string, password = PASSWORD): Promise<ApiResponse> => own('/session', { name, password });
const manage = (path: string, body?: object): Promise<ApiResponse> =>
  admin.send('POST', `/console/api/operators${path}`, body);
const operators = async (): Promise<Json> => (await admin.get('/console/api/operators')).json;

async function lastMail(address: string): Promise<KeptMail> {
  const [head] = await listKeptMails(market.database, { address, after: null, limit: 1 });
  const mail = head === undefined ? null : await readKeptMail(market.database, head.mailId);
  if (mail === null) throw new Error(`no mail to ${address}`);
  return mail;
}

async function secretFor(address: string): Promise<string> {
  const { text } = await lastMail(address);
  return /\/console\/invitation#invitation=([\w-]{43})\s/.exec(text)?.[1] ?? '';
}

async function invited(name: string, role = 'support'): Promise<string> {
  const email = `${name}@example.com`;
  const response = await manage('/invitations', { name, email, role });
  expect([response.status, response.json]).toEqual([200, { mail: { state: 'kept', error: null } }]);
  return secretFor(email);
}

const audited = (action: string): Promise<unknown[]> =>
  market.database.query(
    statement<{ action: string }, unknown>(
      'test.audit-of-invitations',
      `SELECT actor_name AS actor, target, changes FROM audit_event WHERE action = $action ORDER BY audit_id DESC LIMIT 1`,
    ),
    { action },
  );

describe('an invitation to the console', () => {
  it('opens an account with the role and the password that its reader chooses, once', async () => {
    const secret = await invited('dana');
    const mail = await lastMail('dana@example.com');
    expect(mail.subject).toBe('You are invited to Lead Marketplace');
    expect(mail.text).toContain('alex has invited you to the operator console of Lead Marketplace.');
    expect(await audited('operator.invited')).toEqual([
      {
        actor: 'alex',
        target: 'dana',
        changes: { email: { from: null, to: 'dana@example.com' }, roles: { from: null, to: 'support' } },
      },
    ]);
    expect(await operators()).toMatchObject({ invitations: [{ name: 'dana', role: 'support', invitedBy: 'alex' }] });
    expect((await open(secret)).json).toEqual({
      account: null,
      signsInAs: 'dana',
      isNewPassword: false,
      expiresAt: '2026-11-27T15:01:00.000Z',
    });

    expect((await accept(secret)).status).toBe(204);
    const { status, json } = await signIn('dana');
    expect([status, json.session.name, json.session.role]).toEqual([200, 'dana', 'support']);
    expect(await operators()).toMatchObject({
      data: [
        { name: 'alex', isYou: true, email: null },
        { name: 'dana', isYou: false, email: 'dana@example.com', role: 'support', hasSecondFactor: false },
      ],
      invitations: [],
    });
    for (const again of [await accept(secret, 'another password of mine'), await open(secret)])
      expect(problemFacts(again)).toEqual(problem(410, 'invitation_invalid'));
    expect((await signIn('dana', 'another password of mine')).status).toBe(401);
  });

  it('is stored as a hash only, and not in the audit log', async () => {
    const secret = await invited('hana');
    const rows = await market.database.query(
      statement<void, { text: string }>(
        'test.all-of-invitations',
        `SELECT i::text || (SELECT string_agg(a::text, ' ') FROM audit_event a) AS text FROM invitation i`,
      ),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ text }) => text.includes(secret))).toBe(false);
  });

  it('ends when it is sent again, is withdrawn, or expires', async () => {
    const first = await invited('ivo');
    const listed = async (name: string): Promise<string> =>
      (await operators()).invitations.find((one: Json) => one.name === name).invitationId as string;
    expect((await manage(`/invitations/${await listed('ivo')}/resend`)).status).toBe(200);
    const second = await secretFor('ivo@example.com');
    expect(second).not.toBe(first);
    expect((await open(first)).status).toBe(410);
    expect((await open(second)).status).toBe(200);
    expect((await manage(`/invitations/${await listed('ivo')}/withdraw`)).status).toBe(204);
    expect((await accept(second)).status).toBe(410);
    expect((await signIn('ivo')).status).toBe(401);

    const third = await invited('jo');
    clock.advance(7 * DAY);
    expect((await accept(third)).status).toBe(410);
    admin = await market.signedIn.operator('alex');
    // A new link makes it work again.
    expect((await manage(`/invitations/${await listed('jo')}/resend`)).status).toBe(200);
    expect((await accept(await secretFor('jo@example.com'))).status).toBe(204);
  });

  it('needs a name and an address that no operator has', async () => {
    for (const body of [
      { name: 'alex', email: 'new@example.com', role: 'admin' },
      { name: 'new', email: 'DANA@example.com', role: 'admin' },
    ])
      expect(problemFacts(await manage('/invitations', body))).toEqual(problem(409, 'operator_exists'));
    for (const body of [
      { name: 'Not A Name', email: 'new@example.com', role: 'admin' },
      { name: 'new', email: 'nowhere', role: 'admin' },
      { name: 'new', email: 'new@example.com', role: 'owner' },
    ])
      expect((await manage('/invitations', body)).status).toBe(422);
  });

  it('to a name that was taken meanwhile opens no second account', async () => {
    const one = await invited('kim');
    expect((await manage('/invitations', { name: 'kim', email: 'kim.two@example.com', role: 'admin' })).status).toBe(
      200,
    );
    expect((await accept(one)).status).toBe(204);
    expect(problemFacts(await accept(await secretFor('kim.two@example.com')))).toEqual(problem(409, 'account_exists'));
    expect((await signIn('kim')).json.session.role).toBe('support');
  });

  it('accepted twice at the same time opens one account', async () => {
    const secret = await invited('lee');
    const statuses = (await Promise.all([accept(secret), accept(secret)])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 410]);
  });

  it.each([['short'], ['a\u0007 password with a bell'], ['x'.repeat(201)]])(
    'refuses the password %j',
    async (password) => {
      expect((await accept(await invited('mia'), password)).status).toBe(422);
    },
  );

  it('does not work in the portal', async () => {
    const secret = await invited('noa');
    const response = await call(`${market.url}/portal/api/invitation`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { secret },
    });
    expect([404, 410]).toContain(response.status);
  });

  it('says when its email was not taken, and can be sent again', async () => {
    // Nothing listens on that port.
    const other = await startTestMarketplace({ yaml: marketYaml(), integrations: { smtpUrl: 'smtp://127.0.0.1:9' } });
    try {
      const operator = await other.signedIn.operator('alex');
      const body = { name: 'dana', email: 'dana@example.com', role: 'admin' };
      const { status, json } = await operator.send('POST', '/console/api/operators/invitations', body);
      expect([status, json.mail.state]).toEqual([200, 'failed']);
      expect(json.mail.error).toBeTruthy();
      expect((await operator.get('/console/api/operators')).json.invitations).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});

describe('an operator', () => {
  it('gets another role, and loses open sessions when disabled', async () => {
    await accept(await invited('olga', 'finance'));
    const olga = await market.signedIn.operator('olga-two', 'finance');
    expect((await olga.get('/console/api/operators')).status).toBe(403);
    expect((await manage('/olga-two/role', { role: 'admin' })).status).toBe(204);
    expect((await olga.get('/console/api/operators')).status).toBe(200);
    expect((await manage('/olga-two/disable')).status).toBe(204);
    expect((await olga.get('/console/api/operators')).status).toBe(401);
    expect((await manage('/olga-two/enable')).status).toBe(204);
    expect((await manage('/nobody/role', { role: 'admin' })).status).toBe(404);
  });

  it('who is the last administrator stays one', async () => {
    const { data } = await operators();
    for (const { name, role } of data as Array<{ name: string; role: string }>)
      if (role === 'admin' && name !== 'alex')
        expect((await manage(`/${name}/role`, { role: 'support' })).status).toBe(204);
    expect(problemFacts(await manage('/alex/role', { role: 'support' }))).toEqual(problem(409, 'last_admin'));
    expect(problemFacts(await manage('/alex/disable'))).toEqual(problem(409, 'last_admin'));
  });

  it('gets a link to a new password, which ends sessions and leaves name and role', async () => {
    await accept(await invited('pia', 'finance'));
    const before = (await signIn('pia')).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    expect((await manage('/pia/send-password-link')).json).toEqual({ mail: { state: 'kept', error: null } });
    expect((await lastMail('pia@example.com')).subject).toBe('Choose a new password for Lead Marketplace');
    const secret = await secretFor('pia@example.com');
    expect((await open(secret)).json).toMatchObject({ isNewPassword: true, signsInAs: 'pia' });
    expect((await signIn('pia')).status).toBe(200);
    expect((await accept(secret, 'a new password for pia')).status).toBe(204);
    const session = await call(`${market.url}/console/api/session`, { headers: { cookie: before } });
    expect(session.json.session).toBeNull();
    expect((await signIn('pia')).status).toBe(401);
    expect((await signIn('pia', 'a new password for pia')).json.session.role).toBe('finance');
  });

  it('whose address changes or who is disabled keeps no open link', async () => {
    await accept(await invited('quin'));
    await manage('/quin/send-password-link');
    const secret = await secretFor('quin@example.com');
    expect((await manage('/quin/email', { email: 'Quin.New@example.com' })).status).toBe(204);
    expect((await open(secret)).status).toBe(410);
    expect(problemFacts(await manage('/quin/email', { email: 'dana@example.com' }))).toEqual(
      problem(409, 'operator_exists'),
    );
    await manage('/quin/send-password-link');
    const second = await secretFor('quin.new@example.com');
    await manage('/quin/disable');
    expect((await accept(second)).status).toBe(410);
    expect((await manage('/quin/send-password-link')).status).toBe(404);
  });

  it('without an address gets no link', async () => {
    await market.signedIn.operator('rosa');
    expect(problemFacts(await manage('/rosa/send-password-link'))).toEqual(problem(409, 'email_missing'));
  });

  it('has the second factor reset by an administrator', async () => {
    const sam = await market.signedIn.operator('sam');
    expect((await sam.send('POST', '/console/api/second-factor')).json).toMatchObject({
      uri: expect.stringMatching(/^otpauth:\/\/totp\//) as string,
    });
    expect((await manage('/sam/reset-second-factor')).status).toBe(204);
  });
});
