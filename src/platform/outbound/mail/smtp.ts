// Hands mail to an SMTP server over a few connections that are kept, and turns whatever happens into an outcome (contract 4.10, 5.3).
import type { Readable } from 'node:stream';

import { createTransport, type SMTPPoolOptions } from 'nodemailer';

import type { Clock } from '../../clock.ts';
import type { SendOutcome } from '../send-outcome.ts';
import type { Mail, Mailer } from './mail.ts';
import { createPermits } from './permits.ts';
import { mailServerOf, messageIdOf, type Sender } from './sender.rules.ts';
import { type CopyOutcome, outcomeOfSmtp, type SmtpFailure, takenBySmtp } from './smtp-outcome.rules.ts';

export type SmtpOptions = {
  readonly smtpUrl: string;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly tls: { readonly ca: string } | null;
  /** Called for each mail: when it fires, what is under way ends. */
  readonly limit: () => AbortSignal;
  /** Called for each mail that finds all connections in use: when it fires, the mail is put off. */
  readonly patience: () => AbortSignal;
};

type Handed =
  | { readonly ok: true; readonly response: string; readonly refused: number }
  | { readonly ok: false; readonly failure: SmtpFailure };

/** More at once than a small server likes from one client gains nothing: a mail takes some tens of milliseconds. */
const CONNECTIONS = 5;
/** The name, every address, the greeting and STARTTLS; there are servers that let a client wait some seconds for the greeting. */
const CONNECT_WITHIN_MS = 10_000;
const PUT_OFF_MS = 5000;
/** Shorter than servers wait for the next mail, so that we hang up and not they. */
const IDLE_MS = 30_000;
/** Only for mail of which nothing was sent, because the server had closed a connection that was kept. */
const OTHER_CONNECTIONS = 2;

export function createSmtpMailer({ smtpUrl, sender, clock, tls, limit, patience }: SmtpOptions): Mailer {
  const transport = createTransport(poolOptions({ smtpUrl, tls }));
  // The stream of a message is read only once the server has asked for it: what was not read was not sent.
  const messages = new WeakMap<AbortSignal, Readable>();
  transport.use('stream', ({ data, message }, next) => {
    message.processFunc((stream) => {
      if (data.signal !== undefined) messages.set(data.signal, stream);
      return stream;
    });
    next();
  });

  const hand = async (mail: Mail, recipients: readonly string[], signal: AbortSignal): Promise<Handed> => {
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
    // The server is slow, not the mail at fault: that is no attempt, and counts against nobody.
    if (!(await permits.take(patience()))) {
      return { kind: 'deferred', until: new Date(clock.now().getTime() + PUT_OFF_MS) };
    }
    try {
      return await sendBoth(mail, { hand, signal: limit() });
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
    // Said aloud, so that no environment variable can switch it off.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(tls === null ? {} : { ca: tls.ca }) },
    maxConnections: CONNECTIONS,
    maxRequeues: OTHER_CONNECTIONS,
    connectionTimeout: CONNECT_WITHIN_MS,
    idleTimeout: IDLE_MS,
    logger: false,
    // A mail consists of what it is given; nothing in it is fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type Handing = {
  readonly hand: (mail: Mail, recipients: readonly string[], signal: AbortSignal) => Promise<Handed>;
  readonly signal: AbortSignal;
};

/**
 * The primary recipient first and alone. In one go with the copies, a server that refuses the one and takes the others would leave the
 * partner with a lead that counts as not received.
 */
async function sendBoth(mail: Mail, { hand, signal }: Handing): Promise<SendOutcome> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  const handed = await hand(mail, [mail.to], signal);
  const latencyMs = elapsed();
  if (!handed.ok) return outcomeOfSmtp(handed.failure, latencyMs);
  return takenBySmtp(handed.response, await sendCopies(mail, { hand, signal }), latencyMs);
}

async function sendCopies(mail: Mail, { hand, signal }: Handing): Promise<CopyOutcome | null> {
  const asked = mail.cc.length;
  if (asked === 0) return null;
  const handed = await hand(mail, mail.cc, signal);
  return { asked, refused: handed.ok ? handed.refused : asked };
}

/** As an object: no character in it can begin another address or end the header. */
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
    // No out-of-office answer to a machine (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: mail.calendar === null ? [] : [calendarPart(mail.calendar)],
  };
}

function calendarPart(content: string) {
  return { filename: 'appointment.ics', content, contentType: 'text/calendar; charset=utf-8; method=PUBLISH' };
}

/** Errors of the library carry a code; any other is a fault of ours. */
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
