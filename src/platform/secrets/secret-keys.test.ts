import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { newKeyText, open, parseKey, seal } from './seal.ts';
import { openSecretKeys, parseKeys } from './secret-keys.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secret-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const ofFile = () => openSecretKeys({ secretsKey: null, dataDir, databaseUrl: null });
const path = (): string => join(dataDir, 'secrets-key');

describe('A sealed text', () => {
  const key = parseKey(newKeyText());
  const other = parseKey(newKeyText());
  if (key === null || other === null) throw new Error('a new key is malformed');

  it('opens with its key and context only, and not after a change', () => {
    const sealed = seal(key, 'summit crm_token', 'Grüße');
    expect(open(key, 'summit crm_token', sealed)).toBe('Grüße');
    expect(open(other, 'summit crm_token', sealed)).toBeNull();
    expect(open(key, 'rival crm_token', sealed)).toBeNull();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(open(key, 'summit crm_token', changed)).toBeNull();
    }
    expect(open(key, 'summit crm_token', sealed.subarray(0, 20))).toBeNull();
  });

  it('differs each time, and does not contain the text', () => {
    const [one, two] = [seal(key, 'c', 'token'), seal(key, 'c', 'token')];
    expect(one.equals(two)).toBe(false);
    expect(one.includes('token')).toBe(false);
  });
});

describe('Keys in the environment', () => {
  it.each([
    ['base64', Buffer.alloc(32, 1).toString('base64'), 1],
    ['hex', Buffer.alloc(32, 1).toString('hex'), 1],
    ['two with a space', `${newKeyText()} ${newKeyText()}`, 2],
    ['two with a comma', `${newKeyText()}, ${newKeyText()}`, 2],
  ])('are taken: %s', (_, text, count) => expect(parseKeys(text)).toHaveLength(count));

  it.each([
    '',
    'password',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('hex'),
    `${newKeyText()} short`,
  ])('are refused: %j', (text) => expect(parseKeys(text)).toBeNull());

  it('are found by their id, and the first one seals', () => {
    const [one, two] = [newKeyText(), newKeyText()];
    const keys = openSecretKeys({ secretsKey: `${one} ${two}`, dataDir, databaseUrl: 'postgres://x/y' });
    expect(keys.current()).toEqual(parseKey(one));
    expect(keys.find(parseKey(two)?.id ?? '')).toEqual(parseKey(two));
    expect(keys.find('none')).toBeNull();
    expect(keys.file).toBeNull();
  });

  it('are asked for where a database of its own has no key file', () => {
    const keys = openSecretKeys({ secretsKey: null, dataDir, databaseUrl: 'postgres://x/y' });
    expect(keys.find('any')).toBeNull();
    expect(() => keys.current()).toThrow(/set SECRETS_KEY, or SECRETS_KEY_FILE, to 32 random bytes/);
  });
});

describe('A key file', () => {
  it('is made once, for its owner only', () => {
    const first = ofFile().current();
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(ofFile().current()).toEqual(first);
  });

  it('is read again by another process for a key that it does not know', () => {
    const server = ofFile();
    const old = server.current();
    const command = ofFile();
    expect(command.file?.addKey()).toBe(true);
    const fresh = command.current();
    expect(fresh.id).not.toBe(old.id);
    expect(server.find(fresh.id)).toEqual(fresh);
    expect(server.current()).toEqual(fresh);
    expect(ofFile().find(old.id)).toEqual(old);
    command.file?.dropOldKeys();
    expect(ofFile().find(old.id)).toBeNull();
    expect(readFileSync(path(), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('gets no third key while a rotation has not ended', () => {
    const { file } = ofFile();
    expect([file?.addKey(), file?.addKey()]).toEqual([true, false]);
    expect(readFileSync(path(), 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('with something else in it is an error that does not quote it', () => {
    writeFileSync(path(), 'hunter2');
    expect(() => ofFile().current()).toThrow(/secrets-key has something else than keys/);
    expect(() => ofFile().current()).not.toThrow(/hunter2/);
  });
});
