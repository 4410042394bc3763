// Brings the values of a list into the form that the service compares, to hash them in the browser (contract 15.2).
import type { ListView } from '../../../src/scopes/lists.schema.ts';

export type ListKind = ListView['kind'];

const SHA256_HEX = /^[0-9a-f]{64}$/i;
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
  return NORMALS[kind](text.trim());
}

/** Without a plus sign and country code, ten digits are a North American number. */
function normalPhone(text: string): string | null {
  if (!/^(?=\D*\d)[\d\s()+.\-–—/]+$/.test(text) || text.lastIndexOf('+') > 0) return null;
  const digits = text.replaceAll(/\D+/g, '');
  if (text.startsWith('+')) return withPlus(digits);
  const dialled = digits.length >= 9 ? digits.replace(/^(?:011(?=\d{11})|0+)/, '') : digits;
  // A single zero is a national prefix of an unknown country.
  if (digits === `0${dialled}`) return null;
  return withPlus(dialled.length === 10 ? `1${dialled}` : dialled);
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

/** The SHA-256 in hexadecimal digits; text that is one already stays. Null for text that is no value of the kind. */
export async function hashValue(kind: ListKind, text: string): Promise<string | null> {
  const trimmed = text.trim();
  if (SHA256_HEX.test(trimmed)) return trimmed.toLowerCase();
  const normal = normalValue(kind, trimmed);
  if (normal === null) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(normal));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
