// Words for kinds of notices, their states and their channels.
import type { ListedNotice } from '../../src/notices/notice-list.schema.ts';
import type { Tone } from './status.tsx';

export const KIND_WORDS: Readonly<Record<string, string>> = {
  'dead.letters': 'Deliveries or jobs failed for good',
  'process.gone': 'A process of the service is gone',
  'claim.due': 'A claim is due soon',
  'supplier.silent': 'A supplier is silent',
  'supplier.acceptance_low': 'Few leads of a supplier are accepted',
  'supplier.sell_through_low': 'Few leads of a supplier are sold',
  'partner.rejecting': 'Many deliveries to a partner fail',
  'offer.rejecting': 'Offer paused for rejections',
  'account.left_out': 'Account left out for an unusable value',
  'invoice.issued': 'Invoice issued',
  'invoice.reminder': 'Reminder of an invoice',
  'invoice.overdue': 'Invoice overdue',
  'payment.received': 'Payment recorded',
  'funds.low': 'Funds below the threshold',
  'offer.paused': 'Offer paused for low funds',
  'offer.rejections_paused': 'Offer paused because leads were rejected',
  'cap.reached': 'Cap of an offer reached',
  'budget.low': 'Budget of an offer nearly spent',
  'claim.decided': 'Return or dispute decided',
  'statement.issued': 'Statement issued',
  'endpoint.disabled': 'Endpoint disabled',
  'endpoint.failing': 'Endpoint failing',
  'endpoint.recovered': 'Endpoint works again',
  'credential.expiring': 'Key or token expires soon',
  test: 'Test',
};

export const CHANNEL_WORDS: Readonly<Record<string, string>> = { email: 'Email', webhook: 'Webhook', chat: 'Chat' };

export const STATE_CHOICES = [
  { value: '', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Failed' },
  { value: 'dropped', label: 'Channel removed' },
  { value: 'off', label: 'Switched off' },
  { value: 'no_channel', label: 'No channel' },
];

type Shown = { readonly words: string; readonly tone: Tone };

/** What became of a notice that has no message. */
export const NOTICE_STATES: Readonly<Record<ListedNotice['state'], Shown>> = {
  raised: { words: 'about to be sent', tone: 'warn' },
  planned: { words: 'planned', tone: 'idle' },
  off: { words: 'switched off', tone: 'idle' },
  no_channel: { words: 'no channel', tone: 'warn' },
};

export const SEND_STATES: Readonly<Record<ListedNotice['sends'][number]['state'], Shown>> = {
  waiting: { words: 'waiting', tone: 'warn' },
  sent: { words: 'sent', tone: 'good' },
  failed: { words: 'failed', tone: 'bad' },
  dropped: { words: 'channel removed', tone: 'idle' },
};
