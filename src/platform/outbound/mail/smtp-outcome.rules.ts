// Turns a mail server's reply, or its silence, into a send outcome: taken, later or refused, and whether the mail may have arrived
// (contract 4.10, 4.13).
import type { SendOutcome } from '../send-outcome.ts';
import { snippetOf } from '../response-body.rules.ts';

/** A failed SMTP transaction. The texts are the library's and the server's and may quote addresses. */
export type SmtpFailure = {
  /** The library's code, such as `ECONNECTION`; '' for none. */
  readonly code: string;
  /** The system's code, such as `ECONNREFUSED`; '' for none. */
  readonly originalCode: string;
  /** The command that the reply belongs to, such as `RCPT TO`; `CONN` outside commands, '' before the first one. */
  readonly command: string;
  readonly response: string | null;
  /** Whether any of the message was sent, which happens after the server asked for it with 354. */
  readonly began: boolean;
};

/** The number of cc addresses, and how many of them did not get the mail. */
export type CopyOutcome = { readonly asked: number; readonly refused: number };

type Verdict = { readonly why: 'later' | 'refused'; readonly error: string };

const SNIPPET_BYTES = 1024;
/** Longer replies are cut, to bound the work of the patterns. */
const REPLY_CHARACTERS = 4096;
/** Bad sequence of commands: an error of the session, not of the mail. */
const BAD_SEQUENCE = 503;

export function outcomeOfSmtp(failure: SmtpFailure, latencyMs: number): SendOutcome {
  const code = replyCode(failure.response);
  const isRefusal = code !== null && code >= 400 && code < 600;
  const { why, error } = isRefusal ? verdictOfReply(failure.command, code) : verdictOfSilence(failure);
  return {
    kind: 'not_taken',
    why,
    // A server that replies 4yz or 5yz does not have the mail, and before it asked for the message nothing was sent.
    receipt: isRefusal || !failure.began ? 'no' : 'unknown',
    retryAfterSeconds: 0,
    responseCode: code,
    responseSnippet: failure.response === null ? null : maskedReply(failure.response, SNIPPET_BYTES),
    latencyMs,
    error,
  };
}

export function takenBySmtp(response: string, copies: CopyOutcome | null, latencyMs: number): SendOutcome {
  const note =
    copies === null || copies.refused === 0
      ? ''
      : `\n(${copies.refused} of ${copies.asked} cc ${copies.asked === 1 ? 'address' : 'addresses'} did not get it.)`;
  const reply = maskedReply(response, SNIPPET_BYTES - note.length);
  return {
    kind: 'taken',
    responseCode: replyCode(response),
    responseSnippet: reply === null ? null : `${reply}${note}`,
    latencyMs,
    error: null,
  };
}

/** The three digits at the start of a reply; null without them. */
function replyCode(response: string | null): number | null {
  const digits = /^\d{3}(?=[ -]|$)/m.exec(response ?? '')?.[0];
  return digits === undefined ? null : Number(digits);
}

/** A rejection of the recipient, the sender or the message is final; the operator can fix errors of the session, so they are retried. */
function verdictOfReply(command: string, code: number): Verdict {
  const isFinal = code >= 500 && code !== BAD_SEQUENCE;
  const said = (what: string): Verdict => ({
    why: isFinal ? 'refused' : 'later',
    error: isFinal ? `The mail server refused the ${what}.` : `The mail server did not take the ${what} for now.`,
  });
  if (command === 'RCPT TO') return said('recipient');
  if (command === 'MAIL FROM') return said('sender');
  if (command === 'DATA') return said('message');
  if (command.startsWith('AUTH')) return WRONG_LOGIN;
  return { why: 'later', error: 'The mail server takes no mail at the moment.' };
}

const WRONG_LOGIN: Verdict = { why: 'later', error: 'The mail server did not accept the login of this service.' };
const TLS_FAULT = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** No reply, or one that neither accepts nor rejects. */
function verdictOfSilence({ code, originalCode, command, response, began }: SmtpFailure): Verdict {
  const later = (error: string): Verdict => ({ why: 'later', error });
  if (code === 'EPROTOCOL' || response !== null) return later('The reply of the mail server was not valid SMTP.');
  if (code === 'EENVELOPE') return { why: 'refused', error: 'The address is not one that mail can be sent to.' };
  if (code === 'EMESSAGE' && command === 'MAIL FROM') {
    return { why: 'refused', error: 'The message is larger than the mail server takes.' };
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') return WRONG_LOGIN;
  if (code === 'EDNS') return later('The name of the mail server could not be resolved.');
  if (code === 'ETIMEDOUT' || code === 'EABORT') return later('The mail server did not answer in time.');
  if (code === 'ETLS' || TLS_FAULT.test(originalCode)) {
    return later('The connection to the mail server could not be secured: its certificate or TLS was not accepted.');
  }
  if (originalCode === 'ECONNREFUSED') return later('The mail server refused the connection.');
  return later(began ? 'The connection was closed before a response came.' : 'The mail server could not be reached.');
}

/** Masks addresses, which replies often quote. Null when nothing readable is left. */
function maskedReply(response: string, maxBytes: number): string | null {
  // A cut end could be half an address, so it is dropped up to the last white space.
  const text =
    response.length > REPLY_CHARACTERS ? (/^[^]*\s/.exec(response.slice(0, REPLY_CHARACTERS))?.[0] ?? '') : response;
  const masked = text.replaceAll(/(?:"[^"\n]{0,64}"|[^\s<>()[\]"',;:]{0,256})@[^\s\p{Cc}<>()"',;]+/gu, '…');
  return snippetOf(new TextEncoder().encode(masked), { maxBytes, cut: false });
}
