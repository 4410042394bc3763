// Tests the email channel against a real mail server: leads arrive, and the log has no personal data.
import { afterEach, describe, expect, it } from 'vitest';

import { accentShades } from '../../src/base/accent-shades.ts';
import type { BuyerSettings } from '../../src/buyers/buyer.ts';
import type { Parcel, Recipient } from '../../src/deliveries/channels/channel.ts';
import { bookingExample, saleExample } from '../../src/deliveries/delivery.schema.ts';
import { createEmailChannel } from '../../src/deliveries/channels/email.channel.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createMailer } from '../../src/platform/outbound/mail/mailer.ts';
import { createLog } from '../../src/platform/log.ts';
import { handClock } from '../support/hand-clock.ts';
import { type MailServerOptions, startMailServer } from './mail-server.ts';

const clock = handClock('2026-11-20T17:03:13.000Z');
const settings: BuyerSettings = {
  notificationEmail: 'leads@summit.example',
  ccEmails: ['desk@summit.example'],
  webhookUrl: null,
  phone: null,
  smsNumber: null,
  sheetsWebhookUrl: null,
  sheetsSpreadsheetId: null,
};
const recipient: Recipient = {
  buyerKey: 'summit',
  name: 'Summit Debt Relief',
  timeZone: 'America/Los_Angeles',
  settings,
  secrets: [],
  custom: null,
  ownColumns: [],
};
// The channel reads nothing of the further fields.
const fields = {} as Parcel['fields'];
const sale: Parcel = {
  id: saleExample.deliveryId,
  isTest: false,
  occurredAt: new Date(saleExample.deliveredAt),
  delivery: saleExample,
  fields,
  slotMinutes: null,
  isRepeat: false,
  priceBounds: null,
};
const booking: Parcel = { ...sale, id: bookingExample.deliveryId, delivery: bookingExample, slotMinutes: 30 };

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

const logo = 'data:image/png;base64,iVBORw0KGgo=';
const brand = { name: 'Lead Desk', shades: accentShades('#0b6b62'), logo };

async function channelTo(options: MailServerOptions = {}) {
  const server = await startMailServer(options);
  opened.defer(() => server.close());
  const database = null as unknown as Database;
  const forEver = () => new AbortController().signal;
  const mailer = await createMailer({
    ...{ smtpUrl: server.url, mailFrom: 'noreply@market.example', database, clock },
    // However slow this machine is, nothing is put off or given up for it.
    ...{ limit: forEver, patience: forEver },
  });
  opened.defer(() => mailer.close());
  return { server, channel: createEmailChannel(mailer, () => ({ currency: 'USD', brand })) };
}

describe('The email channel', () => {
  it('sends a lead to the partner and copies to cc', async () => {
    const { server, channel } = await channelTo();
    expect(channel).toMatchObject({ name: 'email', parcelsPerCall: 1 });
    expect(await channel.send(recipient, [sale], clock.now())).toMatchObject([{ kind: 'taken', responseCode: 250 }]);
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([
      ['leads@summit.example'],
      ['desk@summit.example'],
    ]);
    const { mail } = server.taken[0] ?? {};
    expect(mail?.header('subject')).toBe('Lead LS-100042: Jordan Rivera');
    expect(mail?.header('message-id')).toBe(`<${saleExample.deliveryId}@market.example>`);
    expect(mail?.part('text/plain').text).toContain('Payout:      45.00 USD');
    expect(mail?.part('text/html').text).toContain('jordan.rivera@example.com');
    expect(mail?.parts.map((part) => part.type)).toEqual(['text/plain', 'text/html', 'image/png']);
    expect(mail?.part('text/html').text).toContain('<img src="cid:logo"');
    expect(mail?.part('image/png').disposition).toContain('inline');
    expect(mail?.raw).toContain('Content-ID: <logo>');
  });

  it('attaches the appointment of a booking, and marks a test', async () => {
    const { server, channel } = await channelTo();
    await channel.send(
      { ...recipient, settings: { ...settings, ccEmails: [] } },
      [{ ...booking, isTest: true }],
      clock.now(),
    );
    const [taken] = server.taken;
    expect(server.taken).toHaveLength(1);
    expect(taken?.mail.header('subject')).toBe('[TEST] Booking CA-100041: Dana Whitfield');
    const calendar = taken?.mail.part('text/calendar');
    expect(calendar?.text).toContain('\r\nDTSTART:20261123T173000Z\r\nDTEND:20261123T180000Z\r\n');
    expect(calendar?.text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  });

  it('returns one outcome per lead, in order', async () => {
    const { channel } = await channelTo({
      onMessage: (mail) => (mail.header('subject')?.startsWith('Booking') === true ? '554 No' : null),
    });
    expect(await channel.send(recipient, [sale, booking, sale], clock.now())).toMatchObject([
      { kind: 'taken' },
      { kind: 'not_taken', why: 'refused', receipt: 'no' },
      { kind: 'taken' },
    ]);
  });

  it('reports that no address is set', async () => {
    const { server, channel } = await channelTo();
    const nowhere = { ...recipient, settings: { ...settings, notificationEmail: null } };
    expect(await channel.send(nowhere, [sale], clock.now())).toMatchObject([
      { kind: 'not_taken', why: 'later', receipt: 'no', error: 'No notification email is set.' },
    ]);
    expect(server.taken).toEqual([]);
  });

  it('returns no personal data that could reach a log', async () => {
    let logged = '';
    const log = createLog('trace', { write: (line: string) => void (logged += line) });
    const { channel } = await channelTo({
      onRecipient: (address) => `550 5.1.1 <${address}>: unknown`,
    });
    const outcomes = await channel.send(recipient, [sale, booking], clock.now());
    for (const outcome of outcomes) log.info({ outcome }, 'attempt');
    expect(logged).toContain('550 5.1.1 <…>: unknown');
    expect(logged).not.toMatch(/Jordan|Rivera|Dana|Whitfield|leads@|summit\.example|555550/);
  });
});
