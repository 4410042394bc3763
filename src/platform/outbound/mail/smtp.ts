// Sends mail through an SMTP server over a small pool of connections, and turns every result into an outcome (contract 4.10, 5.3).
import type { Readable } from 'node:stream';

import { createTransport, type SMTPPoolOptions } from 'nodemailer';

import type { Clock } from '../../clock.ts';
import type { SendOutcome } from '../send-outcome.ts';
import type { Mail, Mailer } from './mail.ts';
import { LOGO_CID } from './mail-page.rules.ts';
import { createPermits } from './permits.ts';
import { mailServerOf, messageIdOf, type Sender } from './sender.rules.ts';
import { type CopyOutcome, outcomeOfSmtp, type SmtpFailure, takenBySmtp } from './smtp-outcome.rules.ts';

export type SmtpOptions = {
  readonly smtpUrl: string;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly tls: { readonly ca: string } | null;
  /** Called for each mail; its signal ends the sending. */
  readonly limit: () => AbortSignal;
  /** Called for each mail that finds all connections in use; its signal defers the mail. */
  readonly patience: () => AbortSignal;
};

type Transmission =
  | { readonly ok: true; readonly response: string; readonly refused: number }
  | { readonly ok: false; readonly failure: SmtpFailure };

/** Small servers accept only a few connections from one client, and more gain little: a mail takes some tens of milliseconds. */
const CONNECTIONS = 5;
/** DNS, every address, the greeting and STARTTLS; some servers delay the greeting for some seconds. */
const CONNECT_WITHIN_MS = 10_000;
const DEFER_MS = 5000;
/** Shorter than servers' own idle limits, so that this side closes first. */
const IDLE_MS = 30_000;
/** Only for mail of which nothing was sent, because the server had closed a pooled connection. */
const CONNECTION_RETRIES = 2;

export function createSmtpMailer({ smtpUrl, sender, clock, tls, limit, patience }: SmtpOptions): Mailer {
  const transport = createTransport(poolOptions({ smtpUrl, tls }));
  // The stream of a message is read only after the server has asked for it; nothing was sent of a stream that was not read.
  const messages = new WeakMap<AbortSignal, Readable>();
  transport.use('stream', ({ data, message }, next) => {
    message.processFunc((stream) => {
      if (data.signal !== undefined) messages.set(data.signal, stream);
      return stream;
    });
    next();
  });

  const transmit = async (mail: Mail, recipients: readonly string[], signal: AbortSignal): Promise<Transmission> => {
    try {
      const info = await transport.sendMail({
        ...messageOf(mail, sender),
        envelope: { from: sender.address, to: recipients.map(addressed) },
        date: clock.now(),
        signal,
      });
      return { ok: true, response: info.response, refused: info.rejected.length };
    } catch (error) {
      return { ok: false, failure: failureOf(error, messages.get(signal)?.readableDidRead === true) };
    }
  };
  const permits = createPermits(CONNECTIONS);
  const inTurn = async (mail: Mail): Promise<SendOutcome> => {
    // The server is slow and the mail is not at fault, so this does not count as an attempt.
    if (!(await permits.take(patience()))) {
      return { kind: 'deferred', until: new Date(clock.now().getTime() + DEFER_MS) };
    }
    try {
      return await sendBoth(mail, { transmit, signal: limit() });
    } finally {
      permits.giveBack();
    }
  };
  const running = new Set<Promise<SendOutcome>>();
  return {
    send(mail) {
      const sending = inTurn(mail).finally(() => running.delete(sending));
      running.add(sending);
      return sending;
    },
    async close() {
      await Promise.allSettled(running);
      transport.close({ force: true });
    },
  };
}

function poolOptions({ smtpUrl, tls }: Pick<SmtpOptions, 'smtpUrl' | 'tls'>): SMTPPoolOptions & { pool: true } {
  const { auth, ...server } = mailServerOf(smtpUrl);
  return {
    ...server,
    ...(auth === null ? {} : { auth }),
    pool: true,
    // Explicit, so that no environment variable can disable it.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(tls === null ? {} : { ca: tls.ca }) },
    maxConnections: CONNECTIONS,
    maxRequeues: CONNECTION_RETRIES,
    connectionTimeout: CONNECT_WITHIN_MS,
    idleTimeout: IDLE_MS,
    logger: false,
    // Nothing in a mail is fetched from files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type Transmitter = {
  readonly transmit: (mail: Mail, recipients: readonly string[], signal: AbortSignal) => Promise<Transmission>;
  readonly signal: AbortSignal;
};

/**
 * Sends to the primary recipient first and alone: in one transaction with the copies, a server that rejects the recipient and accepts the
 * copies would leave the partner with a lead that counts as not received.
 */
async function sendBoth(mail: Mail, { transmit, signal }: Transmitter): Promise<SendOutcome> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  const transmission = await transmit(mail, [mail.to], signal);
  const latencyMs = elapsed();
  if (!transmission.ok) return outcomeOfSmtp(transmission.failure, latencyMs);
  return takenBySmtp(transmission.response, await sendCopies(mail, { transmit, signal }), latencyMs);
}

async function sendCopies(mail: Mail, { transmit, signal }: Transmitter): Promise<CopyOutcome | null> {
  const asked = mail.cc.length;
  if (asked === 0) return null;
  const transmission = await transmit(mail, mail.cc, signal);
  return { asked, refused: transmission.ok ? transmission.refused : asked };
}

/** An object, so that no character in it can begin another address or end the header. */
function addressed(address: string) {
  return { name: '', address };
}

function messageOf(mail: Mail, sender: Sender) {
  return {
    from: { name: sender.name, address: sender.address },
    to: [addressed(mail.to)],
    ...(mail.cc.length === 0 ? {} : { cc: mail.cc.map(addressed) }),
    subject: mail.subject,
    messageId: messageIdOf(mail.id, sender),
    text: mail.text,
    html: mail.html,
    xMailer: false as const,
    // Suppresses out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: [
      ...logoParts(mail.logo ?? null),
      ...(mail.calendar === null ? [] : [calendarPart(mail.calendar)]),
      ...(mail.attachments ?? []),
    ],
  };
}

/** Part of the mail, because most clients load nothing from outside and show no data URLs. */
function logoParts(logo: string | null) {
  const { type, data } = /^data:image\/(?<type>png|jpeg);base64,(?<data>.+)$/.exec(logo ?? '')?.groups ?? {};
  if (type === undefined || data === undefined) return [];
  const content = Buffer.from(data, 'base64');
  return [
    {
      cid: LOGO_CID,
      filename: `logo.${type}`,
      contentType: `image/${type}`,
      contentDisposition: 'inline' as const,
      content,
    },
  ];
}

function calendarPart(content: string) {
  return { filename: 'appointment.ics', content, contentType: 'text/calendar; charset=utf-8; method=PUBLISH' };
}

/** Errors of the library have a code; any other error is a bug here and is thrown on. */
function failureOf(error: unknown, began: boolean): SmtpFailure {
  if (!(error instanceof Error)) throw error;
  const { code, originalCode, command, response } = error as Error & Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    code,
    originalCode: text(originalCode),
    command: text(command),
    response: text(response) || null,
    began,
  };
}
