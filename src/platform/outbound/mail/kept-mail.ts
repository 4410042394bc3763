// Keeps mail in the database while no mail server is set up, for `leadmarket mail` to show (contract 5.3).
import { newUuid, type Uuid, type MailId } from '../../../base/ids.ts';
import type { SendOutcome } from '../send-outcome.ts';
import {
  insertKeptMail,
  selectKeptMail,
  selectKeptMails,
  type KeptMailHead,
  type KeptMail,
  deleteKeptMails,
  deleteMailsAbout,
} from './kept-mail.sql.ts';
import type { Mail } from './mail.ts';
import { messageIdOf, type Sender } from './sender.rules.ts';
import { LAST_ID } from '../../../base/id-time.ts';
import type { Database, Tx } from '../../database/database.ts';

/** SMTP's code for accepted mail. */
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
    textBody: storable(withAttachments(mail)),
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

/** Attached files are named and not kept: they can be made again. */
function withAttachments({ text, attachments = [] }: Mail): string {
  return [text, ...attachments.map(({ filename }) => `[Attached: ${filename}]\n`)].join('');
}

/** PostgreSQL stores any character but NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}

/** Newest first, starting after the mail `after`. `address` is matched with To and Cc, ignoring case; null for all. */
export function listKeptMails(
  database: Database,
  { address, after, limit }: { readonly address: string | null; readonly after: Uuid | null; readonly limit: number },
): Promise<KeptMailHead[]> {
  return database.query(selectKeptMails, { address, after: after ?? LAST_ID, limit });
}

export async function readKeptMail(database: Database, mailId: MailId): Promise<KeptMail | null> {
  const [mail] = await database.query(selectKeptMail, { mailId });
  return mail ?? null;
}

/** Deletes mail kept before then; returns the count. */
export async function deleteKeptMail(tx: Tx, before: Date): Promise<number> {
  const [row] = await tx.query(deleteKeptMails, { before });
  return row?.count ?? 0;
}

/** Deletes mail that contains one of these names, such as `dlv_…` or `LS-100042`. */
export async function deleteMailAbout(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query(deleteMailsAbout, { names });
}
