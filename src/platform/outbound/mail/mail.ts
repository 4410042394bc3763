// Types of a mail and of the mailer that sends it, with or without a mail server (contract 5.3).
import type { SendOutcome } from '../send-outcome.ts';

export type Mail = {
  /** The TypeID of its subject, the same on every attempt: the Message-ID contains it, so that a repetition can be recognised. */
  readonly id: string;
  readonly to: string;
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An iCalendar object to attach; null for none. */
  readonly calendar: string | null;
  /** The data URL of an image that the HTML names as `cid:logo`; none if left out or null. */
  readonly logo?: string | null;
  /** Further files; none if left out. */
  readonly attachments?: readonly MailAttachment[];
};

export type MailAttachment = {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
};

export type Mailer = {
  /** Always resolves, never rejects. `to` decides the outcome; failures of cc are only noted in it. Ends within 20 s. */
  send(mail: Mail): Promise<SendOutcome>;
  /** Waits for the running sends. */
  close(): Promise<void>;
};
