// Webhooks with notices, for the OpenAPI document: the data of each kind, as partners, suppliers and operators get it (contract 12.3).
import { webhookItem } from './webhook-document.ts';

const text = { type: 'string' };
const amount = { type: 'number', description: 'In the currency of the marketplace, with at most two decimals.' };
const count = { type: 'integer' };
const time = { type: 'string', format: 'date-time' };
const month = { type: 'string', pattern: '^\\d{4}-\\d{2}$' };
const textOrNull = { type: ['string', 'null'] };

const invoice = {
  number: text,
  month,
  total: amount,
  amountDue: amount,
  dueAt: time,
  currency: text,
};
const endpoint = { channel: text, since: time };
const belowUsual = { supplier: text, percent: count, usualPercent: count, submissions: count, day: text };
const rejectionsPaused = {
  offer: text,
  rejected: count,
  responses: count,
  abovePercent: count,
  since: time,
  until: time,
};
const claim = { type: 'string', enum: ['return', 'dispute'] };
const cap = { type: 'string', enum: ['daily', 'weekly', 'monthly'] };

type Member = Readonly<Record<string, unknown>>;

const BUYER: Readonly<Record<string, readonly [summary: string, data: Member]>> = {
  'claim.decided': [
    'A return or dispute was decided',
    {
      claimId: text,
      claim,
      deliveryRef: text,
      decision: { type: 'string', enum: ['approved', 'denied'] },
      credit: { type: ['number', 'null'] },
    },
  ],
  'invoice.issued': ['An invoice was issued', invoice],
  'invoice.reminder': ['An invoice is not paid yet', { ...invoice, reminder: count }],
  'invoice.overdue': ['An invoice is overdue', invoice],
  'payment.received': [
    'A payment was recorded',
    { amount, currency: text, reference: textOrNull, invoiceNumber: textOrNull, balance: amount },
  ],
  'cap.reached': [
    'An offer has reached a cap',
    {
      offer: text,
      window: cap,
      leads: { type: ['integer', 'null'] },
      spend: { type: ['number', 'null'] },
      until: time,
    },
  ],
  'budget.low': [
    'The budget of an offer is nearly spent',
    { offer: text, window: cap, spent: amount, limit: amount, leftPercent: count, until: time },
  ],
  'funds.low': ['Funds are below the threshold', { available: amount, threshold: amount }],
  'offer.paused': ['An offer is paused for low funds', { offer: text, available: amount, threshold: amount }],
  'offer.rejections_paused': ['An offer is paused because many leads were rejected', rejectionsPaused],
  'endpoint.disabled': [
    'The webhook endpoint was disabled',
    { webhookUrl: text, reason: { type: 'string', enum: ['gone', 'failing'] }, since: time, waiting: count },
  ],
  'endpoint.failing': ['An endpoint is failing', { ...endpoint, error: text }],
  'endpoint.recovered': ['An endpoint works again', endpoint],
  'credential.expiring': [
    'A key or token expires soon',
    { credentialId: text, label: textOrNull, last4: text, expiresAt: time },
  ],
  test: ['A test of the channel', { requestedBy: text }],
};

const SUPPLIER: typeof BUYER = {
  'statement.issued': ['A statement was issued', { number: text, month, total: amount, currency: text }],
};

const OPERATOR: typeof BUYER = {
  'dead.letters': ['Deliveries or jobs failed for good', { deliveries: count, jobs: count, since: time, until: time }],
  'process.gone': ['A process is gone', { process: text, role: text, lastSeenAt: time }],
  'claim.due': ['A claim is due soon', { claimId: text, claim, partner: text, dueAt: time }],
  'supplier.silent': [
    'A supplier that usually posts does not',
    { supplier: text, usual: count, hours: count, since: time },
  ],
  'supplier.acceptance_low': ['Fewer leads of a supplier are accepted than usual', belowUsual],
  'supplier.sell_through_low': ['Fewer leads of a supplier are sold than usual', belowUsual],
  'partner.rejecting': [
    'Many deliveries to a partner fail',
    { partner: text, deliveries: count, failed: count, failedPercent: count, day: text },
  ],
  'offer.rejecting': [
    'An offer is paused because its partner rejects many leads',
    { ...rejectionsPaused, partner: text },
  ],
  'account.left_out': [
    'An account was left out, because a value of its configuration could not be used',
    { account: text, key: text, partner: textOrNull, work: text, error: text },
  ],
};

const itemsOf = (kinds: typeof BUYER, tag: 'Buyer' | 'Supplier', reader: string): Array<[string, object]> =>
  Object.entries(kinds).map(([type, [summary, properties]]) => [
    type,
    webhookItem({
      ...{ type, summary, tag },
      description: `A notice to ${reader}, sent to the webhook URL of their notice settings. It is sent once per occurrence.`,
      data: { type: 'object', required: Object.keys(properties), properties },
    }),
  ]);

export const noticeWebhooks: Readonly<Record<string, object>> = Object.fromEntries([
  ...itemsOf(BUYER, 'Buyer', 'a partner'),
  ...itemsOf(SUPPLIER, 'Supplier', 'a supplier'),
  ...itemsOf(OPERATOR, 'Buyer', 'the operators'),
]);
