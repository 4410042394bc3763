// Reads and checks the key file of the Google service account that appends to partners' sheets (contract 5.5, 8.3).
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { isMembers } from '../../../base/json.ts';
import type { Config } from '../../config.ts';

export type ServiceAccount = {
  /** Its email address, with which partners share their sheets. */
  readonly email: string;
  readonly privateKey: KeyObject;
  /** The id by which Google finds the public key; null when the file has none. */
  readonly keyId: string | null;
  /** The endpoint that exchanges a signed claim for an access token. */
  readonly tokenUri: string;
};

export type ServiceAccountOutcome =
  | { readonly ok: true; readonly account: ServiceAccount }
  /** Describes the error without the file's path or content, so that partners may see it. */
  | { readonly ok: false; readonly fault: string };

/** Required for RS256 (RFC 7518, 3.3). */
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
  if (members === null) return fault('its service account file is not a JSON object');
  const textOf = (name: string): string => (typeof members[name] === 'string' ? members[name] : '');
  const missing = ['client_email', 'private_key', 'token_uri'].filter((name) => textOf(name) === '');
  if (missing.length > 0) return fault(`its service account file lacks ${missing.join(', ')}`);
  const tokenUri = textOf('token_uri');
  if (!/^https?:$/.test(URL.parse(tokenUri)?.protocol ?? '')) return fault('token_uri is not a URL');
  const privateKey = keyOf(textOf('private_key'));
  if (privateKey === null) return fault(`private_key is not an RSA key of ${KEY_BITS_MIN} bits or more`);
  const keyId = textOf('private_key_id');
  return {
    ok: true,
    account: { email: textOf('client_email'), privateKey, keyId: keyId === '' ? null : keyId, tokenUri },
  };
}

/** Null when the text is not a JSON object. Drops the parser's message, which quotes the text. */
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
