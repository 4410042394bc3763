import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { accentShades } from '../../../base/accent-shades.ts';
import { localTime, type MailBrand, type MailPage, oneLine, pageHtml, pageText } from './mail-page.rules.ts';

const brand: MailBrand = { name: 'Lead Desk', shades: accentShades('#0b6b62'), logo: null };
const page: MailPage = {
  title: 'Lead LS-100042',
  banner: null,
  paragraphs: ['Something happened.'],
  groups: [
    {
      heading: 'Contact',
      rows: [
        { label: 'Name', value: 'Jordan Rivera' },
        { label: 'Email', value: 'jordan@example.com', href: 'mailto:jordan@example.com' },
      ],
    },
  ],
  footer: 'Sent to Summit.',
};

describe('Text on one line', () => {
  it.each([
    ['Jordan\r\nBcc: x', 'Jordan Bcc: x'],
    ['a\u2028b\u2029c\u0085d\te', 'a b c d e'],
    ['  Jordan\n', 'Jordan'],
    ['evil\u202Egnp.exe\u2066', 'evilgnp.exe'],
    ['nul\u0000 esc\u001b[31m', 'nul  esc [31m'],
    ['half \ud83d', 'half \ufffd'],
    ['سارة‌نام 你好 👩‍💻', 'سارة‌نام 你好 👩‍💻'],
  ])('%j → %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});

describe('A time in a time zone', () => {
  it.each([
    ['2026-11-20T17:03:12.418Z', 'America/Los_Angeles', 'Fri 20 Nov 2026, 09:03:12 America/Los_Angeles (UTC-08:00)'],
    ['2026-07-01T03:59:59.999Z', 'America/New_York', 'Tue 30 Jun 2026, 23:59:59 America/New_York (UTC-04:00)'],
    ['2026-01-04T00:00:00.000Z', 'UTC', 'Sun 4 Jan 2026, 00:00:00 UTC (UTC+00:00)'],
    ['2026-01-04T20:00:00.000Z', 'Asia/Kolkata', 'Mon 5 Jan 2026, 01:30:00 Asia/Kolkata (UTC+05:30)'],
  ])('%s in %s is written as %s', (at, timeZone, text) => {
    expect(localTime(new Date(at), timeZone)).toBe(text);
  });
});

describe('A mail page', () => {
  it('is readable as plain text', () => {
    expect(pageText({ ...page, banner: 'A test' })).toBe(
      [
        '*** A test ***',
        '',
        'Lead LS-100042',
        '',
        'Something happened.',
        '',
        'CONTACT',
        'Name:  Jordan Rivera',
        'Email: jordan@example.com',
        '',
        '-- ',
        'Sent to Summit.',
        '',
      ].join('\n'),
    );
  });

  it('has light and dark colours as HTML, and loads nothing', () => {
    const html = pageHtml(page, brand);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    expect(html).not.toMatch(/src=|url\(|@import|<link|https?:/);
    expect(html).toContain('<a class="link" href="mailto:jordan@example.com"');
  });

  it('names the marketplace in a readable shade of its color, and shows the logo that the mail carries', () => {
    const html = pageHtml(page, {
      name: 'Sun & Co',
      shades: accentShades('#ffff00'),
      logo: 'data:image/png;base64,AA==',
    });
    expect(html).toContain('<img src="cid:logo" alt=""');
    expect(html).toContain('>Sun &amp; Co</p>');
    expect(html).not.toMatch(/color:#ffff00|data:image/);
    expect(pageHtml(page, brand)).not.toContain('<img');
  });

  it('escapes every text', () => {
    const tagsOf = (html: string): string[] =>
      [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/^(<\/?\w+).*/s, '$1'));
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        '</td></table>',
        '<!--',
        ']]>',
        '\'"&lt;',
      ),
    );
    fc.assert(
      fc.property(nasty, nasty, (one, other) => {
        const changed: MailPage = {
          title: one,
          banner: null,
          paragraphs: [other],
          groups: [
            {
              heading: 'Contact',
              rows: [
                { label: 'Name', value: one },
                { label: 'Email', value: other, href: one },
              ],
            },
          ],
          footer: other,
        };
        expect(tagsOf(pageHtml(changed, { ...brand, name: one }))).toEqual(tagsOf(pageHtml(page, brand)));
        expect(pageText(changed).split('\n')).toHaveLength(pageText(page).split('\n').length);
      }),
    );
  });
});
