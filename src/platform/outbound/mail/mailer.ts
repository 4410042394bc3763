// Sends mail through the operator's server, or keeps it where people can read it while there is none (contract 5.3, 8.3).
import { hostname } from 'node:os';

import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { keepMail } from './keep-mail.ts';
import type { Mailer } from './mail.ts';
import { senderOf } from './sender.rules.ts';
import { createSmtpMailer } from './smtp.ts';

export type MailerOptions = {
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly database: Database;
  readonly clock: Clock;
  /** PEM of an authority that is trusted instead of the system's. */
  readonly tls?: { readonly ca: string };
  /** Called for each mail, and over everything, cc included: when it fires, what is under way ends. After 15 s by default. */
  readonly limit?: () => AbortSignal;
  /** Called for each mail: when it fires before a connection is free, the mail is put off. After 4 s by default. */
  readonly patience?: () => AbortSignal;
};

/** Together they are less than the 20 s that a channel has. */
const WITHIN_MS = 15_000;
const PATIENCE_MS = 4000;

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, mailFrom, database, clock, tls = null } = options;
  const sender = senderOf({ mailFrom, smtpUrl, hostname: hostname() });
  if (smtpUrl !== null) {
    const limit = options.limit ?? (() => AbortSignal.timeout(WITHIN_MS));
    const patience = options.patience ?? (() => AbortSignal.timeout(PATIENCE_MS));
    return createSmtpMailer({ smtpUrl, sender, clock, tls, limit, patience });
  }
  return {
    send: (mail) => keepMail(database, { mail, sender }, clock.now()),
    close: () => Promise.resolve(),
  };
}
