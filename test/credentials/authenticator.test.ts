import type { CredentialId } from '../../src/base/ids.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/platform/database/database.ts';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type Authenticator, createAuthenticator } from '../../src/credentials/authenticator.ts';
import type { CredentialKind } from '../../src/credentials/credential.ts';
import { issueCredential } from '../../src/credentials/issue-credential.ts';
import { listCredentials } from '../../src/credentials/find-credentials.ts';
import { revokeCredential } from '../../src/credentials/revoke-credential.ts';
import { newSecret } from '../../src/credentials/secret-text.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const SECOND = 1000;

let home: TestDatabase;
let authenticator: Authenticator;
let nowMs = START;
/** Statements that the authenticator has sent. */
let queries = 0;
let isAway = false;
let faults: unknown[] = [];
/** If set, every query waits for it. */
let gate: Promise<void> | null = null;

/** The real database behind a wrapper that counts, delays and fails queries. */
function observed(database: Database): Database {
  return {
    ...database,
    async query(statement, ...params) {
      queries += 1;
      await gate;
      if (isAway) throw new OutsideError('database_unavailable', 'Storage is unavailable.', { retryable: true });
      return database.query(statement, ...params);
    },
  };
}

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());
beforeEach(() => {
  nowMs = START;
  queries = 0;
  isAway = false;
  gate = null;
  faults = [];
  authenticator = createAuthenticator({
    database: observed(home.database),
    clock: { now: () => new Date(nowMs) },
    onFault: (error) => faults.push(error),
  });
});
afterEach(() => authenticator.close());

async function issue(
  overrides: { kind?: CredentialKind; expiresAt?: Date } = {},
): Promise<{ credentialId: string; secret: string }> {
  const credential = {
    kind: 'buyer_token',
    ownerKey: 'summit',
    label: null,
    expiresAt: null,
    actor: commandLineActor,
  } as const;
  return home.database.tx((tx) => issueCredential(tx, { ...credential, ...overrides }, new Date(START)));
}

function revoke(credentialId: string): Promise<unknown> {
  const kinds = ['buyer_token', 'supplier_key', 'operator_token'] as const;
  return home.database.tx((tx) =>
    revokeCredential(
      tx,
      { kinds, credentialId: credentialId as CredentialId, actor: commandLineActor },
      new Date(nowMs),
    ),
  );
}

describe('A presented text', () => {
  it.each([
    ['nothing', ''],
    ['a word', 'hunter2'],
    [
      'a secret with one character changed',
      newSecret('buyer_token').replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    ],
    ['a secret of another kind', newSecret('supplier_key')],
    ['a megabyte', `lmb_${'a'.repeat(1_000_000)}`],
  ])('is rejected without a query when it is %s', (_case, text) => {
    expect(authenticator.authenticate('buyer_token', text)).toBeNull();
    expect(queries).toBe(0);
  });

  it('is looked up again each time when it is an unknown secret', async () => {
    const secret = newSecret('buyer_token');
    expect(await authenticator.authenticate('buyer_token', secret)).toBeNull();
    expect(await authenticator.authenticate('buyer_token', secret)).toBeNull();
    expect(queries).toBe(2);
  });
});

describe('A credential', () => {
  it.each(['supplier_key', 'buyer_token', 'operator_token'] as const)(
    'of the kind %s is rejected as any other kind',
    async (kind) => {
      const { credentialId, secret } = await issue({ kind });
      expect(await authenticator.authenticate(kind, secret)).toEqual({ credentialId, ownerKey: 'summit' });
      for (const other of (['supplier_key', 'buyer_token', 'operator_token'] as const).filter((one) => one !== kind)) {
        expect(authenticator.authenticate(other, secret)).toBeNull();
      }
    },
  );

  it('is cached for 2 s after its look-up', async () => {
    const { credentialId, secret } = await issue();
    await authenticator.authenticate('buyer_token', secret);
    nowMs += 2 * SECOND - 1;
    expect(authenticator.authenticate('buyer_token', secret)).toEqual({ credentialId, ownerKey: 'summit' });
    expect(queries).toBe(1);
    nowMs += 1;
    expect(await authenticator.authenticate('buyer_token', secret)).toEqual({ credentialId, ownerKey: 'summit' });
    expect(queries).toBe(2);
  });

  it('is rejected within 2 s of its revocation, and from then on', async () => {
    const { credentialId, secret } = await issue();
    await authenticator.authenticate('buyer_token', secret);
    await revoke(credentialId);
    nowMs += 2 * SECOND;
    expect(await authenticator.authenticate('buyer_token', secret)).toBeNull();
    expect(await authenticator.authenticate('buyer_token', secret)).toBeNull();
  });

  it('expires to the millisecond, also while it is cached', async () => {
    const { secret } = await issue({ expiresAt: new Date(START + 1500) });
    nowMs = START + 1000;
    expect(await authenticator.authenticate('buyer_token', secret)).not.toBeNull();
    nowMs = START + 1499;
    expect(authenticator.authenticate('buyer_token', secret)).not.toBeNull();
    nowMs = START + 1500;
    expect(authenticator.authenticate('buyer_token', secret)).toBeNull();
    nowMs = START + 10_000;
    expect(await authenticator.authenticate('buyer_token', secret)).toBeNull();
  });

  it('is looked up again after the clock was set back', async () => {
    const { secret } = await issue();
    await authenticator.authenticate('buyer_token', secret);
    nowMs -= 3600 * SECOND;
    await authenticator.authenticate('buyer_token', secret);
    expect(queries).toBe(2);
  });
});

describe('A look-up', () => {
  it('is shared by a hundred concurrent requests', async () => {
    const { credentialId, secret } = await issue();
    const responses = await Promise.all(
      Array.from({ length: 100 }, async () => authenticator.authenticate('buyer_token', secret)),
    );
    expect(new Set(responses.map((response) => response?.credentialId))).toEqual(new Set([credentialId]));
    expect(queries).toBe(1);
  });

  it('that hangs is not shared with a request that came 2 s later', async () => {
    const { credentialId, secret } = await issue();
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    const early = authenticator.authenticate('buyer_token', secret);
    nowMs += 2 * SECOND;
    gate = null;
    await revoke(credentialId);
    expect(await authenticator.authenticate('buyer_token', secret)).toBeNull();
    expect(queries).toBe(2);
    held.resolve();
    expect(await early).toBeNull();
  });

  it('that fails rejects all waiting requests, while cached credentials still work', async () => {
    const { secret } = await issue();
    await authenticator.authenticate('buyer_token', secret);
    isAway = true;
    nowMs += 1999;
    expect(authenticator.authenticate('buyer_token', secret)).not.toBeNull();
    for (const step of [1, 25 * SECOND, 60 * SECOND]) {
      nowMs += step;
      const responses = [1, 2].map(() => authenticator.authenticate('buyer_token', secret));
      for (const response of responses) await expect(response).rejects.toThrow(OutsideError);
    }
    isAway = false;
    expect(await authenticator.authenticate('buyer_token', secret)).not.toBeNull();
  });
});

describe('The last use', () => {
  async function lastUsedAt(credentialId: string): Promise<Date | null | undefined> {
    const { rows } = await home.database.pool.query<{ last_used_at: Date | null }>(
      'SELECT last_used_at FROM credential WHERE credential_id = $1',
      [credentialId],
    );
    return rows[0]?.last_used_at;
  }

  it('is written by a flush, with one statement for all credentials', async () => {
    const issued = [await issue(), await issue(), await issue()];
    for (const { secret } of issued) await authenticator.authenticate('buyer_token', secret);
    expect(await lastUsedAt(issued[0]?.credentialId ?? '')).toBeNull();
    queries = 0;
    await authenticator.flush();
    expect(queries).toBe(1);
    for (const { credentialId } of issued) expect(await lastUsedAt(credentialId)).toEqual(new Date(START));
    const list = await home.database.tx((tx) => listCredentials(tx, { kinds: ['buyer_token'], ownerKey: 'summit' }));
    expect(list.filter((credential) => credential.lastUsedAt !== null).length).toBeGreaterThanOrEqual(3);
  });

  it('is written at most once a minute, and a flush without new uses sends no query', async () => {
    const { credentialId, secret } = await issue();
    for (const seconds of [0, 1, 59, 60, 61, 119]) {
      nowMs = START + seconds * SECOND;
      await authenticator.authenticate('buyer_token', secret);
      await authenticator.flush();
      expect(await lastUsedAt(credentialId)).toEqual(new Date(START + (seconds < 60 ? 0 : 60) * SECOND));
    }
    queries = 0;
    await authenticator.flush();
    expect(queries).toBe(0);
  });

  it('is not set back when another process has written a later one', async () => {
    const { credentialId, secret } = await issue();
    await authenticator.authenticate('buyer_token', secret);
    const later = new Date(START + 3600 * SECOND);
    await home.database.pool.query('UPDATE credential SET last_used_at = $2 WHERE credential_id = $1', [
      credentialId,
      later,
    ]);
    await authenticator.flush();
    expect(await lastUsedAt(credentialId)).toEqual(later);
  });

  it('is reported and retried by the next flush after a failed write, and requests go on', async () => {
    const { credentialId, secret } = await issue();
    await authenticator.authenticate('buyer_token', secret);
    isAway = true;
    await authenticator.flush();
    expect(faults).toHaveLength(1);
    expect(authenticator.authenticate('buyer_token', secret)).not.toBeNull();
    isAway = false;
    await authenticator.flush();
    expect(await lastUsedAt(credentialId)).toEqual(new Date(START));
  });

  it('is written when the authenticator is closed', async () => {
    const { credentialId, secret } = await issue();
    await authenticator.authenticate('buyer_token', secret);
    await authenticator.close();
    expect(await lastUsedAt(credentialId)).toEqual(new Date(START));
  });
});
