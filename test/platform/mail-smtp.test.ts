// Tests mail through real SMTP servers on loopback: delivery, and the outcome of rejections, silence and cut connections.
import { createServer, type AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/platform/database/database.ts';
import type { Mail, Mailer } from '../../src/platform/outbound/mail/mail.ts';
import { createMailer, type MailerOptions } from '../../src/platform/outbound/mail/mailer.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { receiverTls } from '../support/receiver.ts';
import { type MailServerOptions, type Script, startMailServer, startOddServer } from './mail-server.ts';

const clock = handClock('2026-11-20T17:03:12.418Z');
const CANARIES = ['Jordan', 'Rivera', 'leads', 'desk', 'second', 'summit.example', 'other.example', 'LS-100042'];

const mail: Mail = {
  id: 'dlv_01m7wyk0h2emp81qch4dvtyn6a',
  to: 'leads@summit.example',
  cc: [],
  subject: 'Lead LS-100042: Jordan Rivera',
  text: 'Name: Jordan Rivera\n',
  html: '<p>Jordan Rivera</p>\n',
  calendar: null,
};

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

async function serverWith(options: MailServerOptions = {}) {
  const server = await startMailServer(options);
  opened.defer(() => server.close());
  return server;
}

async function oddServer(script: Script, onHang: () => void) {
  const server = await startOddServer(script, onHang);
  opened.defer(() => server.close());
  return server;
}

const forEver = () => new AbortController().signal;

async function mailerTo(smtpUrl: string, options: Partial<MailerOptions> = {}): Promise<Mailer> {
  // With a mail server the database is not asked for anything.
  const database = null as unknown as Database;
  const mailer = await createMailer({
    ...{ smtpUrl, mailFrom: 'Lead Desk <noreply@market.example>', database, clock },
    // However slow this machine is, nothing is put off or given up for it.
    ...{ limit: forEver, patience: forEver },
    ...options,
  });
  opened.defer(() => mailer.close());
  return mailer;
}

/** What a partner reads of an attempt names nobody. */
function expectNoPersonalData(outcome: unknown): void {
  for (const canary of CANARIES) expect(JSON.stringify(outcome)).not.toContain(canary);
}

describe('A mail that is taken', () => {
  it('arrives whole: addresses, subject, text, HTML and the calendar', async () => {
    const server = await serverWith();
    const calendar = 'BEGIN:VCALENDAR\r\nSUMMARY:Zoë\r\nEND:VCALENDAR\r\n';
    const text = `Zoë Müller\n.\nFrom here\n${'x'.repeat(1200)}\n`;
    const outcome = await (
      await mailerTo(server.url)
    ).send({
      ...mail,
      ...{ subject: 'Lead LS-100042: Zoë Müller 你好', text, html: '<p>Zoë</p>\n', calendar },
    });
    expect(outcome).toMatchObject({
      kind: 'taken',
      responseCode: 250,
      responseSnippet: '250 OK queued as 4F2A',
      error: null,
    });
    const [taken] = server.taken;
    expect(taken).toMatchObject({ sender: 'noreply@market.example', recipients: ['leads@summit.example'] });
    const headers = ['from', 'to', 'cc', 'subject', 'message-id', 'date', 'auto-submitted', 'x-mailer'];
    expect(headers.map((name) => taken?.mail.header(name))).toEqual([
      'Lead Desk <noreply@market.example>',
      'leads@summit.example',
      null,
      'Lead LS-100042: Zoë Müller 你好',
      '<dlv_01m7wyk0h2emp81qch4dvtyn6a@market.example>',
      'Fri, 20 Nov 2026 17:03:12 +0000',
      'auto-generated',
      null,
    ]);
    expect(taken?.mail.parts.map((part) => part.type)).toEqual(['text/plain', 'text/html', 'text/calendar']);
    expect(taken?.mail.part('text/plain').text.replaceAll('\r\n', '\n').trimEnd()).toBe(text.trimEnd());
    expect(taken?.mail.part('text/html').text.trimEnd()).toBe('<p>Zoë</p>');
    const attached = taken?.mail.part('text/calendar');
    expect(attached?.text).toBe(calendar);
    expect(attached?.contentType).toMatch(/charset=utf-8; method=PUBLISH/);
    expect(attached?.disposition).toBe('attachment; filename=appointment.ics');
  });

  it('has the same Message-ID on every attempt', async () => {
    const server = await serverWith();
    const mailer = await mailerTo(server.url);
    await mailer.send(mail);
    await mailer.send(mail);
    const ids = server.taken.map(({ mail: taken }) => taken.header('message-id'));
    expect(ids).toEqual(Array.from({ length: 2 }, () => '<dlv_01m7wyk0h2emp81qch4dvtyn6a@market.example>'));
  });

  it('uses a few pooled connections', async () => {
    const server = await serverWith();
    const mailer = await mailerTo(server.url);
    await mailer.send(mail);
    await mailer.send(mail);
    expect(server.connections()).toBe(1);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => mailer.send(mail)));
    expect(outcomes.every(({ kind }) => kind === 'taken')).toBe(true);
    expect(server.connections()).toBeLessThanOrEqual(5);
    expect(server.taken).toHaveLength(32);
  });

  it('is sent although the server has closed the pooled connection', async () => {
    const server = await serverWith();
    const mailer = await mailerTo(server.url);
    await mailer.send(mail);
    server.hangUp();
    expect(await mailer.send(mail)).toMatchObject({ kind: 'taken' });
    expect(server.taken).toHaveLength(2);
  });

  it('is waited for when the mailer closes', async () => {
    const server = await serverWith();
    const mailer = await mailerTo(server.url);
    const sending = mailer.send({ ...mail, cc: ['desk@summit.example'] });
    await mailer.close();
    expect(server.taken).toHaveLength(2);
    expect(await sending).toMatchObject({ kind: 'taken' });
  });

  it('is sent to a server that requires a login', async () => {
    const server = await serverWith({ login: { user: 'desk@summit.example', pass: 'p@ss/word' } });
    const url = `smtp://desk%40summit.example:p%40ss%2Fword@127.0.0.1:${server.port}`;
    expect(await (await mailerTo(url, { mailFrom: null })).send(mail)).toMatchObject({ kind: 'taken' });
    // Who logs in is who it comes from, where nothing else is said.
    expect(server.taken).toMatchObject([{ user: 'desk@summit.example', sender: 'desk@summit.example' }]);
  });
});

describe('Copies', () => {
  const copied = { ...mail, cc: ['desk@summit.example', 'second@other.example'] };

  it('go to everyone in cc, with the same headers', async () => {
    const server = await serverWith();
    expect(await (await mailerTo(server.url)).send(copied)).toMatchObject({
      kind: 'taken',
      responseSnippet: '250 OK queued as 4F2A',
    });
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([[copied.to], copied.cc]);
    for (const { mail: taken } of server.taken) {
      expect([taken.header('to'), taken.header('cc')]).toEqual([
        copied.to,
        'desk@summit.example, second@other.example',
      ]);
    }
    expect(new Set(server.taken.map(({ mail: taken }) => taken.header('message-id'))).size).toBe(1);
  });

  it('are noted when rejected, and the others are sent', async () => {
    const server = await serverWith({
      onRecipient: (address) => (address.startsWith('second') ? '550 5.1.1 <second@other.example> is unknown' : null),
    });
    const outcome = await (await mailerTo(server.url)).send(copied);
    expect(outcome).toMatchObject({
      kind: 'taken',
      responseCode: 250,
      responseSnippet: '250 OK queued as 4F2A\n(1 of 2 cc addresses did not get it.)',
    });
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([[copied.to], ['desk@summit.example']]);
    expectNoPersonalData(outcome);
  });

  it('do not fail the mail when all are rejected', async () => {
    const server = await serverWith({ onRecipient: (address) => (address === copied.to ? null : '450 4.2.1 Later') });
    expect(await (await mailerTo(server.url)).send({ ...copied, cc: ['desk@summit.example'] })).toMatchObject({
      kind: 'taken',
      responseSnippet: '250 OK queued as 4F2A\n(1 of 1 cc address did not get it.)',
    });
  });

  it('do not fail the mail when they take too long', async () => {
    const limit = new AbortController();
    const server = await serverWith({
      onRecipient(address) {
        if (address !== copied.to) limit.abort();
        return null;
      },
    });
    expect(await (await mailerTo(server.url, { limit: () => limit.signal })).send(copied)).toMatchObject({
      kind: 'taken',
      responseSnippet: '250 OK queued as 4F2A\n(2 of 2 cc addresses did not get it.)',
    });
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([[copied.to]]);
  });

  it('are not sent while the recipient is rejected', async () => {
    const server = await serverWith({ onRecipient: (address) => (address === copied.to ? '550 5.1.1 Unknown' : null) });
    expect(await (await mailerTo(server.url)).send(copied)).toMatchObject({
      kind: 'not_taken',
      why: 'refused',
      receipt: 'no',
    });
    expect(server.taken).toEqual([]);
  });
});

describe('A mail that is not taken', () => {
  it('is retried after greylisting and then taken', async () => {
    let calls = 0;
    const server = await serverWith({
      onRecipient() {
        calls += 1;
        return calls === 1 ? '451 4.7.1 <leads@summit.example>: greylisted, try again' : null;
      },
    });
    const mailer = await mailerTo(server.url);
    const first = await mailer.send(mail);
    expect(first).toMatchObject({
      kind: 'not_taken',
      why: 'later',
      receipt: 'no',
      responseCode: 451,
      responseSnippet: '451 4.7.1 <…>: greylisted, try again',
      error: 'The mail server did not take the recipient for now.',
    });
    expectNoPersonalData(first);
    expect(await mailer.send(mail)).toMatchObject({ kind: 'taken' });
  });

  it('is refused for an unknown recipient', async () => {
    const server = await serverWith({ onRecipient: (address) => `550 5.1.1 ${address} unknown` });
    const outcome = await (await mailerTo(server.url)).send(mail);
    expect(outcome).toMatchObject({
      ...{ kind: 'not_taken', why: 'refused', receipt: 'no', responseCode: 550 },
      ...{ responseSnippet: '550 5.1.1 … unknown', error: 'The mail server refused the recipient.' },
    });
    expectNoPersonalData(outcome);
  });

  it.each([
    ['554 5.7.1 Spam', 'refused', 'The mail server refused the message.'],
    ['452 4.2.2 Mailbox full', 'later', 'The mail server did not take the message for now.'],
  ])('for its content (%s) has certainly not arrived', async (reply, why, error) => {
    const server = await serverWith({ onMessage: () => reply });
    expect(await (await mailerTo(server.url)).send(mail)).toMatchObject({
      kind: 'not_taken',
      why,
      receipt: 'no',
      error,
    });
  });

  it('is retried after a wrong login, and the error does not quote the login', async () => {
    const server = await serverWith({ login: { user: 'desk', pass: 'right' } });
    const outcome = await (await mailerTo(`smtp://desk:wrong-secret@127.0.0.1:${server.port}`)).send(mail);
    expect(outcome).toMatchObject({
      ...{ kind: 'not_taken', why: 'later', receipt: 'no', responseCode: 535 },
      error: 'The mail server did not accept the login of this service.',
    });
    expect(JSON.stringify(outcome)).not.toMatch(/wrong-secret|desk/);
  });

  it('has certainly not arrived when the connection was refused', async () => {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    await new Promise((resolve) => listener.close(resolve));
    const outcome = await (await mailerTo(`smtp://127.0.0.1:${port}`)).send(mail);
    expect(outcome).toMatchObject({
      ...{ kind: 'not_taken', why: 'later', receipt: 'no', responseCode: null, responseSnippet: null },
      error: 'The mail server refused the connection.',
    });
  });

  const NO_RESPONSE = 'The mail server did not answer in time.';
  const CUT = 'The connection was closed before a response came.';
  const NOT_REACHED = 'The mail server could not be reached.';
  it.each<[string, Script, 'no' | 'unknown', string]>([
    ['silent from the start', { CONNECT: 'hang' }, 'no', NO_RESPONSE],
    ['silent at the recipient', { RCPT: 'hang' }, 'no', NO_RESPONSE],
    ['silent at DATA', { DATA: 'hang' }, 'no', NO_RESPONSE],
    ['silent once it has the message', { '.': 'hang' }, 'unknown', NO_RESPONSE],
    ['cut at the greeting', { CONNECT: 'cut' }, 'no', NOT_REACHED],
    ['cut at the recipient', { RCPT: 'cut' }, 'no', NOT_REACHED],
    ['cut at DATA', { DATA: 'cut' }, 'no', NOT_REACHED],
    ['cut once it has the message', { '.': 'cut' }, 'unknown', CUT],
    ['no SMTP', { CONNECT: 'HTTP/1.1 400 Bad Request' }, 'no', 'The reply of the mail server was not valid SMTP.'],
    [
      'babble once it has the message',
      { '.': '354 Go on' },
      'unknown',
      'The reply of the mail server was not valid SMTP.',
    ],
    ['not at work', { CONNECT: '554 5.3.2 Closed' }, 'no', 'The mail server takes no mail at the moment.'],
    ['about to close', { MAIL: '421 4.3.2 Closing' }, 'no', 'The mail server did not take the sender for now.'],
  ])('by a server that is %s', async (_, script, receipt, error) => {
    const limit = new AbortController();
    // As if the time had run out in that very moment.
    const server = await oddServer(script, () => limit.abort());
    const outcome = await (await mailerTo(server.url, { limit: () => limit.signal })).send(mail);
    expect(outcome).toMatchObject({ kind: 'not_taken', why: 'later', receipt, error });
    expectNoPersonalData(outcome);
  });

  it('is deferred without an attempt while the server is slow with other mail', async () => {
    const limit = new AbortController();
    let hanging = 0;
    const server = await oddServer({ RCPT: 'hang' }, () => {
      hanging += 1;
    });
    const mailer = await mailerTo(server.url, { limit: () => limit.signal, patience: () => AbortSignal.abort() });
    const slow = Array.from({ length: 5 }, () => mailer.send(mail));
    expect(await mailer.send(mail)).toEqual({ kind: 'deferred', until: new Date('2026-11-20T17:03:17.418Z') });
    await eventually('all five are with the server', () => hanging === 5);
    limit.abort();
    for (const outcome of await Promise.all(slow)) expect(outcome).toMatchObject({ why: 'later', receipt: 'no' });
  });

  it('is refused before anything is sent when its address is invalid', async () => {
    const server = await serverWith();
    const outcome = await (
      await mailerTo(server.url)
    ).send({
      ...mail,
      to: 'leads@summit.example>\r\nRCPT TO:<desk@summit.example',
    });
    expect(outcome).toMatchObject({ kind: 'not_taken', receipt: 'no' });
    expectNoPersonalData(outcome);
    expect(server.taken).toEqual([]);
  });
});

describe('TLS', () => {
  const trusting = { tls: { ca: receiverTls.cert } };

  it('is verified from the first byte with smtps', async () => {
    const server = await serverWith({ secure: true });
    const outcome = await (await mailerTo(server.url)).send(mail);
    expect(outcome).toMatchObject({
      ...{ kind: 'not_taken', why: 'later', receipt: 'no' },
      error: 'The connection to the mail server could not be secured: its certificate or TLS was not accepted.',
    });
    expect(await (await mailerTo(server.url, trusting)).send(mail)).toMatchObject({ kind: 'taken' });
    expect(server.taken).toMatchObject([{ isSecure: true }]);
  });

  it('is used and verified when the server offers STARTTLS', async () => {
    const server = await serverWith({ offersStartTls: true });
    expect(await (await mailerTo(server.url)).send(mail)).toMatchObject({
      kind: 'not_taken',
      why: 'later',
      receipt: 'no',
    });
    expect(await (await mailerTo(server.url, trusting)).send(mail)).toMatchObject({ kind: 'taken' });
    expect(server.taken).toMatchObject([{ isSecure: true }]);
  });

  it('can be required: a server without it gets no mail', async () => {
    const server = await serverWith();
    const outcome = await (await mailerTo(`${server.url}?requireTLS=true`, trusting)).send(mail);
    expect(outcome).toMatchObject({ kind: 'not_taken', why: 'later', receipt: 'no' });
    expect(server.taken).toEqual([]);
  });
});

describe('Headers', () => {
  it.each([
    ['the subject', { subject: 'Lead\r\nBcc: spy@evil.example\r\n\r\nbody' }],
    ['the recipient’s address', { to: 'leads@summit.example\r\nBcc: spy@evil.example' }],
    ['a list of addresses', { to: 'leads@summit.example, spy@evil.example' }],
    ['an address in cc', { cc: ['desk@summit.example\nBcc: spy@evil.example', 'a@b.example, spy@evil.example'] }],
    ['the id', { id: 'dlv_1>\r\nBcc: spy@evil.example' }],
  ])('cannot be added by %s', async (_, changed) => {
    const server = await serverWith();
    await (await mailerTo(server.url)).send({ ...mail, ...changed });
    for (const { recipients, mail: taken } of server.taken) {
      expect(recipients).not.toContain('spy@evil.example');
      expect(taken.headers.map(([name]) => name)).not.toContain('bcc');
      expect(taken.part('text/plain').text.trim()).toBe(mail.text.trim());
    }
  });
});
