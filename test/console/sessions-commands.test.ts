// The command `operator`, which manages the operators of the console (decision 022).
import { PassThrough } from 'node:stream';

import { URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { OperatorId } from '../../src/base/ids.ts';
import { statement } from '../../src/platform/database/database.ts';
import type { SecretInput } from '../../src/platform/read-secret.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { checkPassword } from '../../src/sessions/sign-in.ts';
import { examineOperators } from '../../src/sessions/list-operators.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { registerOperatorCommands } from '../../src/sessions/operators.cli.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const clock = { now: () => new Date('2026-11-20T10:00:00.000Z') };
const PASSWORD = 'correct horse battery staple';
let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

type Run = Captured & { readonly prompts: string; readonly raw: readonly boolean[] };

/** Standard input: all at once, or at a terminal line by line after each prompt. */
async function run(argv: readonly string[], input: string | { readonly typed: readonly string[] } = ''): Promise<Run> {
  const stdin: SecretInput = new PassThrough();
  const stream = stdin as PassThrough;
  let prompts = '';
  const raw: boolean[] = [];
  if (typeof input === 'string') {
    stream.end(input);
  } else {
    const lines = [...input.typed];
    Object.assign(stdin, {
      isTTY: true,
      setRawMode(on: boolean) {
        raw.push(on);
        if (on) setImmediate(() => stream.write(lines.shift() ?? '\u0003'));
      },
    });
  }
  const captured = await captureCommand(argv, (program, out) =>
    registerOperatorCommands(program.command('operator'), {
      ...contextOf(home.database, clock, out),
      stdin,
      prompts: { write: (text) => (prompts += text) },
    }),
  );
  return { ...captured, prompts, raw };
}

const json = async (argv: readonly string[], input?: string): Promise<unknown> =>
  (await run([...argv, '--json'], input)).json;
const isRight = async (name: string, password: string): Promise<boolean> =>
  (await checkPassword(home.database, { name, password })) !== null;

describe('leadmarket operator', () => {
  it('adds an operator with a password from standard input', async () => {
    expect(await json(['operator', 'add', 'dana', '--password-stdin'], `${PASSWORD}\n`)).toEqual({
      operator: 'dana',
      role: 'admin',
    });
    expect(await isRight('dana', PASSWORD)).toBe(true);
    expect(await json(['operator', 'add', 'dana'], PASSWORD)).toMatchObject({ error: { code: 'operator_exists' } });
  });

  it('asks twice at a terminal without echo', async () => {
    const asked = await run(['operator', 'add', 'kim'], {
      typed: ['Zoë’s\u007fz caf\u0008\u0008\u0008long enough\r', 'Zoë’z long enough\n'],
    });
    expect(asked.exitCode).toBe(0);
    expect(asked.prompts).toBe('Password: \nRepeat the password: \n');
    expect(asked.raw).toEqual([true, false, true, false]);
    expect(asked.stdout).not.toContain('long enough');
    expect(await isRight('kim', 'Zoë’z long enough')).toBe(true);
  });

  it.each([
    [
      ['correct horse battery\r', 'another horse battery\r'],
      'The two passwords differ. Nothing was changed. Try again.\n',
    ],
    [['too short\r'], 'A password must have 12 to 200 characters.\n'],
    [['correct horse\u0003'], 'Nothing was changed.\n'],
  ])('adds no operator for %j', async (typed, says) => {
    const refused = await run(['operator', 'add', 'lee'], { typed });
    expect([refused.exitCode, refused.stderr]).toEqual([1, says]);
    expect(await json(['operator', 'sessions', 'lee'])).toMatchObject({ error: { code: 'operator_not_found' } });
  });

  it.each(['', '\n', 'short', 'a'.repeat(201), 'two lines of\ntext that is long', 'a tab\tin a password'])(
    'refuses the password %j',
    async (password) => {
      expect((await run(['operator', 'add', 'lee', '--password-stdin'], password)).exitCode).toBe(1);
    },
  );

  it.each(['Dana', '', 'a b', '-x', 'a'.repeat(64), 'dana@example.com', '../x'])(
    'refuses the name %j',
    async (name) => {
      expect((await run(['operator', 'add', '--', name], PASSWORD)).exitCode).toBe(2);
    },
  );

  it('shows the secret of one-time codes once', async () => {
    const added = (await json(['operator', 'add', 'max', '--totp'], PASSWORD)) as {
      totpSecret: string;
      totpUri: string;
    };
    expect(URI.parse(added.totpUri)).toMatchObject({
      issuer: 'Lead Marketplace',
      label: 'max',
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
      secret: { base32: added.totpSecret },
    });
    expect(added.totpSecret).toMatch(/^[A-Z2-7]{32}$/);
    const text = (await run(['operator', 'add', 'pat', '--totp'], PASSWORD)).stdout;
    expect(text).toContain('otpauth://totp/');
    expect((await run(['operator', 'list'])).stdout).not.toContain(added.totpSecret);
  });

  it('lists operators with their sessions, and signs them out', async () => {
    const [row] = await home.database.query(
      statement<void, { operatorId: OperatorId }>(
        'test.operator-id',
        `SELECT operator_id AS "operatorId" FROM operator WHERE name = 'dana'`,
      ),
    );
    const owner = { kind: 'operator', ownerKey: 'dana', openedWith: row?.operatorId ?? ('' as OperatorId) } as const;
    const open = () => home.database.tx((tx) => openSession(tx, { owner, userAgent: 'Firefox/140.0' }, clock.now()));
    await open();
    await open();
    const { data } = (await json(['operator', 'list'])) as { data: readonly object[] };
    expect(data[0]).toEqual({
      name: 'dana',
      email: null,
      role: 'admin',
      secondFactor: false,
      createdAt: clock.now().toISOString(),
      disabledAt: null,
      openSessions: 2,
      lastUsedAt: clock.now().toISOString(),
    });
    const listed = (await json(['operator', 'sessions', 'dana'])) as { data: readonly object[] };
    expect(listed.data).toHaveLength(2);
    expect(listed.data[0]).toEqual({
      id: expect.stringMatching(/^ses_/) as string,
      label: 'Firefox',
      createdAt: clock.now().toISOString(),
      lastUsedAt: clock.now().toISOString(),
      expiresAt: '2026-11-20T22:00:00.000Z',
    });
    expect(await json(['operator', 'sign-out', 'dana'])).toEqual({ operator: 'dana', endedSessions: 2 });
    expect(await json(['operator', 'sessions', 'dana'])).toEqual({ data: [] });
  });

  it('sets and lists roles, and keeps the last administrator', async () => {
    expect(await json(['operator', 'add', 'rob', '--role', 'support'], PASSWORD)).toEqual({
      operator: 'rob',
      role: 'support',
    });
    expect((await run(['operator', 'add', 'bob', '--role', 'owner'], PASSWORD)).exitCode).toBe(2);
    const roleOf = async (name: string): Promise<unknown> => {
      const { data } = (await json(['operator', 'list'])) as { data: ReadonlyArray<{ name: string; role: string }> };
      return data.find((operator) => operator.name === name)?.role;
    };
    expect(await roleOf('rob')).toBe('support');
    expect((await run(['operator', 'set-role', 'rob', 'finance'])).stdout).toBe('rob has the role finance.\n');
    expect(await roleOf('rob')).toBe('finance');
    expect((await run(['operator', 'set-role', 'rob', 'owner'])).exitCode).toBe(2);
    expect(await json(['operator', 'set-role', 'nobody', 'admin'])).toMatchObject({
      error: { code: 'operator_not_found' },
    });
    const { data } = (await json(['operator', 'list'])) as { data: ReadonlyArray<{ name: string; role: string }> };
    const admins = data.filter(({ role }) => role === 'admin').map(({ name }) => name);
    for (const name of admins.slice(1)) await run(['operator', 'set-role', name, 'read-only']);
    for (const argv of [
      ['set-role', admins[0] ?? '', 'support'],
      ['disable', admins[0] ?? ''],
    ]) {
      expect(await json(['operator', ...argv])).toMatchObject({ error: { code: 'last_admin' } });
    }
    for (const name of admins.slice(1)) await run(['operator', 'set-role', name, 'admin']);
  });

  it('removes a lost second factor, and doctor names operators without one', async () => {
    const finding = async (env: Record<string, string>): Promise<unknown> => {
      const outcome = loadConfig(env);
      if (!outcome.ok) throw new Error(outcome.faults.join());
      return examineOperators(home.database, outcome.config);
    };
    expect(await finding({})).toMatchObject({ ok: true, detail: expect.not.stringContaining('max') as unknown });
    expect((await run(['operator', 'reset-totp', 'max'])).stdout).toBe('max has no second factor.\n');
    expect(await finding({})).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^missing: .*\bmax\b/) as unknown,
    });
    expect(await finding({ REQUIRE_TOTP: 'on' })).toMatchObject({ name: 'second factor', ok: false });
  });

  it('sets another password', async () => {
    const changed = await run(['operator', 'password', 'dana', '--password-stdin'], 'a better one than that\r\n');
    expect(changed.stdout).toBe('dana has a new password.\n');
    expect(await isRight('dana', PASSWORD)).toBe(false);
    expect(await isRight('dana', 'a better one than that')).toBe(true);
    expect(await json(['operator', 'password', 'nobody'], PASSWORD)).toMatchObject({
      error: { code: 'operator_not_found' },
    });
  });

  it('disables and enables an operator repeatedly', async () => {
    for (const [command, works] of [
      ['disable', false],
      ['disable', false],
      ['enable', true],
      ['enable', true],
    ] as const) {
      expect(await json(['operator', command, 'kim'])).toEqual({ operator: 'kim', endedSessions: 0 });
      expect(await isRight('kim', 'Zoë’z long enough')).toBe(works);
    }
    const seen = await home.database.query(
      statement<void, { action: string }>(
        'test.told',
        `SELECT action FROM audit_event WHERE target = 'kim' AND action <> 'operator.role_changed' ORDER BY audit_id`,
      ),
    );
    expect(seen.map(({ action }) => action)).toEqual(['operator.added', 'operator.disabled', 'operator.enabled']);
  });
});
