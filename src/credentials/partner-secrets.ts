// Named secrets of partners for the templates of their webhooks: set, list, remove, open for sending, and seal again with a new key
// (contract 13.3). No function returns a secret but the one that opens them for sending.
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { createRecentCache } from '../platform/recent-cache.ts';
import { open, seal } from '../platform/secrets/seal.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import {
  countSecretsSql,
  deleteSecretSql,
  listSecretsSql,
  lockSecretsSql,
  resealSecretSql,
  secretsOfOtherKeysSql,
  upsertSecretSql,
} from './partner-secrets.sql.ts';

const SECRETS_MAX = 50;

export type SecretChange = {
  readonly buyerKey: string;
  readonly name: string;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

/** The partner must exist and the secret must be checked. Throws if there is no key to seal it with. */
export async function setPartnerSecret(
  tx: Tx,
  { buyerKey, name, value, actor, origin }: SecretChange & { readonly value: string },
  { keys, now }: { readonly keys: SecretKeys; readonly now: Date },
): Promise<Outcome<{ isNew: boolean }, 'too_many_secrets'>> {
  await tx.query(lockSecretsSql);
  const key = keys.current();
  const sealed = seal(key, contextOf(buyerKey, name), value);
  const [row] = await tx.query(upsertSecretSql, { buyerKey, name, keyId: key.id, sealed, now });
  const [count] = await tx.query(countSecretsSql, { buyerKey });
  if ((count?.secrets ?? 0) > SECRETS_MAX) return refuse('too_many_secrets');
  await audit(tx, { buyerKey, name, actor, origin, action: 'partner_secret.set' }, now);
  return done({ isNew: row?.isNew ?? false });
}

/** Returns whether there was such a secret. */
export async function removePartnerSecret(tx: Tx, change: SecretChange, now: Date): Promise<boolean> {
  const { buyerKey, name } = change;
  const rows = await tx.query(deleteSecretSql, { buyerKey, name });
  if (rows.length > 0) await audit(tx, { ...change, action: 'partner_secret.removed' }, now);
  return rows.length > 0;
}

function audit(tx: Tx, { buyerKey, name, actor, origin, action }: SecretChange & { action: string }, now: Date) {
  const changes = { name: { from: null, to: name } };
  return appendAudit(tx, [
    { at: now, actor, buyerKey, supplierKey: null, action, target: buyerKey, changes, ...origin },
  ]);
}

export type ListedSecret = {
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Whether this process has the key that sealed it. */
  readonly isReadable: boolean;
};

export async function listPartnerSecrets(tx: Tx, buyerKey: string, keys: SecretKeys): Promise<ListedSecret[]> {
  const rows = await tx.query(listSecretsSql, { buyerKey });
  return rows.map(({ name, keyId, createdAt, updatedAt }) => ({
    ...{ name, createdAt, updatedAt },
    isReadable: keys.find(keyId) !== null,
  }));
}

/** Sealed, for sending. */
export async function readSealedSecrets(tx: Tx, buyerKey: string): Promise<SealedSecret[]> {
  const rows = await tx.query(listSecretsSql, { buyerKey });
  return rows.map(({ name, keyId, sealed }) => ({ name, keyId, sealed: sealed.toString('base64') }));
}

/** `sealed` is base64. */
export type SealedSecret = { readonly name: string; readonly keyId: string; readonly sealed: string };

/** A secret, or why it cannot be used, in words that the partner may read. */
export type SecretValue = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

/** By name. */
export type OpenSecrets = (buyerKey: string, sealed: readonly SealedSecret[]) => ReadonlyMap<string, SecretValue>;

const OPENED_MAX = 5_000;

/** Opened secrets stay in memory, so that sending opens each of them once. */
export function createSecretOpener(keys: SecretKeys): OpenSecrets {
  const opened = createRecentCache<string>(OPENED_MAX);
  return (buyerKey, sealed) =>
    new Map(
      sealed.map((secret): [string, SecretValue] => {
        const id = `${buyerKey} ${secret.name} ${secret.sealed}`;
        const text = opened.get(id) ?? openSecret(keys, buyerKey, secret);
        if (text === null) return [secret.name, { ok: false, error: `The secret ${secret.name} cannot be read.` }];
        opened.set(id, text);
        return [secret.name, { ok: true, text }];
      }),
    );
}

function openSecret(keys: SecretKeys, buyerKey: string, { name, keyId, sealed }: SealedSecret): string | null {
  const key = keys.find(keyId);
  return key === null ? null : open(key, contextOf(buyerKey, name), Buffer.from(sealed, 'base64'));
}

function contextOf(buyerKey: string, name: string): string {
  return `partner_secret ${buyerKey} ${name}`;
}

/** `unreadable`: sealed with a key that this process does not have; they stay as they are. */
export type ResealReport = { readonly resealed: number; readonly unreadable: number };

const SLICE = 500;

/** Seals all secrets with the current key. Safe to repeat: what the current key sealed already stays as it is. */
export async function resealSecrets(tx: Tx, keys: SecretKeys): Promise<ResealReport> {
  await tx.query(lockSecretsSql);
  const key = keys.current();
  let after = { afterBuyer: '', afterName: '' };
  let resealed = 0;
  let unreadable = 0;
  for (;;) {
    const rows = await tx.query(secretsOfOtherKeysSql, { keyId: key.id, ...after, limit: SLICE });
    for (const { buyerKey, name, keyId, sealed } of rows) {
      const text = openSecret(keys, buyerKey, { name, keyId, sealed: sealed.toString('base64') });
      if (text === null) unreadable += 1;
      else {
        await tx.query(resealSecretSql, {
          buyerKey,
          name,
          keyId: key.id,
          sealed: seal(key, contextOf(buyerKey, name), text),
        });
        resealed += 1;
      }
      after = { afterBuyer: buyerKey, afterName: name };
    }
    if (rows.length < SLICE) return { resealed, unreadable };
  }
}
