import { describe, expect, it } from 'vitest';

import { mailServerOf, messageIdOf, parseSender, senderOf } from './sender.rules.ts';

describe('The sender of mail', () => {
  it.each([
    ['leads@example.com', { name: '', address: 'leads@example.com', domain: 'example.com' }],
    ['Lead Desk <leads@example.com>', { name: 'Lead Desk', address: 'leads@example.com', domain: 'example.com' }],
    [
      '"Desk, Leads" <leads@mail.internal>',
      { name: 'Desk, Leads', address: 'leads@mail.internal', domain: 'mail.internal' },
    ],
    ['<leads@localhost>', { name: '', address: 'leads@localhost', domain: 'localhost' }],
    ['leads', null],
    ['leads@', null],
    ['@example.com', null],
    ['leads@example.com, other@example.com', null],
    ['Desk leads@example.com', null],
    ['Desk\r\nBcc: spy@evil.example <leads@example.com>', null],
    ['leads@exa mple.com', null],
    ['leads@example.com>', null],
    ['', null],
  ])('%j is read as %j', (text, sender) => {
    expect(parseSender(text)).toEqual(sender);
  });

  it.each([
    ['of MAIL_FROM', 'Desk <desk@a.example>', 'smtps://user%40b.example:p@mail.b.example', 'desk@a.example'],
    ['of the login, if that is an address', null, 'smtps://user%40b.example:p@mail.b.example', 'user@b.example'],
    [
      'of the machine, if the login is a name',
      null,
      'smtps://user:p@mail.b.example',
      'lead-marketplace@worker-1.internal',
    ],
    ['of the machine, without a login', null, 'smtp://mail.b.example', 'lead-marketplace@worker-1.internal'],
    ['of the machine, without a mail server', null, null, 'lead-marketplace@worker-1.internal'],
  ])('has the address %s', (_, mailFrom, smtpUrl, address) => {
    expect(senderOf({ mailFrom, smtpUrl, hostname: 'worker-1.internal' }).address).toBe(address);
  });

  it('has the domain localhost on a machine without a valid name', () => {
    const sender = senderOf({ mailFrom: null, smtpUrl: null, hostname: 'my machine' });
    expect(sender).toEqual({ name: '', address: 'lead-marketplace@localhost', domain: 'localhost' });
    expect(messageIdOf('dlv_1', sender)).toBe('<dlv_1@localhost>');
  });
});

describe('The URL of a mail server', () => {
  const plain = { port: 587, secure: false, auth: null, requireTLS: false };
  it.each([
    ['smtp://mail.example', { ...plain, host: 'mail.example' }],
    ['smtp://127.0.0.1:2525', { ...plain, host: '127.0.0.1', port: 2525 }],
    ['smtp://[::1]:25', { ...plain, host: '::1', port: 25 }],
    ['smtps://mail.example', { ...plain, host: 'mail.example', port: 465, secure: true }],
    [
      'smtp://a%40b.example:p%2Fw%3A@mail.example',
      { ...plain, host: 'mail.example', auth: { user: 'a@b.example', pass: 'p/w:' } },
    ],
    ['smtp://user:100%@mail.example', { ...plain, host: 'mail.example', auth: { user: 'user', pass: '100%' } }],
    ['smtp://mail.example?requireTLS=true', { ...plain, host: 'mail.example', requireTLS: true }],
  ])('%s', (url, server) => {
    expect(mailServerOf(url)).toEqual(server);
  });
});
