// Sends text messages through an HTTP provider that implements Twilio's REST API (contract 5.4).
import type { Members } from '../../base/json.ts';
import { createGuardedClient } from './guarded-client.ts';
import type { HttpOutcome } from './http-outcome.ts';
import { jsonResponse } from './response-body.rules.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from './send-outcome.ts';

export type SmsOptions = {
  /** The provider's base URL, which may have a path. The operator sets it, so it may have any address. */
  readonly apiUrl: string;
  readonly account: string | null;
  readonly token: string | null;
  /** A number, or a name that the provider knows. */
  readonly from: string | null;
  /** A PEM authority to trust instead of the system's. */
  readonly tls?: { readonly ca?: string };
};

export type SmsSender = {
  /** `to` is E.164. No outcome contains the text, a number or a credential. Ends within 15 s. */
  send(message: { readonly to: string; readonly text: string }, now: Date): Promise<SendOutcome>;
  close(): Promise<void>;
};

/** The provider's response repeats the message; some 1,000 bytes are its own. */
const RESPONSE_BYTES = 65_536;
/** The provider's id of the message, by which its support finds it. */
const MESSAGE_ID = /^[A-Za-z]{2}[0-9a-fA-F]{32}$/;
const WORD = /^[a-z_]{1,40}$/;
const ERROR_TEXT_LENGTH = 300;
/** Seven digits or more, with the separators of phone numbers: no code of the provider is that long. */
const NUMBER = /\+?\d(?:[\s().-]*\d){6,}/g;

export function createSmsSender(options: SmsOptions): SmsSender {
  const { apiUrl, account, token, from, tls } = options;
  const origin = URL.parse(apiUrl)?.origin;
  const client = createGuardedClient({
    allowTargets: origin === undefined ? [] : [origin],
    ...(tls === undefined ? {} : { tls }),
  });
  return {
    async send({ to, text }, now) {
      if (account === null || token === null || from === null) return notTried(notSetUp({ account, token, from }));
      const outcome = await client.post({
        url: `${apiUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
        headers: {
          authorization: `Basic ${Buffer.from(`${account}:${token}`, 'utf8').toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ To: to, From: from, Body: text }).toString(),
        keepBodyBytes: RESPONSE_BYTES,
      });
      return outcomeOfSms(outcome, now);
    },
    close: () => client.close(),
  };
}

function notSetUp(given: Readonly<Record<'account' | 'token' | 'from', string | null>>): string {
  const missing = (['account', 'token', 'from'] as const).filter((name) => given[name] === null);
  return `SMS is not set up: ${missing.map((name) => `SMS_${name.toUpperCase()}`).join(', ')} missing.`;
}

/** Keeps only chosen parts of the response, because it repeats the number and the text. */
function outcomeOfSms(http: HttpOutcome, now: Date): SendOutcome {
  const outcome = outcomeOfHttp(http, now);
  if (http.kind === 'error' || outcome.kind === 'deferred') return outcome;
  const response = jsonResponse(http.body) ?? {};
  if (outcome.kind === 'taken') return { ...outcome, responseSnippet: receiptOf(response) };
  // `gone` disables a partner's endpoint, and this one is the operator's.
  const why = outcome.why === 'gone' ? 'refused' : outcome.why;
  return { ...outcome, why, responseSnippet: null, error: errorOf(response, http.status) };
}

function receiptOf({ sid, status }: Members): string | null {
  const words = [
    ...(typeof sid === 'string' && MESSAGE_ID.test(sid) ? [sid] : []),
    ...(typeof status === 'string' && WORD.test(status) ? [status] : []),
  ];
  return words.length === 0 ? null : words.join(' ');
}

function errorOf({ code, message }: Members, status: number): string {
  const text =
    typeof message === 'string'
      ? message
          .replaceAll(/[\p{Cc}\s]+/gu, ' ')
          .replaceAll(NUMBER, '…')
          .slice(0, ERROR_TEXT_LENGTH)
          .trim()
      : '';
  const number = typeof code === 'number' && Number.isSafeInteger(code) ? ` (${code})` : '';
  return `The SMS provider answered ${status}${text === '' ? '' : `: ${text}`}${number}`;
}
