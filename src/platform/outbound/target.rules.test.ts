import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ipv4Blocks,
  ipv4Spellings,
  ipv6Blocks,
  ipv6Carriers,
  ipv6Lookalikes,
  ipv6Spellings,
  samplesOf,
  specialBlocks,
} from '../../../test/support/blocked-addresses.ts';
import { specialIpv4Blocks, specialIpv6Blocks } from './special-purpose-blocks.ts';
import { bareHost, checkTargetUrl, isPublicAddress, isSameAddress, maskTarget } from './target.rules.ts';

const verdictOfHost = (host: string): boolean => checkTargetUrl(`https://${host}/hook`, []).ok;
const blocked = { ok: false, code: 'webhook_url_blocked', reason: expect.any(String) as string };

describe('Literal addresses', () => {
  it.each(ipv4Blocks)('are rejected in $name, in every spelling, and neighbouring addresses are accepted', (block) => {
    for (const address of samplesOf(block)) {
      expect(isPublicAddress(address), address).toBe(false);
      for (const host of [...ipv4Spellings(address), ...ipv6Carriers(address)])
        expect(verdictOfHost(host), host).toBe(false);
    }
    for (const address of block.outside) {
      expect(isPublicAddress(address), address).toBe(true);
      for (const host of ipv4Spellings(address)) expect(verdictOfHost(host), host).toBe(true);
      for (const host of ipv6Carriers(address)) expect(verdictOfHost(host), host).toBe(false);
    }
  });

  it.each(ipv6Blocks)('are rejected in $name, in every spelling, and neighbouring addresses are accepted', (block) => {
    for (const address of samplesOf(block)) {
      expect(isPublicAddress(address), address).toBe(false);
      expect(isPublicAddress(address.toUpperCase()), address).toBe(false);
      for (const host of [...ipv6Spellings(address), ...ipv6Lookalikes(address)])
        expect(verdictOfHost(host), host).toBe(false);
    }
    for (const address of block.outside) {
      expect(isPublicAddress(address), address).toBe(true);
      for (const host of ipv6Spellings(address)) expect(verdictOfHost(host), host).toBe(true);
      for (const host of ipv6Lookalikes(address)) expect(verdictOfHost(host), host).toBe(false);
    }
  });

  it('have a case for every block of the table', () => {
    const covered = new Set(specialBlocks.flatMap(samplesOf));
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
  ])('are accepted as %s', (address) => {
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
  ])('are not read from the text %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it.each([
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[8.8.8.8]',
    '[crm.summit.example]',
    '[2606:4700::1',
    '[::ffff:0x8.8.8.8]',
    '[::ffff:8.8]',
    '[2606:4700::1::]',
    '[1:2:3:4:5:6:7:8:9]',
    '[2606:4700::12345]',
    '[]',
    '[:]',
    '256.1.1.1',
    '1.2.3.256',
    '1.2.65536',
    '1.16777216',
    '4294967296',
    '08.8.8.8',
    '-1',
    '1e1',
    '8,8,8,8',
    '8.8.8.8.8',
    '8.8.8 .8',
    '٨.٨.٨.٨',
    '8․8․8․8',
    '8﹒8﹒8﹒8',
    '⒏8.8.8',
    '8\u200c.8.8.8',
    '8\u202e.8.8.8',
    '8.8.8.8%00',
    '8.8.8.8%00.summit.example',
    '8.8.8.8%20',
    '8.8.8.8%2f.summit.example',
    '8.8.8.8%23.summit.example',
    '8.8.8.8%5c.summit.example',
    '8.8.8.8%40summit.example',
    '%2538.8.8.8',
    '8.8.8.8／.summit.example',
    '8.8.8.8＃.summit.example',
    '8.8.8.8？.summit.example',
    'summit.example＠8.8.8.8',
    '1.2.3.4.5',
    '0x100000000',
    '8.8.8.8..',
  ])('are rejected as the host %s', (host) => {
    expect(checkTargetUrl(`https://${host}/`, [])).toEqual(blocked);
  });

  it('have the same verdict in any spelling of IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = isPublicAddress(address);
        for (const host of ipv4Spellings(address)) expect(verdictOfHost(host), host).toBe(expected);
        for (const host of ipv6Carriers(address)) expect(verdictOfHost(host), host).toBe(false);
      }),
    );
  });

  it('are never public in IPv6 outside 2000::/3', () => {
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

describe('The raw text of a URL', () => {
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
    ['a user in front of brackets', 'https://crm.summit.example@[::1]/'],
    ['a user that holds a question mark', 'https://crm.summit.example%3f@127.0.0.1/'],
    ['a user after a port', 'https://crm.summit.example:443@127.0.0.1/'],
    ['a soft hyphen in the scheme', 'ht\u00adtps://crm.summit.example/'],
    ['no slashes', 'https:crm.summit.example'],
    ['one slash', 'https:/crm.summit.example'],
    ['three slashes', 'https:///crm.summit.example'],
    ['no scheme', 'crm.summit.example/hook'],
    ['a relative scheme', '//crm.summit.example/hook'],
    ['nothing', ''],
    ['no host', 'https://'],
    ['a query for a host', 'https://?x'],
  ])('is rejected for %s, even for an exempt origin', (_what, raw) => {
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
    'blob:https://crm.summit.example/x',
    'view-source:https://crm.summit.example/',
    'jar:https://crm.summit.example!/',
    'feed:https://crm.summit.example/',
    'httpss://crm.summit.example/',
    'http:https://crm.summit.example/',
    'url:https://crm.summit.example/',
  ])('is rejected for a scheme other than https: %s', (raw) => {
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
  ])('is accepted: %s', (raw) => {
    expect(checkTargetUrl(raw, [])).toMatchObject({ ok: true, exempt: false });
  });
});

describe('Ports of a target', () => {
  it.each(['', ':443', ':00443', ':', ':1024', ':8443', ':65535'])('include %j', (port) => {
    expect(verdictOfHost(`crm.summit.example${port}`)).toBe(true);
  });

  it.each(
    [
      ...[
        0, 1, 7, 8, 9, 19, 21, 22, 23, 25, 53, 79, 80, 110, 111, 143, 389, 442, 444, 445, 465, 514, 587, 636, 873, 993,
        1023,
      ],
      '00022',
      '0x1bb',
      '+443',
      '-1',
      '4e3',
      '443.',
      '４４３',
      '%34%34%33',
      '65536',
      '65979',
      '4294967739',
      'x',
      '443:443',
      ':443',
    ].map((port) => `:${port}`),
  )('exclude %j', (port) => {
    expect(verdictOfHost(`crm.summit.example${port}`)).toBe(false);
  });
});

describe('Names of a target', () => {
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
    'ip6-localhost',
    'xn--localhost-',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'a.loc\u00adalhost',
    'a.LocalHost.',
    'a.ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'a.localhoſt',
    'a.localhoﬆ',
    'a.𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭',
    'a.ℓocal',
    'a.loⅽal。',
    'a.lo\u2060cal',

    'a.%6c%6f%63%61%6c',
    'a.LOCAL',
    'a.local%2e',
    'a.local．',
    'a.ＩＮＴＥＲＮＡＬ',
    'metadata。google。internal',
    'metadata.google.intern\ufe0fal',
    'xn--bcher-kva.internal',
    'A.Internal.',
    'a.b.ONION',
    'a.onion.',
    'a.ₒnion',
    'a.Oni\u00adon',
    'a.on\u200bion｡',
    'a..example',
    '.summit.example',
    '.',
    '..',
  ])('may not be %s', (name) => {
    expect(verdictOfHost(name)).toBe(false);
  });

  it.each([
    ['a label of 64 letters', `${'a'.repeat(64)}.example`],
    ['254 letters', `${'a'.repeat(62)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`],
    ['thousands of letters', `${'a.'.repeat(30_000)}example`],
    ['thousands of letters before an address', `${'a'.repeat(30_000)}.127.0.0.1`],
    ['a star', '*.summit.example'],
    ['quotes', `a"b'c.summit.example`],
    ['braces', 'a{b}.summit.example'],
    ['commas', 'a,b;c.summit.example'],
    ['signs', 'a!$&+=~`b.summit.example'],

    ['a private use letter', 'a\ue000.example'],
    ['half a pair', 'a\ud800.example'],
    ['a replacement character', 'a\ufffd.example'],
    ['a letter written from the right among others', 'aא.example'],
    ['a combining mark first', '\u0301a.example'],
  ])('may not be a name of %s', (_what, name) => {
    expect(verdictOfHost(name)).toBe(false);
  });

  it.each([
    'a'.repeat(63).concat('.example'),
    `${'a'.repeat(61)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`,
    `${'a'.repeat(61)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.`,
    'summit.example',
    'summit.example.',
    'local.summit.example',
    'localhost.summit.example',
    'internal.example',
    'notlocal.example',
    'mylocalhost.example',
    'xn--bcher-kva.example',
    'localhost.localdomain',
    'onion.example',
    'a.internals',
    'a.locals',
    // Other names than they look like: they are asked for and checked as what they are.
    'a.lоcalhost',
    'a.ınternal',
    'a.xn--local-',
    '127.0.0.1.summit.example',
    '1.summit',
    '-a_.summit.example',
    'a.b.c.d.summit.example',
  ])('may be %s', (name) => {
    expect(verdictOfHost(name)).toBe(true);
  });
});

describe('Exempt origins', () => {
  const allow = ['http://127.0.0.1:9911', 'https://localhost:8443'];

  it.each([
    'http://127.0.0.1:9911/hook',
    'http://127.0.0.1:9911',
    'http://127.0.0.1:9911/../../x',
    'HTTP://127.0.0.1:09911/@?@#@',
    'http://127.1:9911/',
    'http://127.0.0.1.:9911/',
    'https://localhost:8443/a?b',
    'https://LOCALHOST:8443/',
  ])('lift the rules for %s', (raw) => {
    expect(checkTargetUrl(raw, allow)).toMatchObject({ ok: true, exempt: true });
  });

  it.each([
    'http://127.0.0.1:9912/',
    'https://127.0.0.1:9911/',
    'http://127.0.0.1/',
    'http://127.0.0.2:9911/',
    'http://localhost:8443/',
    'https://a.localhost:8443/',
    'http://u@127.0.0.1:9911/',
    'http://127.0.0.1:9911\\x',
    'http://127.0.0.1:99110/',
    'http://127.0.0.1:991/1',
    'http://127.0.0.1:9911.summit.example/',
    'http://127.0.0.1:9911@summit.example/',
    'http://127.0.0.1:9911%2f@summit.example/',
    'http://127.0.0.1:9911%40summit.example/',
    'http://@127.0.0.1:9911/',
    'http://:@127.0.0.1:9911/',
    'http://[::ffff:127.0.0.1]:9911/',
    'http://[::1]:9911/',
    'http://localhost:9911/',
    'http://summit.example/http://127.0.0.1:9911/',
    'http://summit.example#http://127.0.0.1:9911',
    'ws://127.0.0.1:9911/',
    'ftp://127.0.0.1:9911/',
    'blob:http://127.0.0.1:9911/x',
    'http:127.0.0.1:9911/',
    '//127.0.0.1:9911/',
    'http://127.0.0.1:9911 /',
    'http://127.0.0.1:9911/\t',
    'https://localhost.:8443/',
    'https://localhost:8443@127.0.0.1/',
    'https://localhost:84430/',
    'https://localhost/',
  ])('do not lift them for %s', (raw) => {
    expect(checkTargetUrl(raw, allow)).toEqual(blocked);
  });

  it('do not change other targets', () => {
    expect(checkTargetUrl('https://crm.summit.example/', allow)).toMatchObject({ ok: true, exempt: false });
  });
});

describe('An exempt folder', () => {
  const allow = ['http://127.0.0.1:3000/demo/inbox/'];

  it.each([
    'http://127.0.0.1:3000/demo/inbox/summit',
    'http://127.0.0.1:3000/demo/inbox/acme-media2',
    'HTTP://127.1:03000/demo/inbox/summit',
    'http://127.0.0.1:3000/console/../demo/inbox/summit',
  ])('lifts the rules for one plain name in it: %s', (raw) => {
    expect(checkTargetUrl(raw, allow)).toMatchObject({ ok: true, exempt: true });
  });

  it.each([
    'http://127.0.0.1:3000',
    'http://127.0.0.1:3000/',
    'http://127.0.0.1:3000/console/api/health',
    'http://127.0.0.1:3000/demo/inbox',
    'http://127.0.0.1:3000/demo/inbox/',
    'http://127.0.0.1:3000/demo/inbox//',
    'http://127.0.0.1:3000/demo/inbox//metrics',
    'http://127.0.0.1:3000/demo/inbox/summit/',
    'http://127.0.0.1:3000/demo/inbox/summit/x',
    'http://127.0.0.1:3000/demo/inbox/summit/../../../metrics',
    'http://127.0.0.1:3000/demo/inbox/%2e%2e/%2e%2e/metrics',
    'http://127.0.0.1:3000/demo/inbox/..%2f..%2fmetrics',
    'http://127.0.0.1:3000/demo/inbox/%73ummit',
    'http://127.0.0.1:3000/demo/inbox/summit?to=x',
    'http://127.0.0.1:3000/demo/inbox/summit?',
    'http://127.0.0.1:3000/demo/inbox/summit#x',
    'http://127.0.0.1:3000/demo/inbox/summit;x',
    'http://127.0.0.1:3000/demo/inbox/Summit',
    'http://127.0.0.1:3000/demo/inbox/-',
    'http://127.0.0.1:3000/demo/inboxes/summit',
    'http://127.0.0.1:3000/Demo/inbox/summit',
    'http://127.0.0.1:3001/demo/inbox/summit',
    'http://127.0.0.2:3000/demo/inbox/summit',
    'http://localhost:3000/demo/inbox/summit',
    'https://127.0.0.1:3000/demo/inbox/summit',
    'http://u@127.0.0.1:3000/demo/inbox/summit',
    'http://summit.example/http://127.0.0.1:3000/demo/inbox/summit',
  ])('lifts no rule for %s', (raw) => {
    expect(checkTargetUrl(raw, allow)).toEqual(blocked);
  });

  it('applies to a check only while it is in the list', () => {
    const now: string[] = [...allow];
    const raw = 'http://127.0.0.1:3000/demo/inbox/summit';
    expect(checkTargetUrl(raw, now).ok).toBe(true);
    now.pop();
    expect(checkTargetUrl(raw, now)).toEqual(blocked);
  });
});

describe('The displayed form of a target', () => {
  it.each([
    ['https://crm.summit.example/hooks/secret-token?key=1', 'https://crm.summit.example/…'],
    ['https://crm.summit.example:8443/x', 'https://crm.summit.example:8443/…'],
    ['https://user:pass@crm.summit.example/', 'https://crm.summit.example/'],
    ['https://crm.summit.example', 'https://crm.summit.example/'],
    ['https://crm.summit.example/?token=1', 'https://crm.summit.example/…'],
    ['https://crm.summit.example/#token', 'https://crm.summit.example/…'],
    ['not a url', '…'],
  ])('of %s is %s', (target, shown) => {
    expect(maskTarget(target)).toBe(shown);
  });

  it('is not part of an error', () => {
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

describe('Helpers of the connector', () => {
  it.each([
    ['crm.summit.example.', 'crm.summit.example'],
    ['crm.summit.example', 'crm.summit.example'],
    ['[2606:4700::1]', '2606:4700::1'],
  ])('compare %s as %s', (hostname, bare) => {
    expect(bareHost(hostname)).toBe(bare);
  });

  it.each([
    ['2606:4700:0:0::1', '2606:4700::1', true],
    ['2606:4700::1', '2606:4700::2', false],
    ['1.1.1.1', '1.1.1.1', true],
    ['1.1.1.1', '::ffff:1.1.1.1', false],
    ['', '', false],
  ])('compare %s and %s: same address %s', (one, other, same) => {
    expect(isSameAddress(one, other)).toBe(same);
  });
});
