// Named secrets in the database: sealed for one partner and name, sealed again with another key, also when that is interrupted (contract 13.3).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import {
  createSecretOpener,
  listPartnerSecrets,
  readSealedSecrets,
  resealSecrets,
  setPartnerSecret,
} from '../../src/credentials/partner-secrets.ts';
import { newKeyText } from '../../src/platform/secrets/seal.ts';
import { openSecretKeys, type SecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
let market: TestMarketplace;
let dataDir: string;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: 'partners: [{ key: summit }, { key: valley }]', role: 'api' });
  dataDir = mkdtempSync(join(tmpdir(), 'partner-secrets-'));
});
afterAll(async () => {
  await market.close();
  rmSync(dataDir, { recursive: true });
});
afterEach(() => select(market.database, 'DELETE FROM partner_secret'));

const fromEnvironment = (secretsKey: string): SecretKeys =>
  openSecretKeys({ secretsKey, dataDir: '', databaseUrl: 'x' });
const fromFile = (): SecretKeys => openSecretKeys({ secretsKey: null, dataDir, databaseUrl: null });

function set(keys: SecretKeys, buyerKey: string, name: string, value: string) {
  const change = { buyerKey, name, value, actor: commandLineActor, origin: noOrigin };
  return market.database.tx((tx) => setPartnerSecret(tx, change, { keys, now }));
}

async function opened(keys: SecretKeys, buyerKey: string): Promise<Array<string | null>> {
  const sealed = await market.database.tx((tx) => readSealedSecrets(tx, buyerKey));
  return [...createSecretOpener(keys)(buyerKey, sealed).values()].map((secret) => (secret.ok ? secret.text : null));
}

describe('A named secret', () => {
  it('opens for its own partner and name only', async () => {
    const keys = fromEnvironment(newKeyText());
    await set(keys, 'summit', 'crm_token', 'of summit');
    await select(
      market.database,
      `INSERT INTO partner_secret SELECT 'valley', name, key_id, sealed, created_at, updated_at FROM partner_secret`,
    );
    await select(
      market.database,
      `INSERT INTO partner_secret SELECT buyer_key, 'renamed', key_id, sealed, created_at, updated_at FROM partner_secret WHERE buyer_key = 'summit'`,
    );
    expect(await opened(keys, 'summit')).toEqual(['of summit', null]);
    expect(await opened(keys, 'valley')).toEqual([null]);
  });

  it('cannot be read with another key, and the list says so', async () => {
    await set(fromEnvironment(newKeyText()), 'summit', 'crm_token', 'of summit');
    const other = fromEnvironment(newKeyText());
    expect(await opened(other, 'summit')).toEqual([null]);
    const listed = await market.database.tx((tx) => listPartnerSecrets(tx, 'summit', other));
    expect(listed).toMatchObject([{ name: 'crm_token', isReadable: false }]);
  });

  it('is refused beyond fifty of a partner', async () => {
    const keys = fromEnvironment(newKeyText());
    for (let nth = 0; nth < 50; nth += 1) expect((await set(keys, 'summit', `s${nth}`, 'value')).ok).toBe(true);
    expect(await set(keys, 'summit', 's50', 'value')).toMatchObject({ ok: false, code: 'too_many_secrets' });
  });
});

describe('A rotation of the key', () => {
  it('in the environment seals everything with the first key, and leaves what it cannot read', async () => {
    const [old, fresh, lost] = [newKeyText(), newKeyText(), newKeyText()];
    await set(fromEnvironment(old), 'summit', 'one', 'first value');
    await set(fromEnvironment(lost), 'valley', 'two', 'second value');
    const both = fromEnvironment(`${fresh} ${old}`);
    expect(await market.database.tx((tx) => resealSecrets(tx, both))).toEqual({ resealed: 1, unreadable: 1 });
    expect(await market.database.tx((tx) => resealSecrets(tx, both))).toEqual({ resealed: 0, unreadable: 1 });
    expect(await opened(fromEnvironment(fresh), 'summit')).toEqual(['first value']);
    expect(await opened(fromEnvironment(`${fresh} ${lost}`), 'valley')).toEqual(['second value']);
  });

  it('of a key file ends well however far it came before it was killed', async () => {
    const server = fromFile();
    await set(server, 'summit', 'one', 'first value');
    // Killed after the new key was written; then in the transaction, which rolls back; then before the old key was dropped.
    expect(fromFile().file?.addKey()).toBe(true);
    expect(await opened(server, 'summit')).toEqual(['first value']);
    const killed = market.database.tx(async (tx) => {
      await resealSecrets(tx, fromFile());
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    await set(server, 'valley', 'two', 'second value');
    expect(fromFile().file?.addKey()).toBe(false);
    expect(await market.database.tx((tx) => resealSecrets(tx, fromFile()))).toEqual({ resealed: 1, unreadable: 0 });
    expect(await opened(server, 'summit')).toEqual(['first value']);
    expect(fromFile().file?.addKey()).toBe(false);
    expect(await market.database.tx((tx) => resealSecrets(tx, fromFile()))).toEqual({ resealed: 0, unreadable: 0 });
    fromFile().file?.dropOldKeys();
    expect(await opened(fromFile(), 'summit')).toEqual(['first value']);
    expect(await opened(fromFile(), 'valley')).toEqual(['second value']);
  });
});
