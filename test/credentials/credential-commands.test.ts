import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { statement } from '../../src/platform/database/database.ts';
import { registerKeyCommands, registerTokenCommands } from '../../src/credentials/credentials.cli.ts';
import { registerOperatorTokenCommands } from '../../src/credentials/operator-tokens.cli.ts';
import { type CredentialCliContext, registerSecretCommands } from '../../src/credentials/signing-secrets.cli.ts';
import { createAuthenticator } from '../../src/credentials/authenticator.ts';
import { captureCommand, type Captured, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const clock = { now: () => new Date('2026-11-20T10:00:00.000Z') };
const owners = { supplier: ['acme-media'], buyer: ['summit', 'rival'] };
let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

function run(...argv: string[]): Promise<Captured> {
  return captureCommand(argv, (program, out) => {
    const context: CredentialCliContext = {
      ...contextOf(home.database, clock, out),
      ownerExists: async (kind, key) => owners[kind].includes(key),
    };
    registerKeyCommands(program.command('key'), context);
    registerTokenCommands(program.command('token'), context);
    registerOperatorTokenCommands(program.command('operator-token'), context);
    registerSecretCommands(program.command('secret'), context);
  });
}

async function inJson<Shape>(...argv: string[]): Promise<Shape> {
  const { exitCode, json } = await run(...argv, '--json');
  expect(exitCode).toBe(0);
  return json as Shape;
}

describe('Keys and tokens', () => {
  it('are issued in the documented shapes, and authenticate', async () => {
    const key = await inJson<{ key: string }>(
      'key',
      'issue',
      '--supplier',
      'acme-media',
      '--label',
      'form',
      '--expires',
      '2027-01-31',
    );
    expect(Object.keys(key)).toEqual(['supplier', 'keyId', 'key']);
    expect(key).toMatchObject({
      supplier: 'acme-media',
      keyId: expect.stringMatching(/^key_[0-9a-z]{26}$/) as unknown,
      key: expect.stringMatching(/^lms_[0-9A-Za-z]{38}$/) as unknown,
    });
    const token = await inJson<{ token: string }>('token', 'issue', '--partner', 'summit');
    expect(Object.keys(token)).toEqual(['partner', 'tokenId', 'token']);

    const authenticator = createAuthenticator({ database: home.database, clock, onFault: () => {} });
    expect(await authenticator.authenticate('supplier_key', key.key)).toMatchObject({ ownerKey: 'acme-media' });
    expect(await authenticator.authenticate('buyer_token', token.token)).toMatchObject({ ownerKey: 'summit' });
    await authenticator.close();
  });

  it('are printed on the first line, followed by id and owner', async () => {
    const { stdout, stderr } = await run('key', 'issue', '--supplier', 'acme-media');
    expect(stdout).toMatch(/^lms_\w{38}\n\nkey_\w{26} for supplier acme-media\. .* never shown again\.\n$/);
    expect(stderr).toBe('');
  });

  it('are listed, and revoked by id any number of times', async () => {
    const issued = await inJson<{ tokenId: string; token: string }>(
      'token',
      'issue',
      '--partner',
      'rival',
      '--label',
      'CRM',
    );
    const revoked = { tokenId: issued.tokenId, revokedAt: '2026-11-20T10:00:00.000Z' };
    expect(await inJson('token', 'revoke', issued.tokenId)).toEqual(revoked);
    expect(await inJson('token', 'revoke', issued.tokenId)).toEqual(revoked);
    const listed = {
      tokenId: issued.tokenId,
      partner: 'rival',
      label: 'CRM',
      last4: issued.token.slice(-4),
      createdAt: '2026-11-20T10:00:00.000Z',
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: '2026-11-20T10:00:00.000Z',
    };
    expect(await inJson('token', 'list', '--partner', 'rival')).toEqual({ data: [listed] });
    expect(await inJson<{ data: unknown[] }>('token', 'list')).toMatchObject({
      data: expect.arrayContaining([listed]) as unknown,
    });
    expect(await inJson('key', 'list', '--supplier', 'rival')).toEqual({ data: [] });
    const { stdout } = await run('token', 'list', '--partner', 'rival');
    expect(stdout).toContain(`│ ${issued.tokenId} │ rival │ CRM   │`);
    expect(stdout).toContain('revoked 2026-11-20T10:00:00.000Z');
    expect(stdout).not.toContain(issued.token);
  });

  it.each([
    ['an unknown supplier', ['key', 'issue', '--supplier', 'nobody'], 'supplier_not_found'],
    ['an unknown partner', ['token', 'issue', '--partner', 'acme-media'], 'partner_not_found'],
    [
      'an expiry in the past',
      ['token', 'issue', '--partner', 'summit', '--expires', '2026-11-20T10:00:00Z'],
      'expires_in_past',
    ],
    ['a malformed id', ['key', 'revoke', 'key_1'], 'credential_not_found'],
    ['an id of another kind', ['key', 'revoke', 'tok_01jd0000000000000000000000'], 'credential_not_found'],
    ['an unknown id', ['token', 'revoke', 'tok_01jd0000000000000000000000'], 'credential_not_found'],
  ])('%s is rejected with exit code 1', async (_case, argv, code) => {
    const { exitCode, json } = await run(...argv, '--json');
    expect([exitCode, json]).toMatchObject([1, { error: { code } }]);
    const asText = await run(...argv);
    expect([asText.exitCode, asText.stdout]).toEqual([1, '']);
  });

  it.each([
    [['key', 'issue']],
    [['token', 'issue']],
    [['token', 'issue', '--operator', 'me']],
    [['token', 'issue', '--partner', 'summit', '--expires', 'tomorrow']],
    [['key', 'revoke']],
    [['secret', 'show']],
    [['secret', 'show', '--partner', 'summit', '--supplier', 'acme-media']],
  ])('%j is a usage error with exit code 2', async (argv) => {
    expect(await run(...argv, '--json')).toMatchObject({ exitCode: 2, json: { error: { code: 'usage' } } });
    expect(await run(...argv)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('Signing secrets', () => {
  type Shown = { owner: string; secret: string; previous: { secret: string; validUntil: string } | null };

  it('are shown, for 24 h after a rotation together with the previous one', async () => {
    const shown = await inJson<Shown>('secret', 'show', '--partner', 'summit');
    expect(shown).toEqual({ owner: 'summit', secret: expect.stringMatching(/^whsec_/) as unknown, previous: null });
    expect(await inJson('secret', 'show', '--partner', 'summit')).toEqual(shown);
    const rotated = await inJson<Shown>('secret', 'rotate', '--partner', 'summit');
    expect(rotated.previous).toEqual({ secret: shown.secret, validUntil: '2026-11-21T10:00:00.000Z' });
    const { stdout } = await run('secret', 'show', '--partner', 'summit');
    expect(stdout).toBe(`${rotated.secret}\nUntil 2026-11-21T10:00:00.000Z also ${shown.secret}\n`);
    const supplier = await inJson<Shown>('secret', 'show', '--supplier', 'acme-media');
    expect(supplier.owner).toBe('acme-media');
    expect(supplier.secret).not.toBe(rotated.secret);
    const reads = await home.database.query(
      statement<void, { target: string; name: string; buyer: string | null }>(
        'test.reads',
        `SELECT target, actor_name AS name, buyer_key AS buyer FROM audit_event WHERE action = 'secret.shown' ORDER BY audit_id`,
      ),
    );
    const read = (target: string) => ({ target, name: 'command line', buyer: null });
    expect(reads).toEqual([read('summit'), read('summit'), read('summit'), read('acme-media')]);
  });

  it('of an unknown supplier are rejected', async () => {
    const { exitCode, json } = await run('secret', 'rotate', '--supplier', 'summit', '--json');
    expect([exitCode, json]).toEqual([
      1,
      { error: { code: 'supplier_not_found', message: 'There is no supplier summit.' } },
    ]);
  });
});
