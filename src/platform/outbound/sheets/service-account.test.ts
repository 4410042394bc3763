import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { privateKeyPem } from '../../../../test/support/google.ts';
import { readServiceAccount } from './service-account.ts';

const good = {
  client_email: 'appender@leads.iam.example',
  private_key: privateKeyPem,
  private_key_id: 'key-1',
  token_uri: 'https://oauth2.example/token',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-account-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(content: unknown): Promise<{ googleServiceAccountFile: string }> {
  const path = join(folder, 'account.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return { googleServiceAccountFile: path };
}

const weak = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const elliptic = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('A service account', () => {
  it('is read from its file', async () => {
    const config = await fileWith(good);
    expect(readServiceAccount(config)).toMatchObject({
      ok: true,
      account: { email: good.client_email, keyId: 'key-1', tokenUri: good.token_uri },
    });
    expect(readServiceAccount(config)).toMatchObject({ ok: true, account: { email: good.client_email } });
  });

  it('does not show its key when it is printed', async () => {
    const outcome = readServiceAccount(await fileWith(good));
    const printed = `${JSON.stringify(outcome)}${inspect(outcome, { depth: null, showHidden: true })}`;
    for (const line of privateKeyPem.split('\n').filter((text) => text !== '')) expect(printed).not.toContain(line);
  });

  it('may lack the id of its key', async () => {
    const { private_key_id: _, ...rest } = good;
    expect(readServiceAccount(await fileWith(rest))).toMatchObject({ ok: true, account: { keyId: null } });
  });

  it.each([
    ['no JSON', `{"private_key": "${privateKeyPem.slice(0, 200)}`, 'is not a JSON object'],
    ['no object', [good], 'is not a JSON object'],
    ['members missing', { token_uri: good.token_uri, private_key: 7 }, 'lacks client_email, private_key'],
    ['a URL that is none', { ...good, token_uri: 'oauth2.example/token' }, 'token_uri is not a URL'],
    ['another scheme', { ...good, token_uri: 'file:///token' }, 'token_uri is not a URL'],
    ['a broken key', { ...good, private_key: privateKeyPem.slice(0, 500) }, 'private_key is not an RSA key'],
    ['a weak key', { ...good, private_key: weak() }, 'private_key is not an RSA key'],
    ['a key of another kind', { ...good, private_key: elliptic() }, 'private_key is not an RSA key'],
  ])('is not set up by a file with %s, and the error says nothing else', async (_what, content, says) => {
    const config = await fileWith(content);
    const outcome = readServiceAccount(config);
    expect(outcome).toEqual({ ok: false, fault: expect.stringContaining(says) as string });
    expect(JSON.stringify(outcome)).toMatch(/"Google Sheets is not set up: [^/]{1,80}\."/);
    expect(JSON.stringify(outcome)).not.toContain(privateKeyPem.split('\n')[1]);
    expect(readServiceAccount(config)).toMatchObject({ ok: false });
  });

  it('is not set up without a file, or with a missing file', () => {
    expect(readServiceAccount({ googleServiceAccountFile: null })).toEqual({
      ok: false,
      fault: 'Google Sheets is not set up: GOOGLE_SERVICE_ACCOUNT_FILE missing.',
    });
    const outcome = readServiceAccount({ googleServiceAccountFile: join(folder, 'nowhere.json') });
    expect(outcome).toEqual({
      ok: false,
      fault: 'Google Sheets is not set up: its service account file cannot be read (ENOENT).',
    });
  });
});
