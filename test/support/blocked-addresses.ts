// Every block of addresses that no partner's endpoint can live in, and every way in which one of its addresses can be written: what is
// refused when a URL is saved, and what is refused when a socket opens (contract 5.7). The blocks are written out apart from
// the table in the code, with the entries within and the nearest public addresses on both sides.
import { isIPv4 } from 'node:net';

export type Block = {
  readonly name: string;
  readonly first: string;
  readonly last: string;
  /** Addresses within that have a meaning of their own. */
  readonly inside?: readonly string[];
  /** The nearest public addresses. */
  readonly outside: readonly string[];
};

export const ipv4Blocks: readonly Block[] = [
  { name: '0.0.0.0/8 this network', first: '0.0.0.0', last: '0.255.255.255', outside: ['1.0.0.0'] },
  { name: '10.0.0.0/8 private', first: '10.0.0.0', last: '10.255.255.255', outside: ['9.255.255.255', '11.0.0.0'] },
  {
    name: '100.64.0.0/10 shared',
    first: '100.64.0.0',
    last: '100.127.255.255',
    inside: ['100.100.100.200'],
    outside: ['100.63.255.255', '100.63.255.254', '100.128.0.0'],
  },
  {
    name: '127.0.0.0/8 loopback',
    first: '127.0.0.0',
    last: '127.255.255.255',
    inside: ['127.0.0.1'],
    outside: ['126.255.255.255', '128.0.0.0'],
  },
  {
    name: '169.254.0.0/16 link local',
    first: '169.254.0.0',
    last: '169.254.255.255',
    inside: ['169.254.169.254', '169.254.170.2'],
    outside: ['169.253.255.255', '169.255.0.0'],
  },
  {
    name: '172.16.0.0/12 private',
    first: '172.16.0.0',
    last: '172.31.255.255',
    outside: ['172.15.255.255', '172.32.0.0'],
  },
  {
    name: '192.0.0.0/24 protocol assignments',
    first: '192.0.0.0',
    last: '192.0.0.255',
    inside: ['192.0.0.7', '192.0.0.8', '192.0.0.9', '192.0.0.10', '192.0.0.170', '192.0.0.171', '192.0.0.192'],
    outside: ['191.255.255.255', '192.0.1.0'],
  },
  { name: '192.0.2.0/24 TEST-NET-1', first: '192.0.2.0', last: '192.0.2.255', outside: ['192.0.1.255', '192.0.3.0'] },
  {
    name: '192.31.196.0/24 AS112',
    first: '192.31.196.0',
    last: '192.31.196.255',
    outside: ['192.31.195.255', '192.31.197.0'],
  },
  {
    name: '192.52.193.0/24 AMT',
    first: '192.52.193.0',
    last: '192.52.193.255',
    outside: ['192.52.192.255', '192.52.194.0'],
  },
  {
    name: '192.88.99.0/24 6to4 relay',
    first: '192.88.99.0',
    last: '192.88.99.255',
    inside: ['192.88.99.1', '192.88.99.2'],
    outside: ['192.88.98.255', '192.88.100.0'],
  },
  {
    name: '192.168.0.0/16 private',
    first: '192.168.0.0',
    last: '192.168.255.255',
    outside: ['192.167.255.255', '192.169.0.0'],
  },
  {
    name: '192.175.48.0/24 AS112',
    first: '192.175.48.0',
    last: '192.175.48.255',
    outside: ['192.175.47.255', '192.175.49.0'],
  },
  {
    name: '198.18.0.0/15 benchmarking',
    first: '198.18.0.0',
    last: '198.19.255.255',
    outside: ['198.17.255.255', '198.20.0.0'],
  },
  {
    name: '198.51.100.0/24 TEST-NET-2',
    first: '198.51.100.0',
    last: '198.51.100.255',
    outside: ['198.51.99.255', '198.51.101.0'],
  },
  {
    name: '203.0.113.0/24 TEST-NET-3',
    first: '203.0.113.0',
    last: '203.0.113.255',
    outside: ['203.0.112.255', '203.0.114.0'],
  },
  { name: '224.0.0.0/4 multicast', first: '224.0.0.0', last: '239.255.255.255', outside: ['223.255.255.255'] },
  {
    name: '240.0.0.0/4 reserved',
    first: '240.0.0.0',
    last: '255.255.255.254',
    inside: ['255.255.255.255'],
    outside: [],
  },
  { name: '0.0.0.0/32 this host', first: '0.0.0.0', last: '0.0.0.0', outside: [] },
  { name: '192.0.0.0/29 service continuity', first: '192.0.0.0', last: '192.0.0.7', outside: [] },
  { name: '192.0.0.170/31 NAT64 discovery', first: '192.0.0.170', last: '192.0.0.171', outside: [] },
  { name: '255.255.255.255/32 broadcast', first: '255.255.255.255', last: '255.255.255.255', outside: [] },
  {
    name: '168.63.129.16/32 cloud host agent',
    first: '168.63.129.16',
    last: '168.63.129.16',
    outside: ['168.63.129.15', '168.63.129.17'],
  },
];

const ones = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff';
const upTo = (prefix: string): string => `${prefix}:${ones.slice(0, 5 * (8 - prefix.split(':').length) - 1)}`;

export const ipv6Blocks: readonly Block[] = [
  { name: '::/128 unspecified', first: '::', last: '::', outside: [] },
  { name: '::1/128 loopback', first: '::1', last: '::1', outside: [] },
  {
    name: '::/96 compatible',
    first: '::2',
    last: '::ffff:ffff',
    inside: ['::7f00:1', '::a9fe:a9fe', '::808:808', '::8.8.8.8'],
    outside: [],
  },
  {
    name: '::ffff:0:0/96 mapped',
    first: '::ffff:0:0',
    last: '::ffff:ffff:ffff',
    inside: ['::ffff:127.0.0.1', '::ffff:808:808'],
    outside: [],
  },
  { name: '::ffff:0:0:0/96 translated', first: '::ffff:0:0:0', last: '::ffff:0:ffff:ffff', outside: [] },
  {
    name: '64:ff9b::/96 NAT64',
    first: '64:ff9b::',
    last: '64:ff9b::ffff:ffff',
    inside: ['64:ff9b::808:808', '64:ff9b::169.254.169.254'],
    outside: [],
  },
  { name: '64:ff9b:1::/48 local NAT64', first: '64:ff9b:1::', last: upTo('64:ff9b:1'), outside: [] },
  { name: '100::/64 discard', first: '100::', last: upTo('100:0:0:0'), outside: [] },
  { name: '100:0:0:1::/64 dummy', first: '100:0:0:1::', last: upTo('100:0:0:1'), outside: [] },
  {
    name: '2001::/23 protocol assignments',
    first: '2001::',
    last: upTo('2001:1ff'),
    outside: [upTo('2000:ffff'), '2001:200::'],
  },
  { name: '2001::/32 Teredo', first: '2001::', last: upTo('2001:0'), outside: [] },
  { name: '2001:1::1/128 port control', first: '2001:1::1', last: '2001:1::1', outside: [] },
  { name: '2001:1::2/128 TURN', first: '2001:1::2', last: '2001:1::2', outside: [] },
  { name: '2001:1::3/128 service registration', first: '2001:1::3', last: '2001:1::3', outside: [] },
  { name: '2001:2::/48 benchmarking', first: '2001:2::', last: upTo('2001:2:0'), outside: [] },
  { name: '2001:3::/32 AMT', first: '2001:3::', last: upTo('2001:3'), outside: [] },
  { name: '2001:4:112::/48 AS112', first: '2001:4:112::', last: upTo('2001:4:112'), outside: [] },
  { name: '2001:10::/28 ORCHID', first: '2001:10::', last: upTo('2001:1f'), outside: [] },
  { name: '2001:20::/28 ORCHIDv2', first: '2001:20::', last: upTo('2001:2f'), outside: [] },
  { name: '2001:30::/28 drone tags', first: '2001:30::', last: upTo('2001:3f'), outside: [] },
  {
    name: '2001:db8::/32 documentation',
    first: '2001:db8::',
    last: upTo('2001:db8'),
    outside: [upTo('2001:db7'), '2001:db9::'],
  },
  {
    name: '2002::/16 6to4',
    first: '2002::',
    last: upTo('2002'),
    inside: ['2002:808:808::', '2002:7f00:1::'],
    outside: [upTo('2001:ffff'), '2003::'],
  },
  {
    name: '2620:4f:8000::/48 AS112',
    first: '2620:4f:8000::',
    last: upTo('2620:4f:8000'),
    outside: [upTo('2620:4f:7fff'), '2620:4f:8001::'],
  },
  {
    name: '3fff::/20 documentation',
    first: '3fff::',
    last: upTo('3fff:fff'),
    outside: [upTo('3ffe:ffff'), '3fff:1000::'],
  },
  { name: '5f00::/16 segment routing', first: '5f00::', last: upTo('5f00'), outside: [] },
  { name: 'fc00::/7 unique local', first: 'fc00::', last: upTo('fdff'), inside: ['fd00:ec2::254'], outside: [] },
  { name: 'fe80::/10 link local', first: 'fe80::', last: upTo('febf'), outside: [] },
  { name: 'fec0::/10 site local', first: 'fec0::', last: upTo('feff'), outside: [] },
  { name: 'ff00::/8 multicast', first: 'ff00::', last: ones, inside: ['ff02::1'], outside: [] },
  { name: 'below 2000::/3', first: '0:1::', last: upTo('1fff'), outside: ['2000::'] },
  { name: 'above 2000::/3', first: '4000::', last: upTo('fbff'), outside: [upTo('3fff')] },
];

export const specialBlocks: readonly Block[] = [...ipv4Blocks, ...ipv6Blocks];

/** The first, the middle and the last address of a block, and those with a meaning of their own. */
export function samplesOf({ first, last, inside = [] }: Block): readonly string[] {
  const [from, to] = [numberOf(first), numberOf(last)];
  const middle = isIPv4(first) ? ipv4Of((from + to) / 2n) : groupsOf((from + to) / 2n).join(':');
  return [...new Set([first, middle, last, ...inside])];
}

/** Every spelling of one IPv4 address that a URL parser takes for it. */
export function ipv4Spellings(address: string): readonly string[] {
  const [a, b, c, d] = partsOf(address);
  const whole = Number(numberOf(address));
  const hex = (n: number): string => `0x${n.toString(16)}`;
  const octal = (n: number): string => `0${n.toString(8)}`;
  const split = [[whole], [a, (b * 256 + c) * 256 + d], [a, b, c * 256 + d], [a, b, c, d]];
  const numerals = split.flatMap((parts) => [
    parts.join('.'),
    parts.map(hex).join('.'),
    parts.map(hex).join('.').toUpperCase(),
    parts.map(octal).join('.'),
    parts.map((part) => `000${octal(part)}`).join('.'),
    parts.map((part) => `0x000000000000${part.toString(16)}`).join('.'),
    parts.map((part, index) => [String, hex, octal][index % 3]?.(part)).join('.'),
  ]);
  return [
    ...numerals,
    ...numerals.map((numeral) => `${numeral}.`),
    ...DIGIT_ZEROS.flatMap((zero) => [
      digitsFrom(zero, address),
      digitsFrom(zero, hex(whole)),
      `${digitsFrom(zero, address)}.`,
    ]),
    ...[circled, superscript, fullWidth, percent].flatMap((write) => [
      write(address),
      write(hex(whole)),
      write(`${address}.`),
    ]),
    percent(fullWidth(address)),
    percent(address).toUpperCase(),
    // Numbers of one sign: ⑩ to ⑳, ㉑ to ㉟ and ㊱ to ㊿.
    [a, b, c, d].map((part) => circledNumber(part) ?? String(part)).join('.'),
    ...DOTS.flatMap((dot) => [
      address.replaceAll('.', dot),
      address.replace('.', dot),
      `${address}${dot}`,
      `${hex(whole)}${dot}`,
    ]),
    ...IGNORED_SIGNS.flatMap((sign) => [
      `${sign}${address}`,
      `${address}${sign}`,
      address.replace('.', `${sign}.`),
      address.replaceAll(/(\d)/g, `$1${sign}`),
      `${sign}${whole}`,
      percent(`${sign}${address}`),
    ]),
  ];
}

/** Every spelling of one IPv6 address in brackets, as far as the groups and the run of zeros can be written in several ways. */
export function ipv6Spellings(address: string): readonly string[] {
  const groups = groupsOf(numberOf(address));
  const padded = groups.map((group) => group.padStart(4, '0'));
  const spelled = [groups, padded].flatMap((parts) => [parts.join(':'), ...compressions(parts)]);
  const [high = '0', low = '0'] = groups.slice(6);
  const tail = [high, low].flatMap((group) => [Math.floor(parseInt(group, 16) / 256), parseInt(group, 16) % 256]);
  const head = groups.slice(0, 6);
  const dotted = [head.join(':'), ...compressions(head)].map((start) =>
    start.endsWith('::') ? `${start}${tail.join('.')}` : `${start}:${tail.join('.')}`,
  );
  const texts = [...new Set([address, ...spelled, ...dotted])];
  return texts.flatMap((text) => [`[${text}]`, `[${text.toUpperCase()}]`]);
}

/** Hosts that are no spelling of any address, however much they look like one. */
export function ipv6Lookalikes(address: string): readonly string[] {
  return [
    `[${address}%25eth0]`,
    `[${address}%eth0]`,
    `[${address}%251]`,
    `[${address}%25]`,
    `[[${address}]]`,
    `[${address}].`,
    `[${address}`,
    `${address}]`,
    `%5B${address}%5D`,
    `[${percent(address)}]`,
    `[${address}]a`,
    `[v1.${address}]`,
    `[${address.replaceAll(':', '：')}]`,
  ];
}

/** IPv6 addresses that carry an IPv4 address inside, in brackets: refused whatever address it is. */
export function ipv6Carriers(address: string): readonly string[] {
  const [a, b, c, d] = partsOf(address);
  const hex = (one: number, other: number): string => (one * 256 + other).toString(16);
  const [high, low] = [hex(a, b), hex(c, d)];
  const inverted = [hex(255 - a, 255 - b), hex(255 - c, 255 - d)].join(':');
  return [
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `::FFFF:${address}`,
    `0:0:0:0:0:ffff:${address}`,
    `0000:0000:0000:0000:0000:FFFF:${high}:${low}`,
    `0::ffff:${high}:${low}`,
    `::${address}`,
    `::${high}:${low}`,
    `0:0:0:0:0:0:${address}`,
    `::ffff:0:${address}`,
    `::ffff:0:${high}:${low}`,
    `0:0:0:0:ffff:0:${high}:${low}`,
    `64:ff9b::${address}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:0:0:0:0:${high}:${low}`,
    `64:ff9b:1::${address}`,
    // With the address after a prefix of 48 bits, around the eight that stay zero.
    `64:ff9b:1:${high}:${hex(0, c)}:${hex(d, 0)}::`,
    `2002:${high}:${low}::`,
    `2002:${high}:${low}::1`,
    `2002:${high}:${low}::${high}:${low}`,
    // Teredo: the server's address, and the client's with all bits turned over.
    `2001::${high}:${low}`,
    `2001:0:${high}:${low}:0:0:808:808`,
    `2001:0:808:808:8000:63bf:${inverted}`,
    `fe80::5efe:${high}:${low}`,
    `fe80::200:5efe:${address}`,
  ].map((text) => `[${text}]`);
}

const numberOf = (address: string): bigint =>
  isIPv4(address)
    ? partsOf(address).reduce((sum, part) => sum * 256n + BigInt(part), 0n)
    : BigInt(
        `0x${wholeGroups(address)
          .map((group) => group.padStart(4, '0'))
          .join('')}`,
      );

function partsOf(address: string): [number, number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a, b, c, d];
}

const ipv4Of = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const groupsOf = (value: bigint): string[] =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16));

/** An IPv6 address with or without `::` and a dotted tail → its eight groups. */
function wholeGroups(address: string): string[] {
  const tail = /[^:]*$/.exec(address)?.[0] ?? '';
  const text = isIPv4(tail) ? address.replace(tail, groupsOf(numberOf(tail)).slice(6).join(':')) : address;
  const [before = [], after = []] = text.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

/** Each run of zero groups, and each part of one, written as `::`. */
function compressions(parts: readonly string[]): string[] {
  const found: string[] = [];
  for (let from = 0; from < parts.length; from += 1) {
    for (let to = from + 1; to <= parts.length && parts.slice(from, to).every((part) => Number(part) === 0); to += 1)
      found.push(`${parts.slice(0, from).join(':')}::${parts.slice(to).join(':')}`);
  }
  return found;
}

/** Full width, five mathematical alphabets, segmented, subscript: digits that are ten in a row. */
const DIGIT_ZEROS = ['０', '𝟎', '𝟘', '𝟢', '𝟬', '𝟶', '🯰', '₀'];
/** Full stops that are read as one: ideographic, full width, half width, and the plain one hidden. */
const DOTS = ['。', '．', '｡', '%2e', '%2E', '%E3%80%82'];
/** Signs that are read as nothing: hyphen, space, joiner and fillers without width, variation selectors, operators. */
const IGNORED_SIGNS = [
  '\u00ad',
  '\u200b',
  '\u2060',
  '\u2064',
  '\u034f',
  '\u180b',
  '\u115f',
  '\u3164',
  '\ufe0f',
  '\u{e0100}',
];

const write =
  (digit: (value: number) => string) =>
  (text: string): string =>
    [...text].map((char) => (/\d/.test(char) ? digit(Number(char)) : char)).join('');
const digitsFrom = (zero: string, text: string): string =>
  write((value) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + value))(text);
const circled = write((value) => '⓪①②③④⑤⑥⑦⑧⑨'.charAt(value));
const superscript = write((value) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(value));
/** Letters and full stops too. */
const fullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (char) => String.fromCodePoint(0xfee0 + (char.codePointAt(0) ?? 0)));
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

function circledNumber(value: number): string | null {
  if (value >= 10 && value <= 20) return String.fromCodePoint('⑩'.charCodeAt(0) + value - 10);
  if (value >= 21 && value <= 35) return String.fromCodePoint('㉑'.charCodeAt(0) + value - 21);
  return value >= 36 && value <= 50 ? String.fromCodePoint('㊱'.charCodeAt(0) + value - 36) : null;
}
