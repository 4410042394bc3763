// Sends one text message through an HTTP provider that speaks as Twilio's REST API does (contract 5.4).
import type { Members } from '../../base/members.ts';
import { createGuardedClient } from './guarded-client.ts';
import type { HttpOutcome } from './http-outcome.ts';
import { jsonResponse } from './json-response.rules.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from './send-outcome.ts';

export type SmsOptions = {
  /** The provider's base URL, which may have a path. It is the operator's own, so that it may be anywhere. */
  readonly apiUrl: string;
  readonly account: string | null;
  readonly token: string | null;
  /** A number, or a name that the provider knows. */
  readonly from: string | null;
  /** A PEM authority to trust instead of the system's. */
  readonly tls?: { readonly ca?: string };
};

export type SmsSender = {
  /** `to` is E.164. No outcome holds the text, a number or a credential. Ends within 15 s. */
  send(message: { readonly to: string; readonly text: string }, now: Date): Promise<SendOutcome>;
  close(): Promise<void>;
};

/** The provider's answer repeats the message; some 1,000 bytes of it are its own. */
const RESPONSE_BYTES = 65_536;
/** The provider's name of the message, by which its support finds it. */
const MESSAGE_ID = /^[A-Za-z]{2}[0-9a-fA-F]{32}$/;
const WORD = /^[a-z_]{1,40}$/;
const ERROR_TEXT_LENGTH = 300;
/** Seven digits and more with what stands between digits of a number: no code of the provider's is that long. */
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

/** What is kept of an answer is picked: as it comes it repeats the number and the text. */
function outcomeOfSms(http: HttpOutcome, now: Date): SendOutcome {
  const outcome = outcomeOfHttp(http, now);
  if (http.kind === 'error' || outcome.kind === 'deferred') return outcome;
  const response = jsonResponse(http.body) ?? {};
  if (outcome.kind === 'taken') return { ...outcome, responseSnippet: receiptOf(response) };
  // "Gone" is a word for endpoints of partners, and this one is not theirs.
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
