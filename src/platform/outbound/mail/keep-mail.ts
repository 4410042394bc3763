// Keeps a mail where `leadmarket mail` shows it: what a service without a mail server does with its mail (contract 5.3).
import { newUuid } from '../../../base/ids.ts';
import type { Database } from '../../database/database.ts';
import type { SendOutcome } from '../send-outcome.ts';
import { insertKeptMail } from './kept-mail.sql.ts';
import type { Mail } from './mail.ts';
import { messageIdOf, type Sender } from './sender.rules.ts';

/** What SMTP says to a mail that it takes. */
const TAKEN = 250;

export async function keepMail(
  database: Database,
  { mail, sender }: { readonly mail: Mail; readonly sender: Sender },
  now: Date,
): Promise<SendOutcome> {
  const startedAt = performance.now();
  await database.query(insertKeptMail, {
    mailId: newUuid(),
    now,
    messageId: messageIdOf(mail.id, sender),
    sender: sender.name === '' ? sender.address : `${sender.name} <${sender.address}>`,
    recipients: [mail.to],
    cc: mail.cc,
    subject: storable(mail.subject),
    textBody: storable(mail.text),
    htmlBody: storable(mail.html),
    calendar: mail.calendar === null ? null : storable(mail.calendar),
  });
  return {
    kind: 'taken',
    responseCode: TAKEN,
    responseSnippet: 'Kept by this service, which has no mail server.',
    latencyMs: Math.round(performance.now() - startedAt),
    error: null,
  };
}

/** The database takes every text but NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}
