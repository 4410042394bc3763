// Signing in to the console: passwords, one-time codes, and what holds back guessing (decision 022).
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

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
// So that no test is held back by the one before.
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

describe('The door of the console', () => {
  test('opens to name and password', async () => {
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
          role: 'admin',
          permissions: ['own', 'read', 'operate', 'money', 'configure', 'credentials', 'persons'],
          secondFactor: 'none',
        },
        isDemo: false,
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

  test.each([
    [{ password: 'wrong' }, 'dana'],
    [{ password: `${PASSWORD} ` }, 'dana'],
    [{ password: PASSWORD.toUpperCase() }, 'dana'],
    [{ name: 'nobody' }, 'unknown name'],
    [{ name: "' OR 1=1 --" }, 'unknown name'],
    [{ name: '__proto__' }, 'unknown name'],
  ])('says of %j no more than that it is not right, and notes it', async (typed, target) => {
    const response = await post(typed);
    if (response.status === 400) return;
    expect(problemFacts(response)).toEqual(problem(401, 'unauthorized'));
    expect(response.json.detail).toBe('The name, password or code is wrong.');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await lastEvents(1)).toEqual([
      expect.objectContaining({ action: 'session.refused', target, actor: 'system', name: 'console', buyer: null }),
    ]);
  });

  test.each([
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
  ])('refuses %j without looking at it', async (typed) => {
    expect((await post(typed)).status).toBe(422);
  });

  test('takes a password in whatever code points a keyboard makes', async () => {
    passwordHash = await hashPassword('Zoë’s café №12');
    await add('zoe');
    passwordHash = await hashPassword(PASSWORD);
    expect((await post({ name: 'zoe', password: 'Zoe\u0308’s cafe\u0301 No12' })).status).toBe(200);
  });

  test('keeps passwords as Argon2id with its cost, and nowhere in the audit log', async () => {
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

describe('A one-time code', () => {
  test('is asked for when the password was right, and only then', async () => {
    const response = await post({ name: 'kim' });
    expect(problemFacts(response)).toEqual(problem(401, 'totp_required'));
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(problemFacts(await post({ name: 'kim', password: 'wrong' }))).toEqual(problem(401, 'unauthorized'));
    expect(problemFacts(await post({ name: 'kim', code: ' ' }))).toEqual(problem(401, 'totp_required'));
  });

  test('lets in once', async () => {
    const shown = code();
    const spaced = `${shown.slice(0, 3)} ${shown.slice(3)}`;
    expect((await post({ name: 'kim', code: spaced })).status).toBe(200);
    expect(problemFacts(await post({ name: 'kim', code: shown }))).toEqual(problem(401, 'unauthorized'));
    // And none from before it.
    expect((await post({ name: 'kim', code: code(-1) })).status).toBe(401);
    clock.advance(30_000);
    expect((await post({ name: 'kim', code: code() })).status).toBe(200);
  });

  test('lets in only one of two who have it at the same time', async () => {
    const shown = code();
    const responses = await Promise.all([post({ name: 'kim', code: shown }), post({ name: 'kim', code: shown })]);
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401']);
  });

  test.each([-1, 1])('may be %i step off', async (offset) => {
    expect((await post({ name: 'kim', code: code(offset) })).status).toBe(200);
  });

  test.each([() => code(-2), () => code(2), () => '000000', () => '12345', () => 'abcdef', () => '１２３４５６'])(
    'that is wrong lets nobody in (%#)',
    async (wrong) => {
      expect(problemFacts(await post({ name: 'kim', code: wrong() }))).toEqual(problem(401, 'unauthorized'));
    },
  );
});

describe('Guessing', () => {
  test('is held back after five failures, longer and longer, in all processes, and ends with the right password', async () => {
    const other = await startTestMarketplace({ yaml: marketYaml(), clock, on: market.testDatabase });
    try {
      for (let time = 0; time < 5; time += 1) {
        expect((await post({ password: 'wrong' }, {}, time % 2 === 0 ? market.url : other.url)).status).toBe(401);
      }
      // Too early, so even the right one is not looked at.
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

  test('is not quicker when all guesses come at once', async () => {
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

  test('is held back for names that nobody has in the same way', async () => {
    const statuses = [];
    for (let time = 0; time < 6; time += 1) statuses.push((await post({ name: 'ghost' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('from elsewhere does not lock out an operator where that one has signed in before', async () => {
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
      // A line has many addresses of its own in IPv6, and counts as one.
      for (let host = 1; host <= 5; host += 1) await from(`2001:db8::${host}`, { name: 'ghost6' });
      expect((await from('2001:db8::77', { name: 'ghost6' })).status).toBe(429);
      expect((await from('2001:db8:0:1::77', { name: 'ghost6' })).status).toBe(401);
    } finally {
      await proxied.close();
    }
  });

  test('another password lets in again, also where strangers hold the name back', async () => {
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

describe('An operator’s session', () => {
  test('is a new one at each sign-in, and the one before ends', async () => {
    const before = await signIn();
    const response = await post({}, { cookie: before.cookie });
    expect(cookieOf(response)).not.toBe(before.cookie);
    expect(await whoami(before)).toBeNull();
    // Whoever only tries does not sign out who is in.
    const after = asBrowser(market.url, cookieOf(response));
    await post({ password: 'wrong' }, { cookie: after.cookie });
    expect(await whoami(after)).not.toBeNull();
  });

  test('is of no use after signing out', async () => {
    const dana = await signIn();
    expect((await dana.get('/console/api/sessions')).status).toBe(200);
    expect((await dana.send('DELETE', '/console/api/session')).status).toBe(204);
    expect(problemFacts(await dana.get('/console/api/sessions'))).toEqual(problem(401, 'unauthorized'));
  });

  test('ends after two hours without use, and after twelve in any case', async () => {
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

  test('ends with another password and with being disabled', async () => {
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

  test('is listed for the operator, who can end it, and nobody else', async () => {
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

  test('opens nothing without the page’s own origin', async () => {
    const dana = await signIn();
    const url = `${market.url}/console/api/sessions`;
    const { cookie } = dana;
    const refused = problem(403, 'cross_origin_refused');
    expect(problemFacts(await call(url, { headers: { cookie, 'sec-fetch-site': 'cross-site' } }))).toEqual(refused);
    expect(problemFacts(await call(url, { headers: { cookie, origin: 'https://evil.example' } }))).toEqual(refused);
    expect(problemFacts(await call(`${url}/x`, { method: 'DELETE', headers: { cookie } }))).toEqual(refused);
  });
});
