// Decides which URLs of a partner or supplier may be sent to, as far as this is possible without DNS (contract 5.7).
import ipaddr from 'ipaddr.js';
import {
  globalUnicastIpv6,
  specialIpv4Blocks,
  specialIpv6Blocks,
  type AddressBlock,
} from './special-purpose-blocks.ts';

export type TargetRefusal = { readonly ok: false; readonly code: 'webhook_url_blocked'; readonly reason: string };
/**
 * Targets that are exempt from the rules: exact origins as `URL.origin` spells them, and folders such as
 * `http://127.0.0.1:3000/demo/inbox/`, which stand for the URLs of one plain name in them without a query. Each check iterates them again, so
 * they may change.
 */
export type AllowedTargets = Iterable<string>;
export type TargetVerdict = { readonly ok: true; readonly url: URL; readonly exempt: boolean } | TargetRefusal;

/** The reason for literal addresses and for names that resolve to one; it names no address, so it may be shown. */
export const NOT_PUBLIC = 'The URL points to an address that is not public.';

const RESERVED_SUFFIXES = ['localhost', 'local', 'internal', 'onion'] as const;
const HIGH_PORTS_FROM = 1024;
/** The labels that DNS allows, with underscores; the URL parser accepts far more, even quotes and labels of any length. */
const HOST_LABEL = /^[a-z0-9_-]{1,63}$/;
const HOST_LENGTH_MAX = 253;
/** The spelling of partners' and suppliers' keys, which no server can interpret as another path. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

const publicIpv6 = ipaddr.IPv6.parseCIDR(globalUnicastIpv6);
const blockedIpv4 = specialIpv4Blocks.map(([cidr]: AddressBlock) => ipaddr.IPv4.parseCIDR(cidr));
const blockedIpv6 = specialIpv6Blocks.map(([cidr]: AddressBlock) => ipaddr.IPv6.parseCIDR(cidr));

/**
 * The raw text of a target → the URL to use, or a rejection whose reason may be shown to the partner. `allowTargets` lifts the rules on
 * scheme, port, name and address, never the rules on the raw text.
 */
export function checkTargetUrl(raw: string, allowTargets: AllowedTargets): TargetVerdict {
  const textError = findTextError(raw);
  if (textError !== null) return refuseTarget(textError);
  const url = URL.parse(raw);
  if (url === null) return refuseTarget('The URL is not valid.');
  if (url.username !== '' || url.password !== '') return refuseTarget('The URL must not carry user information.');
  if (isAllowed(url, allowTargets)) return { ok: true, url, exempt: true };
  if (url.protocol !== 'https:') return refuseTarget('The URL must begin with https://.');
  // An empty port is the scheme's own, 443.
  if (url.port !== '' && Number(url.port) < HIGH_PORTS_FROM)
    return refuseTarget('The port must be 443, or 1024 or above.');
  const hostError = findHostError(url.hostname);
  return hostError === null ? { ok: true, url, exempt: false } : refuseTarget(hostError);
}

function isAllowed({ origin, href }: URL, allowTargets: AllowedTargets): boolean {
  for (const allowed of allowTargets) {
    if (allowed === origin) return true;
    if (allowed.endsWith('/') && href.startsWith(allowed) && PLAIN_NAME.test(href.slice(allowed.length))) return true;
  }
  return false;
}

export function refuseTarget(reason: string): TargetRefusal {
  return { ok: false, code: 'webhook_url_blocked', reason };
}

/**
 * Whether a literal address is public unicast. Takes the spellings that a resolver, a socket and `URL.hostname` (without brackets)
 * produce; any other text, and an address with a zone, is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const ipv4 = ipaddr.IPv4.parse(address);
    return !blockedIpv4.some((block) => ipv4.match(block));
  }
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false;
  const ipv6 = ipaddr.IPv6.parse(address);
  return ipv6.match(publicIpv6) && !blockedIpv6.some((block) => ipv6.match(block));
}

/** Whether two literal addresses are the same in any spelling; false if either is not an address. */
export function isSameAddress(one: string, other: string): boolean {
  if (!ipaddr.isValid(one) || !ipaddr.isValid(other)) return false;
  return ipaddr.parse(one).toNormalizedString() === ipaddr.parse(other).toNormalizedString();
}

/** `URL.hostname` without the brackets of an IPv6 literal and without trailing dots, for comparison and for TLS. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}

/** Masks a target for display: path and query, which may hold tokens, become `…`. Text that is not a URL becomes `…` as a whole. */
export function maskTarget(target: string | URL): string {
  const url = typeof target === 'string' ? URL.parse(target) : target;
  if (url === null) return '…';
  const bare = url.pathname === '/' && url.search === '' && url.hash === '';
  return `${url.protocol}//${url.host}/${bare ? '' : '…'}`;
}

/** Checks the raw text, because the URL parser drops or rewrites exactly the characters that hide a host. */
function findTextError(raw: string): string | null {
  if (/\s/u.test(raw)) return 'The URL must not contain white space.';
  if (/\p{Cc}/u.test(raw)) return 'The URL must not contain control characters.';
  if (raw.includes('\\')) return 'The URL must not contain a backslash.';
  const authority = /^https?:\/\/([^/?#]+)/i.exec(raw)?.[1];
  if (authority === undefined) return 'The URL must begin with https:// and a host name.';
  // The parser drops an empty user, so it is checked here.
  return authority.includes('@') ? 'The URL must not carry user information.' : null;
}

function findHostError(hostname: string): string | null {
  const host = bareHost(hostname);
  if (host === '' || hostname.startsWith('.') || hostname.includes('..')) return 'The host name is not valid.';
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? null : NOT_PUBLIC;
  const labels = host.split('.');
  if (host.length > HOST_LENGTH_MAX || !labels.every((label) => HOST_LABEL.test(label)))
    return 'The host name is not valid.';
  if (labels.length === 1) return 'The host must be a full domain name.';
  const reserved = RESERVED_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`));
  return reserved ? 'The host name is reserved for local use.' : null;
}
