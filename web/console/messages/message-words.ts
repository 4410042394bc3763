// The words for attempts at messages: what was sent, what became of it, and what to do about it.
import type { Message, SentRequest } from '../../../src/console/messages.schema.ts';
import type { Tone } from '../../ui/status.tsx';

export const TYPES: Readonly<Record<string, string>> = {
  'lead.delivered': 'Lead',
  'lead.test': 'Test delivery',
  'return.reviewed': 'Decision on a return',
  'dispute.reviewed': 'Decision on a dispute',
};

export const OUTCOMES: Readonly<Record<Message['outcome'], { readonly words: string; readonly tone: Tone }>> = {
  taken: { words: 'Accepted', tone: 'good' },
  retried: { words: 'Failed, retried', tone: 'warn' },
  failed: { words: 'Failed', tone: 'bad' },
  dead_letter: { words: 'Dead letter', tone: 'bad' },
  sending: { words: 'Sending', tone: 'idle' },
};

/** The response in one line: its code, or why there was none. */
export function responseWords({ responseCode, error }: Pick<Message, 'responseCode' | 'error'>): string | null {
  if (responseCode === null) return error;
  return error === null ? String(responseCode) : `${responseCode}: ${error}`;
}

/** What the operator can do about an attempt that was not taken; null if it was taken or is in progress. */
export function adviceFor({ outcome, channel, responseCode: code }: Message): string | null {
  if (outcome === 'taken' || outcome === 'sending') return null;
  if (channel === 'email' || channel === 'sms') return 'Check the address or number in the partner’s settings.';
  if (code === null) return 'Check the URL, and ask the partner whether its server is reachable over HTTPS.';
  if (code >= 200 && code < 300) return 'The endpoint responded, but its response was not read as an acceptance.';
  if (code >= 300 && code < 400) return 'Redirects are not followed. Save the URL that it redirects to.';
  if (code === 401 || code === 403) return 'The endpoint asks for credentials. Check the secrets of its format.';
  if (code === 404) return 'Check the path of the URL.';
  if (code === 405) return 'The URL does not accept this method.';
  if (code === 410) return 'The partner removed the endpoint: it is disabled until it is enabled again.';
  if (code === 408 || code === 409 || code === 425 || code === 429 || code >= 500) {
    return 'The partner’s server is busy or failing. It is retried; afterwards, replay the deliveries of the outage.';
  }
  return 'The partner’s server rejects the message. Compare the request with what it expects.';
}

export const NO_REQUEST: Readonly<Record<NonNullable<SentRequest['why']>, string>> = {
  test: 'A test delivery is about an invented person, and is not kept.',
  not_a_lead: 'The body of this message is not kept.',
  other_channel: 'Only requests to webhooks are shown.',
  erased: 'The lead’s personal data was erased or has expired.',
  no_url: 'The partner no longer has a webhook URL.',
  format: 'The partner’s webhook format makes no request of this lead.',
};
