// Sign-in to the console: passwords, one-time codes, and the protection against guessing (decision 022).
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { accentShades } from '../../src/base/accent-shades.ts';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { statement } from '../../src/platform/database/database.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { setOperatorDisabled, setOperatorPassword } from '../../src/sessions/change-operator.ts';
import { newTotpSecret } from '../../src/sessions/one-time-code.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, call, problem, problemFacts } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { asBrowser, type SignedIn } from '../support/signed-in.ts';

const HOUR = 3_600_000;
const BRAND = { name: 'Lead Marketplace', shades: accentShades('#0b6b62'), logo: null, helpEmail: null };
const PASSWORD = 'correct horse battery staple';
const clock = handClock('2026-11-20T15:00:00Z');
const totpSecret = newTotpSecret();
let market: TestMarketplace;
let passwordHash: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), clock });
  passwordHash = await hashPassword(PASSWORD);
  await add('dana');
  await add('kim', totpSecret);
});
// So that no test is delayed by failures of the previous one.
beforeEach(() => clock.advance(3 * HOUR));
afterAll(() => market.close());

async function add(name: string, secret: string | null = null): Promise<void> {
  const input = { name, passwordHash, totpSecret: secret, actor: commandLineActor };
  const added = await market.database.tx((tx) => addOperator(tx, input, clock.now()));
  expect(added.ok).toBe(true);
}

type Typed = { readonly name?: unknown; readonly password?: unknown; readonly code?: unknown };

function post(typed: Typed, headers: Readonly<Record<string, string>> = {}, url = market.url): Promise<ApiResponse> {
  return call(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    body: { name: 'dana', password: PASSWORD, ...typed },
  });
}

const cookieOf = (response: ApiResponse): string => response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';

async function signIn(name = 'dana'): Promise<SignedIn> {
  return asBrowser(market.url, cookieOf(await post({ name })));
}

const whoami = async (who: SignedIn): Promise<unknown> => (await who.get('/console/api/session')).json.session;

const code = (offset = 0): string =>
  new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate({ timestamp: clock.now().getTime() + offset * 30_000 });

async function lastEvents(count: number): Promise<unknown[]> {
  return market.database.query(
    statement<{ count: number }, unknown>(
      'test.audit-of-operators',
      `SELECT action, target, actor_type AS "actor", actor_name AS "name", buyer_key AS "buyer", ip
       FROM audit_event WHERE action LIKE 'session.%' ORDER BY audit_id DESC LIMIT $count`,
    ),
    { count },
  );
}

describe('the sign-in to the console', () => {
  it('accepts name and password', async () => {
    const response = await post({ name: ' Dana ' });
    expect([response.status, response.json]).toEqual([
      200,
      {
        session: {
          id: expect.stringMatching(/^ses_/) as string,
          kind: 'operator',
          ownerKey: 'dana',
          name: 'dana',
          currency: 'USD',
          timeZone: 'UTC',
          role: 'admin',
          permissions: ['own', 'read', 'operate', 'money', 'configure', 'credentials', 'operators', 'persons'],
          secondFactor: 'none',
        },
        isDemo: false,
        provider: null,
        brand: BRAND,
      },
    ]);
    expect(response.headers.get('set-cookie')).toMatch(
      /^console=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict$/,
    );
    expect(await whoami(asBrowser(market.url, cookieOf(response)))).toMatchObject({ ownerKey: 'dana' });
    expect(await lastEvents(1)).toEqual([
      expect.objectContaining({
        action: 'session.opened',
        actor: 'operator',
        name: 'dana',
        buyer: null,
        ip: '127.0.0.1',
      }),
    ]);
  });

  it.each([
    [{ password: 'wrong' }, 'dana'],
    [{ password: `${PASSWORD} ` }, 'dana'],
    [{ password: PASSWORD.toUpperCase() }, 'dana'],
    [{ name: 'nobody' }, 'unknown name'],
    [{ name: "' OR 1=1 --" }, 'unknown name'],
    [{ name: '__proto__' }, 'unknown name'],
  ])('refuses %j with one generic message, and audits it', async (typed, target) => {
    const response = await post(typed);
    if (response.status === 400) return;
    expect(problemFacts(response)).toEqual(problem(401, 'unauthorized'));
    expect(response.json.detail).toBe('The name, password or code is wrong.');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await lastEvents(1)).toEqual([
      expect.objectContaining({ action: 'session.refused', target, actor: 'system', name: 'console', buyer: null }),
    ]);
  });

  it.each([
    { name: '' },
    { name: 3 },
    { name: 'a'.repeat(101) },
    { password: '' },
    { password: null },
    { password: 'a'.repeat(201) },
    { code: 123456 },
    { more: true },
    { name: '\u0000' },
    { password: '\ud800' },
  ])('refuses %j without checking the password', async (typed) => {
    expect((await post(typed)).status).toBe(422);
  });

  it('accepts a password in any Unicode normalization', async () => {
    passwordHash = await hashPassword('Zoë’s café №12');
    await add('zoe');
    passwordHash = await hashPassword(PASSWORD);
    expect((await post({ name: 'zoe', password: 'Zoe\u0308’s cafe\u0301 No12' })).status).toBe(200);
  });

  it('stores passwords as Argon2id, and never in the audit log', async () => {
    await post({ password: 'a password that is wrong' });
    const rows = await market.database.query(
      statement<void, { text: string }>(
        'test.everything',
        `SELECT coalesce(string_agg(t::text, ' '), '') AS text FROM
           (SELECT to_jsonb(a) FROM audit_event a UNION ALL SELECT to_jsonb(s) FROM session s) t`,
      ),
    );
    expect(rows[0]?.text).not.toContain('a password that is wrong');
    expect(rows[0]?.text).not.toContain(PASSWORD);
    const [stored] = await market.database.query(
      statement<void, { password: string }>('test.password', `SELECT password FROM operator WHERE name = 'dana'`),
    );
    expect(stored?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });
});

describe('a one-time code', () => {
  it('is asked for when the password was right, and only then', async () => {
    const response = await post({ name: 'kim' });
    expect(problemFacts(response)).toEqual(problem(401, 'totp_required'));
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(problemFacts(await post({ name: 'kim', password: 'wrong' }))).toEqual(problem(401, 'unauthorized'));
    expect(problemFacts(await post({ name: 'kim', code: ' ' }))).toEqual(problem(401, 'totp_required'));
  });

  it('is accepted once', async () => {
    const shown = code();
    const spaced = `${shown.slice(0, 3)} ${shown.slice(3)}`;
    expect((await post({ name: 'kim', code: spaced })).status).toBe(200);
    expect(problemFacts(await post({ name: 'kim', code: shown }))).toEqual(problem(401, 'unauthorized'));
    // And no earlier code.
    expect((await post({ name: 'kim', code: code(-1) })).status).toBe(401);
    clock.advance(30_000);
    expect((await post({ name: 'kim', code: code() })).status).toBe(200);
  });

  it('is accepted once for two concurrent sign-ins', async () => {
    const shown = code();
    const responses = await Promise.all([post({ name: 'kim', code: shown }), post({ name: 'kim', code: shown })]);
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401']);
  });

  it.each([-1, 1])('is accepted %i step off', async (offset) => {
    expect((await post({ name: 'kim', code: code(offset) })).status).toBe(200);
  });

  it.each([() => code(-2), () => code(2), () => '000000', () => '12345', () => 'abcdef', () => '１２３４５６'])(
    'is rejected if it is wrong (%#)',
    async (wrong) => {
      expect(problemFacts(await post({ name: 'kim', code: wrong() }))).toEqual(problem(401, 'unauthorized'));
    },
  );
});

describe('password guessing', () => {
  it('is delayed increasingly after five failures, in all processes, until the right password', async () => {
    const other = await startTestMarketplace({ yaml: marketYaml(), clock, on: market.testDatabase });
    try {
      for (let time = 0; time < 5; time += 1) {
        expect((await post({ password: 'wrong' }, {}, time % 2 === 0 ? market.url : other.url)).status).toBe(401);
      }
      // Too early: even the right password is not checked.
      for (const url of [market.url, other.url]) {
        const early = await post({}, {}, url);
        expect(problemFacts(early)).toEqual(problem(429, 'sign_in_delayed'));
        expect(early.headers.get('retry-after')).toBe('2');
      }
      clock.advance(2000);
      expect((await post({ password: 'wrong' })).status).toBe(401);
      expect((await post({})).headers.get('retry-after')).toBe('4');
      clock.advance(4000);
      expect((await post({})).status).toBe(200);
      for (let time = 0; time < 4; time += 1) await post({ password: 'wrong' });
      expect((await post({})).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('is delayed for concurrent guesses as well', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => post({ name: 'kim', password: 'wrong' })));
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual([
      '401',
      '401',
      '401',
      '401',
      '401',
      '429',
      '429',
      '429',
    ]);
  });

  it('is delayed for unknown names in the same way', async () => {
    const statuses = [];
    for (let time = 0; time < 6; time += 1) statuses.push((await post({ name: 'ghost' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('from elsewhere does not lock out an operator at a known address', async () => {
    const proxied = await startTestMarketplace({
      yaml: marketYaml(),
      clock,
      on: market.testDatabase,
      trustProxy: ['127.0.0.1'],
    });
    try {
      const from = (address: string, typed: Typed = {}): Promise<ApiResponse> =>
        post({ name: 'lee', ...typed }, { 'x-forwarded-for': address }, proxied.url);
      await add('lee');
      expect((await from('203.0.113.1')).status).toBe(200);
      for (let stranger = 1; stranger <= 20; stranger += 1) {
        expect((await from(`198.51.100.${stranger}`, { password: 'wrong' })).status).toBe(401);
      }
      expect((await from('198.51.100.99', { password: 'wrong' })).status).toBe(429);
      expect((await from('198.51.100.100')).status).toBe(429);
      expect((await from('203.0.113.1')).status).toBe(200);
      // An IPv6 connection has many addresses, which count as one.
      for (let host = 1; host <= 5; host += 1) await from(`2001:db8::${host}`, { name: 'ghost6' });
      expect((await from('2001:db8::77', { name: 'ghost6' })).status).toBe(429);
      expect((await from('2001:db8:0:1::77', { name: 'ghost6' })).status).toBe(401);
    } finally {
      await proxied.close();
    }
  });

  it('is no longer delayed after a password change', async () => {
    await add('max');
    const subject = statement<{ until: Date }>(
      'test.hold-back',
      `UPDATE sign_in_guard SET blocked_until = $until WHERE subject = sha256(convert_to(E'name\\nmax', 'UTF8'))`,
    );
    await post({ name: 'max', password: 'wrong' });
    await market.database.query(subject, { until: new Date(clock.now().getTime() + HOUR) });
    expect((await post({ name: 'max' })).status).toBe(429);
    const change = { name: 'max', passwordHash, actor: commandLineActor };
    await market.database.tx((tx) => setOperatorPassword(tx, change, clock.now()));
    expect((await post({ name: 'max' })).status).toBe(200);
  });
});

describe('an operator’s session', () => {
  it('is new at each sign-in, and the previous one ends', async () => {
    const before = await signIn();
    const response = await post({}, { cookie: before.cookie });
    expect(cookieOf(response)).not.toBe(before.cookie);
    expect(await whoami(before)).toBeNull();
    // A failed sign-in does not end the current session.
    const after = asBrowser(market.url, cookieOf(response));
    await post({ password: 'wrong' }, { cookie: after.cookie });
    expect(await whoami(after)).not.toBeNull();
  });

  it('is invalid after sign-out', async () => {
    const dana = await signIn();
    expect((await dana.get('/console/api/sessions')).status).toBe(200);
    expect((await dana.send('DELETE', '/console/api/session')).status).toBe(204);
    expect(problemFacts(await dana.get('/console/api/sessions'))).toEqual(problem(401, 'unauthorized'));
  });

  it('ends after two hours without use, and after twelve hours', async () => {
    const idle = await signIn();
    clock.advance(2 * HOUR);
    expect(await whoami(idle)).toBeNull();
    const dana = await signIn();
    for (let hour = 1; hour < 12; hour += 1) {
      clock.advance(HOUR);
      expect((await dana.get('/console/api/sessions')).status).toBe(200);
    }
    clock.advance(HOUR);
    expect((await dana.get('/console/api/sessions')).status).toBe(401);
  });

  it('ends with a password change and with disabling the account', async () => {
    await add('sam');
    const first = await signIn('sam');
    const change = { name: 'sam', passwordHash: await hashPassword('quite another one'), actor: commandLineActor };
    const changed = await market.database.tx((tx) => setOperatorPassword(tx, change, clock.now()));
    expect(changed).toEqual({ ok: true, value: { endedSessions: 1 } });
    clock.advance(2000);
    expect(await whoami(first)).toBeNull();
    expect((await post({ name: 'sam' })).status).toBe(401);
    const again = await post({ name: 'sam', password: 'quite another one' });
    const second = asBrowser(market.url, cookieOf(again));
    const set = (disabled: boolean) =>
      market.database.tx((tx) =>
        setOperatorDisabled(tx, { name: 'sam', disabled, actor: commandLineActor }, clock.now()),
      );
    await set(true);
    clock.advance(2000);
    expect((await second.get('/console/api/sessions')).status).toBe(401);
    expect((await post({ name: 'sam', password: 'quite another one' })).status).toBe(401);
    await set(false);
    expect(await whoami(second)).toBeNull();
    expect((await post({ name: 'sam', password: 'quite another one' })).status).toBe(200);
  });

  it('is listed for its operator only, who can end it', async () => {
    await add('pat');
    const one = await signIn('pat');
    const two = await signIn('pat');
    const { data } = (await two.get('/console/api/sessions')).json;
    expect(data.map((session: { isThisSession: boolean }) => session.isThisSession)).toEqual([true, false]);
    const dana = await signIn();
    expect((await dana.send('DELETE', `/console/api/sessions/${data[1].id}`)).status).toBe(404);
    expect((await two.send('DELETE', `/console/api/sessions/${data[1].id}`)).status).toBe(204);
    expect(await whoami(one)).toBeNull();
    expect(await whoami(two)).not.toBeNull();
  });

  it('is refused for requests of another origin', async () => {
    const dana = await signIn();
    const url = `${market.url}/console/api/sessions`;
    const { cookie } = dana;
    const refused = problem(403, 'cross_origin_refused');
    expect(problemFacts(await call(url, { headers: { cookie, 'sec-fetch-site': 'cross-site' } }))).toEqual(refused);
    expect(problemFacts(await call(url, { headers: { cookie, origin: 'https://evil.example' } }))).toEqual(refused);
    expect(problemFacts(await call(`${url}/x`, { method: 'DELETE', headers: { cookie } }))).toEqual(refused);
  });
});
