// Tests mail without a mail server: kept in a real database, listed and shown by the command line, deleted when old.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { typeId, newUuid } from '../../src/base/ids.ts';
import { deleteKeptMail } from '../../src/platform/outbound/mail/kept-mail.ts';
import type { Mail } from '../../src/platform/outbound/mail/mail.ts';
import { registerMailCommands } from '../../src/platform/outbound/mail/mail.cli.ts';
import { createMailer } from '../../src/platform/outbound/mail/mailer.ts';
import { captureCommand, contextOf } from '../support/captured-command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { handClock } from '../support/hand-clock.ts';

const clock = handClock('2026-11-20T17:03:12.418Z');
let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(async () => {
  await home.drop();
});
beforeEach(async () => {
  await home.database.tx((tx) => deleteKeptMail(tx, new Date('2099-01-01T00:00:00Z')));
  clock.set('2026-11-20T17:03:12.418Z');
});

const mail: Mail = {
  id: 'dlv_01m7wyk0h2emp81qch4dvtyn6a',
  to: 'leads@summit.example',
  cc: ['desk@summit.example', 'second@other.example'],
  subject: 'Lead LS-100042: Jordan Rivera',
  text: 'Name: Jordan Rivera\nPhone: +15555550123\n',
  html: '<p>Jordan Rivera</p>\n',
  calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
};

async function keep(changed: Partial<Mail> = {}) {
  const mailer = await createMailer({
    smtpUrl: null,
    mailFrom: 'Desk <desk@market.example>',
    database: home.database,
    clock,
  });
  const outcome = await mailer.send({ ...mail, ...changed });
  await mailer.close();
  return outcome;
}

const command = (...argv: string[]) =>
  captureCommand(argv, (program, out) =>
    registerMailCommands(program.command('mail'), contextOf(home.database, clock, out)),
  );

async function listed(...options: string[]): Promise<Array<{ mailId: string; subject: string }>> {
  const { json } = await command('mail', 'list', ...options, '--json');
  return (json as { data: Array<{ mailId: string; subject: string }> }).data;
}

describe('Mail without a mail server', () => {
  it('counts as taken and returns no personal data', async () => {
    const outcome = await keep();
    expect(outcome).toMatchObject({
      kind: 'taken',
      responseCode: 250,
      responseSnippet: 'Kept by this service, which has no mail server.',
      error: null,
    });
    expect(JSON.stringify(outcome)).not.toMatch(/summit|Jordan|desk/);
  });

  it('is listed newest first, even when the clock stands still', async () => {
    for (const subject of ['first', 'second', 'third']) await keep({ subject, calendar: null });
    await keep({ subject: 'Booking' });
    const data = await listed();
    expect(data.map(({ subject }) => subject)).toEqual(['Booking', 'third', 'second', 'first']);
    expect(data[0]).toEqual({
      mailId: expect.stringMatching(/^mail_[0-9a-z]{26}$/),
      at: '2026-11-20T17:03:12.418Z',
      to: ['leads@summit.example'],
      cc: ['desk@summit.example', 'second@other.example'],
      subject: 'Booking',
      hasCalendar: true,
    });
    expect(data[1]).toMatchObject({ hasCalendar: false });
    expect((await listed('--limit', '2')).map(({ subject }) => subject)).toEqual(['Booking', 'third']);
    expect((await command('mail', 'list')).stdout).toContain('desk@summit.example, second@other.example');
  });

  it('is found by address, ignoring case, also among the copies', async () => {
    await keep({ subject: 'one' });
    await keep({ subject: 'other', to: 'leads@apex.example', cc: [] });
    const found = async (address: string) => (await listed('--to', address)).map(({ subject }) => subject);
    expect(await found('Leads@Summit.example')).toEqual(['one']);
    expect(await found('second@other.example')).toEqual(['one']);
    expect(await found('leads@apex.example')).toEqual(['other']);
    expect(await found('leads@%')).toEqual([]);
  });

  it('is shown with its headers and text, and completely as JSON', async () => {
    await keep();
    const mailId = (await listed())[0]?.mailId ?? '';
    expect((await command('mail', 'show', mailId, '--json')).json).toEqual({
      ...{ mailId, at: '2026-11-20T17:03:12.418Z' },
      messageId: '<dlv_01m7wyk0h2emp81qch4dvtyn6a@market.example>',
      from: 'Desk <desk@market.example>',
      ...{ to: ['leads@summit.example'], cc: mail.cc, subject: mail.subject },
      ...{ text: mail.text, html: mail.html, calendar: mail.calendar },
    });
    expect((await command('mail', 'show', mailId)).stdout).toBe(
      [
        'Date: 2026-11-20T17:03:12.418Z',
        'From: Desk <desk@market.example>',
        'To: leads@summit.example',
        'Cc: desk@summit.example, second@other.example',
        'Subject: Lead LS-100042: Jordan Rivera',
        'Message-ID: <dlv_01m7wyk0h2emp81qch4dvtyn6a@market.example>',
        'Attached: appointment.ics',
        '',
        'Name: Jordan Rivera',
        'Phone: +15555550123',
        '',
      ].join('\n'),
    );
  });

  it.each([typeId('mail', newUuid()), typeId('lead', newUuid()), 'nonsense'])('is not shown as %s', async (id) => {
    const refused = await command('mail', 'show', id, '--json');
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: 'mail_not_found' } } });
  });

  it('is kept without characters that the database cannot store', async () => {
    await keep({ subject: 'a\0b', text: '\0', html: '\0<p>', calendar: '\0' });
    expect(await listed()).toMatchObject([{ subject: 'ab' }]);
  });

  it('is deleted when it is old', async () => {
    await keep({ subject: 'old' });
    clock.advance(7 * 86_400_000);
    await keep({ subject: 'new' });
    expect(await home.database.tx((tx) => deleteKeptMail(tx, new Date(clock.now().getTime() - 86_400_000)))).toBe(1);
    expect((await listed()).map(({ subject }) => subject)).toEqual(['new']);
  });
});
