// Reads the values of lists and of leads to one normal form for each kind, the leads' own, so that equal ones meet (contract 15.2).
import { hash } from 'node:crypto';

import { plainText } from '../base/text.ts';
import { normalizeMailbox } from '../leads/identity.rules.ts';
import { readZip } from '../leads/own-values.rules.ts';
import { isEmail } from '../platform/contact/email.rules.ts';
import { readWrittenPhone } from '../platform/contact/written-phone.rules.ts';
import type { ListKind } from './list.ts';

/** A normalised value, or the hash that was given in place of one, in lower case. */
export type ListValue =
  | { readonly isHash: false; readonly text: string }
  | { readonly isHash: true; readonly hex: string };

const SHA256_HEX = /^[0-9a-f]{64}$/i;
const MD5_HEX = /^[0-9a-f]{32}$/i;
/** Kinds whose lists other systems hand out as MD5. */
const MD5_KINDS: ReadonlySet<ListKind> = new Set(['phone', 'email']);
// What programs write into cells without a value. Nobody has such a phone number or address.
const NOTHING = ['', ' ', '\n', '0', '-', 'null', 'NULL', 'None', 'nan', 'NaN', 'N/A', 'n/a', 'undefined', 'false'];
const HASHES_OF_NOTHING: ReadonlySet<string> = new Set(
  NOTHING.flatMap((text) => [hash('sha256', text, 'hex'), hash('md5', text, 'hex')]),
);

/** Longer than any value of any kind. */
const VALUE_LENGTH_MAX = 320;

/** Null for text that is no value of the kind. No value of any kind has the form of a hash. */
export function readListValue(
  kind: ListKind,
  given: string,
  { hashed }: { readonly hashed: boolean },
): ListValue | null {
  const text = plainText(given).trim();
  if (text.length > VALUE_LENGTH_MAX) return null;
  if (SHA256_HEX.test(text) || (MD5_KINDS.has(kind) && MD5_HEX.test(text))) {
    const hex = text.toLowerCase();
    return HASHES_OF_NOTHING.has(hex) ? null : { isHash: true, hex };
  }
  if (hashed) return null;
  const normal = READERS[kind](text);
  return normal === null ? null : { isHash: false, text: normal };
}

const READERS: Readonly<Record<ListKind, (text: string) => string | null>> = {
  phone: (text) => readWrittenPhone(text)?.number ?? null,
  email: (text) => (isEmail(text) ? normalizeMailbox(text) : null),
  domain: readDomain,
  zip: readZip,
};

export function hashRule(kind: ListKind): string {
  return `must be a SHA-256 of 64 hexadecimal digits${MD5_KINDS.has(kind) ? ', or an MD5 of 32,' : ''} of a value that is not empty`;
}

/** What a value must be, for the message of an error. */
export const VALUE_RULES: Readonly<Record<ListKind, string>> = {
  phone:
    'must be a phone number with its country code, such as +15555550123, or of ten digits in North America, or the SHA-256 or MD5 of one',
  email: 'must be an email address, or the SHA-256 or MD5 of one',
  domain: 'must be a domain such as example.com, or its SHA-256',
  zip: 'must be a zip code such as 94110, or its SHA-256',
};

/** `example.com` and `@example.com` → lower case. */
function readDomain(text: string): string | null {
  const domain = text.replace(/^@/, '').toLowerCase();
  return isEmail(`a@${domain}`) ? domain : null;
}

/** As leads have it, and as owners of lists write a number before they hash it: without the plus, and without the country code of North America. */
export function phoneSpellings(e164: string): string[] {
  const digits = e164.slice(1);
  return digits.length === 11 && digits.startsWith('1') ? [e164, digits, digits.slice(1)] : [e164, digits];
}

/** An address as given and without its tag: its owner may have hashed either. */
export function mailboxSpellings(email: string): string[] {
  return [...new Set([email.toLowerCase(), normalizeMailbox(email)])];
}

/** More labels than any domain in use has; the domain itself always counts. */
const LABELS_MAX = 6;

/** The domain of an address and the domains above it, without the last label alone: an entry covers its subdomains. */
export function domainsOf(email: string): string[] {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const labels = domain.split('.');
  const above = Array.from({ length: Math.max(0, Math.min(labels.length, LABELS_MAX) - 1) }, (_, index) =>
    labels.slice(-(index + 2)).join('.'),
  );
  return [...new Set([domain, ...above])];
}

/** A zip code as leads have it, and its first five digits where four more follow. */
export function zipSpellings(zip: string): string[] {
  const [first = zip] = zip.split('-');
  return [...new Set([zip, first])];
}
