// Brings the values of a list into the form that the service compares, to hash them in the browser (contract 15.2).
import type { ListView } from '../../../src/scopes/lists.schema.ts';

export type ListKind = ListView['kind'];

const SHA256_HEX = /^[0-9a-f]{64}$/i;
const MD5_HEX = /^[0-9a-f]{32}$/i;
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]*[a-z][a-z\d-]*$/i;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]*[a-z][a-z\d-]*$/i;
const EMAIL_LENGTH_MAX = 254;

const NORMALS: Readonly<Record<ListKind, (text: string) => string | null>> = {
  phone: normalPhone,
  email: normalEmail,
  domain(text) {
    const domain = text.replace(/^@/, '').toLowerCase();
    return DOMAIN.test(domain) ? domain : null;
  },
  zip(text) {
    const [, five, four] = /^(\d{5})(?:-?(\d{4}))?$/.exec(text) ?? [];
    if (five !== undefined) return four === undefined ? five : `${five}-${four}`;
    const [, area, local] = /^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)$/i.exec(text) ?? [];
    return area === undefined || local === undefined ? null : `${area} ${local}`.toUpperCase();
  },
};

/** Null for text that is no value of the kind. */
export function normalValue(kind: ListKind, text: string): string | null {
  return NORMALS[kind](plain(text));
}

/** SHA-256, or MD5 of phones and email addresses, in hexadecimal digits. */
export function isHash(kind: ListKind, text: string): boolean {
  const bare = plain(text);
  return SHA256_HEX.test(bare) || ((kind === 'phone' || kind === 'email') && MD5_HEX.test(bare));
}

/** Without invisible characters, with ordinary spaces, and with ASCII for full-width characters, as the service reads values. */
function plain(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text;
  return text
    .replaceAll(/[\p{White_Space}\u2800]/gu, ' ')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu, '')
    .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCodePoint(wide.charCodeAt(0) - 0xfee0))
    .trim();
}

const EXTENSION = /^(.*[\d)])[ .]*(?:[,;]+ *(?:ext[a-z]*[.:=]* *)?|\(?(?:ext(?:n|ension)?|x|#)[.:=]* *)(\d{1,7})\)?$/i;

/** A country code needs its plus, 00 or 011; without one, ten digits are a North American number, and eleven with its 1. */
function normalPhone(text: string): string | null {
  const bare = text
    .replaceAll(/[\u2010-\u2015\u2043\u2212\ufe58\ufe63]/g, '-')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/^tel:/i, '')
    .trim();
  // An extension is left out, and so are the decimals of software that took the number for an amount.
  const main = (EXTENSION.exec(bare)?.[1] ?? bare).trim().replace(/^(\+?\d+)\.0+$/, '$1');
  if (main.length > 60 || / \/|\/ /.test(main)) return null;
  const digits = main.replaceAll(/\D+/g, '');
  if (/^\(?\+[\d ()./-]+$(?<!\.\d)/.test(main)) return withPlus(digits);
  if (!/^[\d(][\d ()./-]*[\d)]$(?<![ ./-]\d)/.test(main)) return null;
  if (/^(?:011|00)[1-9]/.test(digits)) return withPlus(digits.replace(/^(?:011|00)/, ''));
  return /^1?[2-9]\d{9}$/.test(digits) ? `+1${digits.slice(-10)}` : null;
}

function withPlus(digits: string): string | null {
  if (!/^[1-9]\d{6,14}$/.test(digits)) return null;
  return digits.startsWith('1') && !/^1\d{10}$/.test(digits) ? null : `+${digits}`;
}

/** Lower case, without the tag of name+tag@example.com, as for duplicates. */
function normalEmail(text: string): string | null {
  if (text.length > EMAIL_LENGTH_MAX || text.indexOf('@') > 64 || !EMAIL.test(text)) return null;
  const lower = text.toLowerCase();
  const at = lower.lastIndexOf('@');
  const plus = lower.indexOf('+');
  return plus > 0 && plus < at ? lower.slice(0, plus) + lower.slice(at) : lower;
}

/** False on pages that came without HTTPS from another machine: browsers offer no hashing there. */
export function canHash(): boolean {
  return (globalThis as { readonly isSecureContext?: boolean }).isSecureContext === true;
}

/** The SHA-256 in hexadecimal digits; text that is a hash already stays. Null for text that is no value of the kind. */
export async function hashValue(kind: ListKind, text: string): Promise<string | null> {
  if (isHash(kind, text)) return plain(text).toLowerCase();
  const normal = normalValue(kind, text);
  if (normal === null) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(normal));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
