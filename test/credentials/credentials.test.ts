import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import { type CredentialId, newUuid, typeId } from '../../src/base/ids.ts';
import { credentialKinds } from '../../src/credentials/credential.ts';
import { ensureSigningSecret, readSigningSecrets, rotateSigningSecret } from '../../src/credentials/signing-secrets.ts';
import { issueCredential, type NewCredential } from '../../src/credentials/issue-credential.ts';
import { listCredentials } from '../../src/credentials/find-credentials.ts';
import { revokeCredential } from '../../src/credentials/revoke-credential.ts';
import { parseSecret } from '../../src/credentials/secret-text.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
const later = new Date('2026-11-21T09:59:59.999Z');
const actor = commandLineActor;
let home: TestDatabase;
let ownerKey: string;
let count = 0;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());
beforeEach(() => {
  count += 1;
  ownerKey = `owner-${count}`;
});

function issue(overrides: Partial<NewCredential> = {}): Promise<{ credentialId: string; secret: string }> {
  const credential: NewCredential = {
    kind: 'buyer_token',
    ownerKey,
    label: null,
    expiresAt: null,
    actor,
    ...overrides,
  };
  return home.database.tx((tx) => issueCredential(tx, credential, now));
}

/** Everything that the database stores about credentials and audit events, as text. */
async function dump(): Promise<string> {
  const { rows } = await home.database.pool.query(
    `SELECT to_jsonb(credential) - 'secret_hash' AS row, encode(secret_hash, 'escape') AS hash FROM credential
     UNION ALL SELECT to_jsonb(audit_event), NULL FROM audit_event`,
  );
  return JSON.stringify(rows);
}

describe('A credential', () => {
  it.each(credentialKinds)('of the kind %s is shown once and stored only as a hash', async (kind) => {
    const { secret } = await issue({ kind });
    expect(parseSecret(secret)).toEqual({ kind });
    expect(await dump()).toContain(ownerKey);
    expect(await dump()).not.toContain(secret.slice(0, 30));
    expect(await dump()).not.toContain(secret.slice(8, -4));
  });

  it('is listed with its label and times and without its secret, the newest first', async () => {
    const expiresAt = new Date('2027-01-01T00:00:00.000Z');
    const first = await issue({ label: 'CRM import', expiresAt });
    const second = await issue();
    await issue({ kind: 'supplier_key' });
    const list = await home.database.tx((tx) => listCredentials(tx, { kinds: ['buyer_token'], ownerKey }));
    const common = { kind: 'buyer_token', owner: ownerKey, createdAt: now, lastUsedAt: null, revokedAt: null };
    const expected = [
      {
        ...common,
        id: typeId('token', second.credentialId as CredentialId),
        label: null,
        last4: second.secret.slice(-4),
        expiresAt: null,
      },
      {
        ...common,
        id: typeId('token', first.credentialId as CredentialId),
        label: 'CRM import',
        last4: first.secret.slice(-4),
        expiresAt,
      },
    ];
    expect(list.toSorted((one, other) => (one.label ?? '').localeCompare(other.label ?? ''))).toEqual(expected);
    const all = await home.database.tx((tx) => listCredentials(tx, { kinds: credentialKinds, ownerKey: null }));
    expect(all.length).toBeGreaterThan(3);
    expect(all.find(({ kind, owner }) => kind === 'supplier_key' && owner === ownerKey)?.id).toMatch(/^key_/);
  });

  it('is stored with any secret in its label masked', async () => {
    const { secret } = await issue();
    await issue({ label: `like ${secret}` });
    expect(await dump()).toContain('like lmb_…');
    expect(await dump()).not.toContain(secret);
  });

  it('keeps the time of its first revocation and writes no event for a second', async () => {
    const { credentialId } = await issue();
    const revoke = (at: Date) =>
      home.database.tx((tx) =>
        revokeCredential(tx, { kinds: ['buyer_token'], credentialId: credentialId as CredentialId, actor }, at),
      );
    expect(await revoke(now)).toEqual({ ok: true, value: { revokedAt: now } });
    expect(await revoke(later)).toEqual({ ok: true, value: { revokedAt: now } });
    const events = await home.database.tx((tx) => listAudit(tx, ownerKey, 10));
    const target = typeId('token', credentialId as CredentialId);
    expect(events.map(({ action, target: named }) => [action, named])).toEqual([
      ['token.revoked', target],
      ['token.issued', target],
    ]);
  });

  it('is not found under another kind or an unknown id', async () => {
    const { credentialId } = await issue();
    const revoke = (id: string, kinds: NewCredential['kind'][]) =>
      home.database.tx((tx) => revokeCredential(tx, { kinds, credentialId: id as CredentialId, actor }, now));
    expect(await revoke(credentialId, ['supplier_key'])).toEqual({ ok: false, code: 'credential_not_found' });
    expect(await revoke(newUuid(), ['buyer_token'])).toEqual({ ok: false, code: 'credential_not_found' });
  });

  it('of a supplier or the operator leaves no event in any partner’s audit trail', async () => {
    await issue({ kind: 'supplier_key' });
    await issue({ kind: 'operator_token' });
    expect(await home.database.tx((tx) => listAudit(tx, ownerKey, 10))).toEqual([]);
  });
});

describe('A signing secret', () => {
  const owner = () => ({ kind: 'buyer' as const, key: ownerKey });

  it('is created once by concurrent calls, and differs between a supplier and a buyer of the same key', async () => {
    expect(await home.database.tx((tx) => readSigningSecrets(tx, owner(), now))).toBeNull();
    const made = await Promise.all(
      Array.from({ length: 8 }, () => home.database.tx((tx) => ensureSigningSecret(tx, owner(), now))),
    );
    const [first] = made;
    expect(first?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(first?.previous).toBeNull();
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
    const other = await home.database.tx((tx) => ensureSigningSecret(tx, { kind: 'supplier', key: ownerKey }, now));
    expect(other.secret).not.toBe(first?.secret);
  });

  it('stays valid beside its successor for exactly 24 h after a rotation', async () => {
    const { secret: old } = await home.database.tx((tx) => ensureSigningSecret(tx, owner(), now));
    const rotated = await home.database.tx((tx) => rotateSigningSecret(tx, { owner: owner(), actor }, now));
    const validUntil = new Date('2026-11-21T10:00:00.000Z');
    expect(rotated.secret).not.toBe(old);
    expect(rotated.previous).toEqual({ secret: old, validUntil });
    expect(await home.database.tx((tx) => readSigningSecrets(tx, owner(), later))).toEqual(rotated);
    const after = await home.database.tx((tx) => readSigningSecrets(tx, owner(), validUntil));
    expect(after).toEqual({ secret: rotated.secret, previous: null });
  });

  it('is dropped at once by a second rotation', async () => {
    const { secret: leaked } = await home.database.tx((tx) => ensureSigningSecret(tx, owner(), now));
    const once = await home.database.tx((tx) => rotateSigningSecret(tx, { owner: owner(), actor }, now));
    const twice = await home.database.tx((tx) => rotateSigningSecret(tx, { owner: owner(), actor }, later));
    expect(twice.previous?.secret).toBe(once.secret);
    expect([twice.secret, twice.previous?.secret]).not.toContain(leaked);
  });

  it('is created by a rotation if there is none, and does not appear in the audit log', async () => {
    const rotated = await home.database.tx((tx) => rotateSigningSecret(tx, { owner: owner(), actor }, now));
    expect(rotated.previous).toBeNull();
    const events = await home.database.tx((tx) => listAudit(tx, ownerKey, 10));
    expect(events).toMatchObject([{ action: 'secret.rotated', target: ownerKey }]);
    expect(JSON.stringify(events)).not.toContain('whsec_');
  });
});
