// Creates the mailer: sends mail through the operator's SMTP server, or keeps it in the database when there is none (contract 5.3, 8.3).
import { hostname } from 'node:os';

import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { keepMail } from './kept-mail.ts';
import type { Mailer } from './mail.ts';
import { senderOf } from './sender.rules.ts';

export type MailerOptions = {
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly database: Database;
  readonly clock: Clock;
  /** A PEM authority to trust instead of the system's. */
  readonly tls?: { readonly ca: string };
  /** Called for each mail; its signal ends the sending, cc included. After 15 s by default. */
  readonly limit?: () => AbortSignal;
  /** Called for each mail; its signal defers the mail if no connection is free yet. After 4 s by default. */
  readonly patience?: () => AbortSignal;
};

/** Together less than the 20 s of a channel. */
const WITHIN_MS = 15_000;
const PATIENCE_MS = 4000;

export async function createMailer(options: MailerOptions): Promise<Mailer> {
  const { smtpUrl, mailFrom, database, clock, tls = null } = options;
  const sender = senderOf({ mailFrom, smtpUrl, hostname: hostname() });
  if (smtpUrl !== null) {
    const limit = options.limit ?? (() => AbortSignal.timeout(WITHIN_MS));
    const patience = options.patience ?? (() => AbortSignal.timeout(PATIENCE_MS));
    // Imported only here: the library is large, and not needed without a server.
    const { createSmtpMailer } = await import('./smtp.ts');
    return createSmtpMailer({ smtpUrl, sender, clock, tls, limit, patience });
  }
  return {
    send: (mail) => keepMail(database, { mail, sender }, clock.now()),
    close: () => Promise.resolve(),
  };
}
