// What the notices to partners and suppliers say (contract 12.3).
import { formatMoney, centsOf } from '../base/money.ts';
import { localTime } from '../platform/outbound/mail/mail-page.rules.ts';
import type { NoticeData, NoticeKind } from './notice.ts';
import type { NoticeReader, NoticeText, Texts } from './notice-text.ts';
import type { OperatorKind } from './operator-notice-text.rules.ts';

const PORTAL = {
  billing: { path: '/portal/billing', name: 'Billing in the portal' },
  offers: { path: '/portal/', name: 'Overview in the portal' },
  claims: { path: '/portal/claims', name: 'Claims in the portal' },
  settings: { path: '/portal/settings', name: 'Settings in the portal' },
  notices: { path: '/portal/notices', name: 'Notices in the portal' },
  start: { path: '/portal/', name: 'The portal' },
} as const;

const money = (amount: number, currency: string): string => formatMoney(centsOf(amount), currency);
const at = (time: string, { timeZone }: NoticeReader): string => localTime(new Date(time), timeZone);
const CLAIM = { return: 'return', dispute: 'dispute' } as const;
const WINDOW = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

export const partnerTexts: Texts<Exclude<NoticeKind, OperatorKind>> = {
  'claim.decided': ({ claimId, claim, deliveryRef, decision, credit }, { currency }) => ({
    title: `Your ${CLAIM[claim]} of ${deliveryRef} was ${decision}`,
    sentences: [
      decision === 'approved'
        ? credit === null
          ? 'The lead was free, so there is nothing to credit.'
          : 'Its price is credited to your account.'
        : 'The reason is with the claim.',
    ],
    facts: [['Claim', claimId], ...(credit === null ? [] : ([['Credit', money(credit, currency)]] as const))],
    page: PORTAL.claims,
  }),
  'invoice.issued': (data, reader) => ({
    title: `Invoice ${data.number} for ${data.month}`,
    sentences: [
      data.amountDue > 0 ? `Please pay by ${at(data.dueAt, reader)}.` : 'Nothing is left to pay.',
      'The invoice is attached as PDF.',
    ],
    facts: invoiceFacts(data, reader),
    page: PORTAL.billing,
  }),
  'invoice.reminder': (data, reader) => ({
    title: `Reminder: invoice ${data.number} is due`,
    sentences: [
      `We have not recorded a payment of invoice ${data.number} yet. It was due on ${at(data.dueAt, reader)}.`,
      'If you have paid in the meantime, there is nothing to do.',
    ],
    facts: invoiceFacts(data, reader),
    page: PORTAL.billing,
  }),
  'invoice.overdue': (data, reader) => ({
    title: `Invoice ${data.number} is overdue`,
    sentences: [`It was due on ${at(data.dueAt, reader)}. Please pay it, or get in touch with us.`],
    facts: invoiceFacts(data, reader),
    page: PORTAL.billing,
  }),
  'payment.received': ({ amount, currency, reference, invoiceNumber, balance }) => ({
    title: `Receipt: we have recorded your payment of ${money(amount, currency)}`,
    sentences: ['Thank you.'],
    facts: [
      ['Amount', money(amount, currency)],
      ...(reference === null ? [] : ([['Reference', reference]] as const)),
      ...(invoiceNumber === null ? [] : ([['Invoice', invoiceNumber]] as const)),
      ['Balance now', money(balance, currency)],
    ],
    page: PORTAL.billing,
  }),
  'cap.reached': ({ offer, window, leads, spend, until }, reader) => ({
    title: `Offer ${offer} has reached its cap of the ${WINDOW[window]}`,
    sentences: [`It buys no more leads until ${at(until, reader)}.`],
    facts: [
      ['Offer', offer],
      ...(leads === null ? [] : ([['Leads', String(leads)]] as const)),
      ...(spend === null ? [] : ([['Budget', money(spend, reader.currency)]] as const)),
    ],
    page: PORTAL.offers,
  }),
  'budget.low': ({ offer, window, spent, limit, leftPercent, until }, reader) => ({
    title: `Offer ${offer} has ${leftPercent} % of its budget of the ${WINDOW[window]} left`,
    sentences: [`When it is spent, the offer buys no more leads until ${at(until, reader)}.`],
    facts: [
      ['Spent', money(spent, reader.currency)],
      ['Budget', money(limit, reader.currency)],
    ],
    page: PORTAL.offers,
  }),
  'funds.low': ({ available, threshold }, { currency }) => ({
    title: `Your funds are down to ${money(available, currency)}`,
    sentences: ['When they are used up, no more leads are sold to you. Please top up your account.'],
    facts: [
      ['Available', money(available, currency)],
      ['Your threshold', money(threshold, currency)],
    ],
    page: PORTAL.billing,
  }),
  'offer.paused': ({ offer, available, threshold }, { currency }) => ({
    title: `Offer ${offer} is paused: your funds are too low`,
    sentences: ['It buys no leads while your funds are below its limit. Please top up your account.'],
    facts: [
      ['Offer', offer],
      ['Available', money(available, currency)],
      ['Limit of the offer', money(threshold, currency)],
    ],
    page: PORTAL.billing,
  }),
  'offer.rejections_paused': ({ offer, rejected, responses, abovePercent, until }, reader) => ({
    title: `Offer ${offer} is paused: your system rejected ${rejected} of ${responses} leads`,
    sentences: [
      `It buys no leads until ${at(until, reader)}.`,
      'If the leads are not what you want, ask the operator of the marketplace to narrow the offer.',
    ],
    facts: [
      ['Offer', offer],
      ['Rejected', `${rejected} of ${responses}`],
      ['Pauses above', `${abovePercent} %`],
    ],
    page: PORTAL.offers,
  }),
  'statement.issued': ({ number, month, total, currency }) => ({
    title: `Statement ${number} for ${month}`,
    sentences: ['It says what your leads have earned. The statement is attached as PDF.'],
    facts: [
      ['Statement', number],
      ['Month', month],
      ['Total', money(total, currency)],
    ],
    page: { path: '/portal/supply/earnings', name: 'Earnings in the portal' },
  }),
  'endpoint.failing': ({ channel, since, error }, reader) => ({
    title: `Your ${channel} endpoint is failing`,
    sentences: [
      'It has failed several times in a row. We go on trying; what waits for it is sent as soon as it works again.',
    ],
    facts: [
      ['Channel', channel],
      ['Since', at(since, reader)],
      ['Last error', error],
    ],
    page: PORTAL.start,
  }),
  'endpoint.recovered': ({ channel, since }, reader) => ({
    title: `Your ${channel} endpoint works again`,
    sentences: ['What was waiting for it is being sent.'],
    facts: [
      ['Channel', channel],
      ['Was failing since', at(since, reader)],
    ],
    page: PORTAL.start,
  }),
  'endpoint.disabled': ({ webhookUrl, reason, since, waiting }, reader) => ({
    title: 'Your webhook endpoint is disabled: you get no new leads',
    sentences: [
      reason === 'gone'
        ? 'Your webhook endpoint responded 410 Gone, which means that nothing more should be sent to it. We have stopped.'
        : 'Your webhook endpoint has accepted nothing for a long time, in spite of many retries. We have stopped trying.',
      'While it is disabled, no new leads are sold to you. Deliveries that are waiting to be sent there fail when their turn comes; you are not charged for them.',
      'To receive leads again, set webhookUrl (PATCH /api/v1/buyer/account; the same URL is fine), or ask the operator of the marketplace to enable the endpoint.',
    ],
    facts: [
      ['Webhook URL', webhookUrl],
      [reason === 'gone' ? 'Responded 410' : 'Failing since', at(since, reader)],
      ['Waiting to be sent', waiting === 1 ? '1 delivery' : `${waiting} deliveries`],
    ],
    page: PORTAL.settings,
  }),
  'credential.expiring': ({ label, last4, expiresAt }, reader) => ({
    title: `Your ${label === null ? 'credential' : `credential "${label}"`} expires soon`,
    sentences: ['Make a new one and replace it in your programs before then. Both work until it expires.'],
    facts: [
      ['Ends in', last4],
      ['Expires', at(expiresAt, reader)],
    ],
    page: PORTAL.start,
  }),
  test: ({ requestedBy }, { name }) => ({
    title: `Test: notices of ${name} arrive here`,
    sentences: ['This is what a notice looks like. There is nothing to do.'],
    facts: [['Requested by', requestedBy]],
    page: null,
  }),
};

function invoiceFacts(
  { number, month, total, amountDue, dueAt, currency }: NoticeData['invoice.issued'],
  reader: NoticeReader,
): NoticeText['facts'] {
  return [
    ['Invoice', number],
    ['Month', month],
    ['Total', money(total, currency)],
    ['To be paid', money(amountDue, currency)],
    ['Due', at(dueAt, reader)],
  ];
}
