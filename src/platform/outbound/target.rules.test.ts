import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { specialIpv4Blocks, specialIpv6Blocks } from './special-purpose-blocks.ts';
import { bareHost, checkTargetUrl, isPublicAddress, isSameAddress, maskTarget } from './target.rules.ts';

type BlockCase = { name: string; first: string; last: string; inside?: string[]; outside: string[] };

/** Written out apart from the table in the code: first and last address, entries within, and the nearest public addresses on both sides. */
const ipv4Cases: BlockCase[] = [
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

const ipv6Cases: BlockCase[] = [
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

const digits = (text: string, zero: string): string =>
  text
    .split('')
    .map((c) => (/\d/.test(c) ? String.fromCodePoint(zero.codePointAt(0)! + Number(c)) : c))
    .join('');
const circled = (text: string): string =>
  text
    .split('')
    .map((c) => (c === '0' ? '⓪' : /\d/.test(c) ? String.fromCodePoint('①'.codePointAt(0)! + Number(c) - 1) : c))
    .join('');

/** Every spelling of one IPv4 address that a browser's URL parser takes for it. */
function ipv4Spellings(address: string): string[] {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (n: number): string => `0x${n.toString(16)}`;
  const octal = (n: number): string => `0${n.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase().replace('0X', '0x'),
    `0x${whole.toString(16).padStart(16, '0')}`,
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((n) => `000${octal(n)}`).join('.'),
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    digits(address, '０'),
    digits(String(whole), '０'),
    circled(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '｡'),
    address
      .split('')
      .map((char) => `%${char.charCodeAt(0).toString(16)}`)
      .join(''),
    `\u00ad${address}`,
    address.replace('.', '\u200b.'),
  ];
}

/** IPv6 forms that carry the address inside; refused for public addresses too. */
function ipv6Carriers(address: string): string[] {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  const [high, low] = [a * 256 + b, c * 256 + d].map((n) => n.toString(16)) as [string, string];
  return [
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${address}]`,
    `[::${address}]`,
    `[::${high}:${low}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::]`,
    `[2001::${high}:${low}]`,
  ];
}

const verdictOfHost = (host: string): boolean => checkTargetUrl(`https://${host}/hook`, []).ok;
const blocked = { ok: false, code: 'webhook_url_blocked', reason: expect.any(String) as string };

describe('literal addresses', () => {
  for (const { name, first, last, inside = [], outside } of ipv4Cases) {
    it(`refuses ${name} in every spelling, and nothing beside it`, () => {
      for (const address of [first, last, ...inside]) {
        expect(isPublicAddress(address), address).toBe(false);
        for (const host of [...ipv4Spellings(address), ...ipv6Carriers(address)])
          expect(verdictOfHost(host), host).toBe(false);
      }
      for (const address of outside) {
        expect(isPublicAddress(address), address).toBe(true);
        for (const host of ipv4Spellings(address)) expect(verdictOfHost(host), host).toBe(true);
        for (const host of ipv6Carriers(address)) expect(verdictOfHost(host), host).toBe(false);
      }
    });
  }

  for (const { name, first, last, inside = [], outside } of ipv6Cases) {
    it(`refuses ${name}, and nothing beside it`, () => {
      for (const address of [first, last, ...inside]) {
        expect(isPublicAddress(address), address).toBe(false);
        expect(isPublicAddress(address.toUpperCase()), address).toBe(false);
        expect(verdictOfHost(`[${address}]`), address).toBe(false);
        expect(verdictOfHost(`[${address.toUpperCase()}]`), address).toBe(false);
      }
      for (const address of outside) {
        expect(isPublicAddress(address), address).toBe(true);
        expect(verdictOfHost(`[${address}]`), address).toBe(true);
      }
    });
  }

  it('has a case for every block of the table', () => {
    const covered = new Set(
      [...ipv4Cases, ...ipv6Cases].flatMap(({ first, last, inside = [] }) => [first, last, ...inside]),
    );
    for (const [cidr] of [...specialIpv4Blocks, ...specialIpv6Blocks])
      expect(covered, cidr).toContain(cidr.split('/')[0]);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.215.14',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450:4001:81b::200e',
  ])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '',
    'localhost',
    'crm.summit.example',
    '127.1',
    '010.8.8.8',
    '8.8.8',
    '134744072',
    '0x8.8.8.8',
    '8.8.8.8.',
    ' 8.8.8.8',
    '[2606:4700::1]',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    '2606:4700::1::1',
    '::ffff:8.8.8.8',
  ])('does not take the text %j for a public address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it.each([
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[8.8.8.8]',
    '[crm.summit.example]',
    '[2606:4700::1',
    '256.1.1.1',
    '1.2.3.4.5',
    '0x100000000',
    '8.8.8.8..',
  ])('refuses the host %s', (host) => {
    expect(checkTargetUrl(`https://${host}/`, [])).toEqual(blocked);
  });

  test('any spelling of any IPv4 address gets the verdict of the plain one', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = isPublicAddress(address);
        for (const host of ipv4Spellings(address)) expect(verdictOfHost(host), host).toBe(expected);
        for (const host of ipv6Carriers(address)) expect(verdictOfHost(host), host).toBe(false);
      }),
    );
  });

  test('no IPv6 address outside 2000::/3 is public', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }),
        fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 }),
        (head, tail) => {
          fc.pre(head < 0x2000 || head > 0x3fff);
          expect(isPublicAddress([head, ...tail].map((part) => part.toString(16)).join(':'))).toBe(false);
        },
      ),
    );
  });
});

describe('the raw text', () => {
  it.each([
    ['user information', 'https://user@crm.summit.example/'],
    ['a password', 'https://user:pass@crm.summit.example/'],
    ['an empty user', 'https://@crm.summit.example/'],
    ['an empty user and password', 'https://:@crm.summit.example/'],
    ['a host posing as a user', 'https://crm.summit.example@127.0.0.1/'],
    ['a leading blank', ' https://crm.summit.example/'],
    ['a trailing line feed', 'https://crm.summit.example/\n'],
    ['a tab in the scheme', 'ht\ttps://crm.summit.example/'],
    ['a tab in the host', 'https://crm.\tsummit.example/'],
    ['a blank in the path', 'https://crm.summit.example/a b'],
    ['a no-break space', 'https://crm.summit.example/a\u00a0b'],
    ['a line separator', 'https://crm.summit.example/\u2028'],
    ['an ideographic space', 'https://crm.summit.example/\u3000'],
    ['a byte order mark', '\ufeffhttps://crm.summit.example/'],
    ['NUL', 'https://crm.summit.example/\u0000'],
    ['escape', 'https://crm.summit.example/\u001b[0m'],
    ['delete', 'https://crm.summit.example/\u007f'],
    ['a C1 control', 'https://crm.summit.example/\u0085'],
    ['backslashes for slashes', String.raw`https:\\crm.summit.example`],
    ['a backslash in the path', String.raw`https://crm.summit.example/a\b`],
    ['a backslash before a host', String.raw`https://crm.summit.example\@127.0.0.1/`],
    ['no slashes', 'https:crm.summit.example'],
    ['one slash', 'https:/crm.summit.example'],
    ['three slashes', 'https:///crm.summit.example'],
    ['no scheme', 'crm.summit.example/hook'],
    ['a relative scheme', '//crm.summit.example/hook'],
    ['nothing', ''],
    ['no host', 'https://'],
    ['a query for a host', 'https://?x'],
  ])('is refused for %s, even for an exempt origin', (_what, raw) => {
    expect(checkTargetUrl(raw, ['https://crm.summit.example', 'https://127.0.0.1'])).toEqual(blocked);
  });

  it.each([
    'http://crm.summit.example/',
    'ftp://crm.summit.example/',
    'file:///etc/passwd',
    'gopher://crm.summit.example/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'ws://crm.summit.example/',
    'wss://crm.summit.example/',
  ])('is refused for a scheme other than https: %s', (raw) => {
    expect(checkTargetUrl(raw, [])).toEqual(blocked);
  });

  it.each([
    'https://crm.summit.example/@user',
    'https://crm.summit.example/?to=a@b',
    'https://crm.summit.example/#@',
    'HTTPS://CRM.Summit.Example/hook',
    'https://crm.summit.example',
    'https://bücher.example/',
    'https://under_score.summit.example/',
  ])('is taken: %s', (raw) => {
    expect(checkTargetUrl(raw, [])).toMatchObject({ ok: true, exempt: false });
  });
});

describe('ports', () => {
  it.each(['', ':443', ':', ':1024', ':8443', ':65535'])('takes the port %j', (port) => {
    expect(verdictOfHost(`crm.summit.example${port}`)).toBe(true);
  });

  it.each([':0', ':1', ':22', ':25', ':80', ':442', ':444', ':1023', ':00022', ':65536', ':-1', ':x', ':443:443'])(
    'refuses the port %j',
    (port) => {
      expect(verdictOfHost(`crm.summit.example${port}`)).toBe(false);
    },
  );
});

describe('names', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'a.localhost',
    'a.b.localhost.',
    'printer.local',
    'printer.LOCAL.',
    'metadata.google.internal',
    'metadata.google.internal.',
    'db.internal',
    'x.onion',
    'crm',
    'crm.',
    'com',
    'intranet',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'a.loc\u00adalhost',
    'a..example',
    '.summit.example',
    '.',
    '..',
  ])('refuses %s', (name) => {
    expect(verdictOfHost(name)).toBe(false);
  });

  it.each([
    'summit.example',
    'summit.example.',
    'local.summit.example',
    'localhost.summit.example',
    'internal.example',
    'notlocal.example',
    'mylocalhost.example',
    'xn--bcher-kva.example',
    'a.b.c.d.summit.example',
  ])('takes %s', (name) => {
    expect(verdictOfHost(name)).toBe(true);
  });
});

describe('exempt origins', () => {
  const allow = ['http://127.0.0.1:9911', 'https://localhost:8443'];

  it.each(['http://127.0.0.1:9911/hook', 'http://127.1:9911/', 'https://localhost:8443/a?b'])(
    'lift the rules for %s',
    (raw) => {
      expect(checkTargetUrl(raw, allow)).toMatchObject({ ok: true, exempt: true });
    },
  );

  it.each([
    'http://127.0.0.1:9912/',
    'https://127.0.0.1:9911/',
    'http://127.0.0.1/',
    'http://127.0.0.2:9911/',
    'http://localhost:8443/',
    'https://a.localhost:8443/',
    'http://u@127.0.0.1:9911/',
    'http://127.0.0.1:9911\\x',
  ])('do not lift them for %s', (raw) => {
    expect(checkTargetUrl(raw, allow)).toEqual(blocked);
  });

  it('leave other targets as they are', () => {
    expect(checkTargetUrl('https://crm.summit.example/', allow)).toMatchObject({ ok: true, exempt: false });
  });
});

describe('what is shown', () => {
  it.each([
    ['https://crm.summit.example/hooks/secret-token?key=1', 'https://crm.summit.example/…'],
    ['https://crm.summit.example:8443/x', 'https://crm.summit.example:8443/…'],
    ['https://user:pass@crm.summit.example/', 'https://crm.summit.example/'],
    ['https://crm.summit.example', 'https://crm.summit.example/'],
    ['https://crm.summit.example/?token=1', 'https://crm.summit.example/…'],
    ['https://crm.summit.example/#token', 'https://crm.summit.example/…'],
    ['not a url', '…'],
  ])('%s is shown as %s', (target, shown) => {
    expect(maskTarget(target)).toBe(shown);
  });

  it('never quotes the URL in a refusal', () => {
    for (const raw of [
      'https://secret-host',
      'https://10.1.2.3/secret',
      'http://secret.example',
      'https://secret@a.example',
      'secret',
    ]) {
      expect(JSON.stringify(checkTargetUrl(raw, []))).not.toMatch(/secret-host|10\.1\.2\.3|secret/);
    }
  });
});

describe('helpers of the connector', () => {
  it.each([
    ['crm.summit.example.', 'crm.summit.example'],
    ['crm.summit.example', 'crm.summit.example'],
    ['[2606:4700::1]', '2606:4700::1'],
  ])('%s is compared as %s', (hostname, bare) => {
    expect(bareHost(hostname)).toBe(bare);
  });

  it.each([
    ['2606:4700:0:0::1', '2606:4700::1', true],
    ['2606:4700::1', '2606:4700::2', false],
    ['1.1.1.1', '1.1.1.1', true],
    ['1.1.1.1', '::ffff:1.1.1.1', false],
    ['', '', false],
  ])('%s and %s: same address %s', (one, other, same) => {
    expect(isSameAddress(one, other)).toBe(same);
  });
});
