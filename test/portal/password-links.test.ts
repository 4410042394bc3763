// Links to a new password that users of partners and suppliers request on the sign-in page (contract 7.12; decision 078).
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { noOrigin } from '../../src/audit/audit-event.ts';
import { statement } from '../../src/platform/database/database.ts';
import { listKeptMails, readKeptMail } from '../../src/platform/outbound/mail/kept-mail.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { invite } from '../../src/users/invitations.ts';
import { addUser, findUserOf, removeUser } from '../../src/users/portal-users.ts';
import { marketYaml } from '../contract/market.ts';
import { startMailServer } from '../platform/mail-server.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { asBrowser, type SignedIn } from '../support/signed-in.ts';

const MINUTE = 60_000;
const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'a new password of dana';
const PUBLIC_URL = 'https://leads.example.com';
const PATH = '/portal/api/password-links';
const yaml = marketYaml().replace('currency: USD', `currency: USD, notices: { publicUrl: "${PUBLIC_URL}" }`);
const clock = handClock('2026-11-20T15:00:00Z');
let market: TestMarketplace;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, clock });
});
// So that the limits of one client address count each test alone.
beforeEach(() => clock.advance(120 * MINUTE));
afterAll(() => market.close());

const own = (path: string, body: object | string, url = market.url): Promise<ApiResponse> =>
  call(`${url}${path}`, {
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const open = (secret: string): Promise<ApiResponse> => own('/portal/api/invitation', { secret });
const accept = (secret: string, password = NEW_PASSWORD): Promise<ApiResponse> =>
  own('/portal/api/invitation/accept', { secret, password });
const signIn = (email: string, typed: { readonly password?: string; readonly code?: string } = {}) =>
  own('/portal/api/session/password', { email, password: PASSWORD, ...typed });

/** Resolves after the worker has handled it. */
async function request(email: string, on = market): Promise<ApiResponse> {
  const response = await own(PATH, { email }, on.url);
  await handled(on);
  return response;
}

async function handled({ runtime, database }: TestMarketplace): Promise<void> {
  runtime.wake();
  await eventually('no request waits', async () => (await database.query(countRequests, {}))[0]?.requests === 0);
}

const countRequests = statement<Record<string, never>, { requests: number }>(
  'test.count-link-requests',
  'SELECT count(*)::int AS requests FROM password_link_request',
);

type Owner = { readonly kind: 'buyer' | 'supplier'; readonly ownerKey: string };
const SUMMIT: Owner = { kind: 'buyer', ownerKey: 'summit' };

/** Adds a user with `PASSWORD`. */
async function addTo(owner: Owner, email: string, on = market): Promise<void> {
  const input = { ...owner, email, name: 'Dana Ito', roles: ['view'], passwordHash: await hashPassword(PASSWORD) };
  const added = await on.database.tx((tx) => addUser(tx, { ...input, origin: noOrigin }, clock.now()));
  expect(added.ok).toBe(true);
}

async function signedIn(email: string): Promise<SignedIn> {
  const response = await signIn(email);
  expect(response.status).toBe(200);
  return asBrowser(market.url, response.headers.get('set-cookie')?.split(';', 1)[0] ?? '');
}

/** The secrets of the links in the mails to the address, newest first. */
async function secretsFor(address: string): Promise<string[]> {
  const heads = await listKeptMails(market.database, { address, after: null, limit: 10 });
  const mails = await Promise.all(heads.map(({ mailId }) => readKeptMail(market.database, mailId)));
  return mails.map((mail) => secretIn(mail?.text ?? ''));
}

function secretIn(text: string): string {
  return /https:\/\/leads\.example\.com\/portal\/invitation#invitation=([\w-]{43})\s/.exec(text)?.[1] ?? '';
}

const eventsOf = (target: string, { database }: TestMarketplace = market): Promise<unknown[]> =>
  database.query(
    statement<{ target: string }, object>(
      'test.audit-of-link-requests',
      `SELECT actor_type AS type, actor_name AS name, buyer_key AS buyer, ip FROM audit_event
       WHERE action = 'user.password_link_requested' AND target = $target`,
    ),
    { target },
  );

describe('a link to a new password', () => {
  it('is mailed to a user, works once and ends all sessions', async () => {
    await addTo(SUMMIT, 'dana@summit.example');
    const [one, two] = [await signedIn('dana@summit.example'), await signedIn('dana@summit.example')];
    expect((await request('Dana@Summit.example')).status).toBe(204);
    expect(await eventsOf('dana@summit.example')).toEqual([
      { type: 'system', name: 'portal', buyer: 'summit', ip: '127.0.0.1' },
    ]);
    const [secret = ''] = await secretsFor('dana@summit.example');
    expect((await open(secret)).json).toEqual({
      account: 'Summit Debt Relief',
      signsInAs: 'dana@summit.example',
      isNewPassword: true,
      expiresAt: new Date(clock.now().getTime() + 60 * MINUTE).toISOString(),
    });
    expect((await one.get('/portal/api/sessions')).status).toBe(200);
    expect((await accept(secret)).status).toBe(204);
    for (const session of [one, two]) expect((await session.get('/portal/api/sessions')).status).toBe(401);
    expect((await signIn('dana@summit.example')).status).toBe(401);
    expect((await signIn('dana@summit.example', { password: NEW_PASSWORD })).status).toBe(200);
    expect(problemFacts(await accept(secret))).toEqual(problem(410, 'invitation_invalid'));
  });

  it('is mailed to users of suppliers, and leaves their second factor', async () => {
    await addTo({ kind: 'supplier', ownerKey: 'acme-media' }, 'eve@acme.example');
    const eve = await signedIn('eve@acme.example');
    const { secret: key } = (await eve.send('POST', '/portal/api/second-factor')).json as { secret: string };
    const code = (): string => new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: +clock.now() });
    expect((await eve.send('POST', '/portal/api/second-factor/confirm', { code: code() })).status).toBe(204);
    await request('eve@acme.example');
    expect((await accept((await secretsFor('eve@acme.example'))[0] ?? '')).status).toBe(204);
    const password = NEW_PASSWORD;
    expect(problemFacts(await signIn('eve@acme.example', { password }))).toEqual(problem(401, 'totp_required'));
    clock.advance(MINUTE);
    expect((await signIn('eve@acme.example', { password, code: code() })).status).toBe(200);
  });

  it('ends after an hour', async () => {
    await addTo(SUMMIT, 'late@summit.example');
    await request('late@summit.example');
    const [secret = ''] = await secretsFor('late@summit.example');
    clock.advance(60 * MINUTE - 1000);
    expect((await open(secret)).status).toBe(200);
    clock.advance(1000);
    expect(problemFacts(await open(secret))).toEqual(problem(410, 'invitation_invalid'));
    expect(problemFacts(await accept(secret))).toEqual(problem(410, 'invitation_invalid'));
    expect((await signIn('late@summit.example')).status).toBe(200);
  });

  it('is mailed at most once in five minutes, and ends the one before', async () => {
    const email = 'twice@summit.example';
    await addTo(SUMMIT, email);
    await request(email);
    clock.advance(5 * MINUTE - 1000);
    expect((await request(email)).status).toBe(204);
    expect(await secretsFor(email)).toHaveLength(1);
    clock.advance(1000);
    await request(email);
    const [second = '', first = ''] = await secretsFor(email);
    expect((await open(first)).status).toBe(410);
    expect((await open(second)).status).toBe(200);
    expect(await eventsOf(email)).toHaveLength(2);
  });

  it('ends the link that a colleague has sent', async () => {
    const email = 'helped@summit.example';
    await addTo(SUMMIT, email);
    const colleagues = await market.database.tx(async (tx) => {
      const accountId = (await findUserOf(tx, SUMMIT, email))?.userId ?? null;
      const input = { ...SUMMIT, email, name: 'Dana Ito', roles: ['view'], accountId };
      const actor = { type: 'buyer', name: 'summit' } as const;
      const invited = await invite(tx, { ...input, actor, origin: noOrigin }, clock.now());
      if (!invited.ok) throw new Error(invited.code);
      return invited.value;
    });
    expect((await open(colleagues.secret)).status).toBe(200);
    clock.advance(5 * MINUTE);
    await request(email);
    expect((await open(colleagues.secret)).status).toBe(410);
    expect((await accept((await secretsFor(email))[0] ?? '')).status).toBe(204);
  });

  it('is not mailed to removed users and to users of suspended partners', async () => {
    await addTo(SUMMIT, 'gone@summit.example');
    await addTo({ kind: 'buyer', ownerKey: 'frozen' }, 'cold@frozen.example');
    await market.database.tx(async (tx) => {
      const user = await findUserOf(tx, SUMMIT, 'gone@summit.example');
      if (user === null) throw new Error('the user is missing');
      const author = { actor: { type: 'buyer', name: 'summit' }, origin: noOrigin } as const;
      await removeUser(tx, { ...SUMMIT, userId: user.userId, ...author }, clock.now());
    });
    for (const email of ['gone@summit.example', 'cold@frozen.example']) {
      expect((await request(email)).status).toBe(204);
      expect(await secretsFor(email)).toEqual([]);
      expect(await eventsOf(email)).toEqual([]);
    }
  });

  it('is mailed again when the mail server did not take it, with one event in the audit log', async () => {
    const email = 'grey@summit.example';
    let refusals = 1;
    const server = await startMailServer({ onRecipient: () => (refusals-- > 0 ? '450 4.2.0 Greylisted' : null) });
    const other = await startTestMarketplace({ yaml, clock, integrations: { smtpUrl: server.url } });
    try {
      await addTo(SUMMIT, email, other);
      expect((await own(PATH, { email }, other.url)).status).toBe(204);
      other.runtime.wake();
      await eventually('the server refused the mail', () => refusals === 0);
      expect(server.taken).toEqual([]);
      await eventually('the mail was taken', () => {
        clock.advance(MINUTE);
        return server.taken.length > 0;
      });
      expect(server.taken[0]?.recipients).toEqual([email]);
      expect(await eventsOf(email, other)).toHaveLength(1);
    } finally {
      await other.close();
      await server.close();
    }
  });
});

describe('a request for a link to a new password', () => {
  it('gets the same response for a known and an unknown address, which gets no mail', async () => {
    await addTo(SUMMIT, 'known@summit.example');
    const known = await request('known@summit.example');
    // As many requests are left to the client address.
    clock.advance(MINUTE);
    const unknown = await request('nobody@summit.example');
    expect(known.status).toBe(204);
    expect(known.text).toBe('');
    expect(factsOf(unknown)).toEqual(factsOf(known));
    expect(await secretsFor('known@summit.example')).toHaveLength(1);
    expect(await secretsFor('nobody@summit.example')).toEqual([]);
    expect(await eventsOf('nobody@summit.example')).toEqual([]);
  });

  it.each([['known'], ['unknown']])(
    'is held back after five for one %s address, and delays no sign-in',
    async (who) => {
      const email = `often-${who}@summit.example`;
      await addTo(SUMMIT, who === 'known' ? email : `other-than-${email}`);
      const statuses: number[] = [];
      for (let round = 0; round < 5; round += 1) statuses.push((await own(PATH, { email })).status);
      expect(statuses).toEqual([204, 204, 204, 204, 204]);
      const held = await own(PATH, { email });
      expect(problemFacts(held)).toEqual(problem(429, 'sign_in_delayed'));
      expect(held.headers.get('retry-after')).toBe('2');
      expect((await signIn(email)).status).toBe(who === 'known' ? 200 : 401);
      clock.advance(2000);
      expect((await own(PATH, { email })).status).toBe(204);
    },
  );

  it('is held back after twenty from one client address', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 21; round += 1)
      statuses.push((await own(PATH, { email: `any${round}@summit.example` })).status);
    expect(statuses.slice(0, 20).every((status) => status === 204)).toBe(true);
    expect(statuses[20]).toBe(429);
  });

  it.each([
    ['no address', {}],
    ['a text that is no address', { email: 'dana' }],
    ['two addresses', { email: 'a@summit.example,b@summit.example' }],
    ['a list', { email: ['dana@summit.example'] }],
    ['a NUL', { email: 'dana\0@summit.example' }],
    ['a line break', { email: 'dana@summit.example\r\nBcc: eve@acme.example' }],
    ['a long address', { email: `${'a'.repeat(250)}@summit.example` }],
    ['a member more', { email: 'dana@summit.example', link: 'https://evil.example' }],
  ])('is rejected with %s', async (_what, body) => {
    expect((await own(PATH, body)).status).toBe(422);
  });

  it('is rejected from another site and without JSON', async () => {
    const body = { email: 'dana@summit.example' };
    const headers = { 'sec-fetch-site': 'cross-site' };
    const foreign = await call(`${market.url}${PATH}`, { method: 'POST', headers, body });
    expect(problemFacts(foreign)).toEqual(problem(403, 'cross_origin_refused'));
    expect((await own(PATH, '{"email":')).status).toBe(400);
  });
});

describe('the sign-in page', () => {
  it('promises a mail only with a mail server and a public address', async () => {
    const promises = async ({ url }: TestMarketplace): Promise<unknown> =>
      (await call(`${url}/portal/api/session`, { headers: { 'sec-fetch-site': 'same-origin' } })).json
        .mailsPasswordLinks;
    expect(await promises(market)).toBe(false);
    const integrations = { smtpUrl: 'smtp://127.0.0.1:9' };
    const mailing = await startTestMarketplace({ yaml: marketYaml(), clock, integrations });
    try {
      expect(await promises(mailing)).toBe(false);
      await addTo(SUMMIT, 'nowhere@summit.example', mailing);
      expect((await request('nowhere@summit.example', mailing)).status).toBe(204);
      // The link would begin with the address that a stranger's request names.
      expect(await eventsOf('nowhere@summit.example', mailing)).toEqual([]);
      await mailing.apply(yaml);
      expect(await promises(mailing)).toBe(true);
    } finally {
      await mailing.close();
    }
  });
});

/** Without what differs between any two responses. */
function factsOf({ status, text, headers }: ApiResponse): unknown {
  const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status, text, headers: kept };
}
