// The Google service account that appends to partners' sheets: its key file, read and checked once (contract 5.5, 8.3).
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { isMembers } from '../../../base/members.ts';
import type { Config } from '../../config.ts';

export type ServiceAccount = {
  /** Its own address, which partners share their sheets with. */
  readonly email: string;
  readonly privateKey: KeyObject;
  /** By which Google finds the key's other half; null where the file has none. */
  readonly keyId: string | null;
  /** Where a signed claim is changed for an access token. */
  readonly tokenUri: string;
};

export type ServiceAccountOutcome =
  | { readonly ok: true; readonly account: ServiceAccount }
  /** Says what is wrong without the file's path or content, so that it may be shown to partners. */
  | { readonly ok: false; readonly fault: string };

/** As the signature asks (RFC 7518, 3.3). */
const KEY_BITS_MIN = 2048;

export function readServiceAccount(
  { googleServiceAccountFile: path }: Pick<Config, 'googleServiceAccountFile'>,
  readFile: (path: string) => string = (name) => readFileSync(name, 'utf8'),
): ServiceAccountOutcome {
  if (path === null) return fault('GOOGLE_SERVICE_ACCOUNT_FILE missing');
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return fault(`its service account file cannot be read${code}`);
  }
  return accountIn(text);
}

function accountIn(text: string): ServiceAccountOutcome {
  const members = membersOf(text);
  if (members === null) return fault('its service account file is no JSON object');
  const textOf = (name: string): string => (typeof members[name] === 'string' ? members[name] : '');
  const missing = ['client_email', 'private_key', 'token_uri'].filter((name) => textOf(name) === '');
  if (missing.length > 0) return fault(`its service account file lacks ${missing.join(', ')}`);
  const tokenUri = textOf('token_uri');
  if (!/^https?:$/.test(URL.parse(tokenUri)?.protocol ?? '')) return fault('token_uri is no URL');
  const privateKey = keyOf(textOf('private_key'));
  if (privateKey === null) return fault(`private_key is no RSA key of ${KEY_BITS_MIN} bits or more`);
  const keyId = textOf('private_key_id');
  return {
    ok: true,
    account: { email: textOf('client_email'), privateKey, keyId: keyId === '' ? null : keyId, tokenUri },
  };
}

/** The parser's own complaint repeats the text, so it goes nowhere. */
function membersOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function keyOf(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= KEY_BITS_MIN ? key : null;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

function fault(what: string): ServiceAccountOutcome {
  return { ok: false, fault: `Google Sheets is not set up: ${what}.` };
}
